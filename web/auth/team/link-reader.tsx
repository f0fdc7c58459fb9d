import { Navigate, useLocation } from 'react-router'
import type { AccountLocationState } from '../account-location.ts'
import type { LinkName } from '../link-address.ts'
import { readRewrittenLink } from './rewritten-link.ts'

/** The path that a link opens. */
const paths: Record<LinkName, string> = { invite: '/', credential: '/', reset: '/signin' }

/** Replaces an address that has a rewritten link by that of the link itself, and marks any other as read. */
export function LinkReader() {
  const { pathname, search, hash, state } = useLocation()
  const link = readRewrittenLink(pathname + search + hash)
  const address = link
    ? { pathname: paths[link.name], hash: `${link.name}=${link.value}` }
    : { pathname, search, hash }
  const readState: AccountLocationState = { ...state, isAddressRead: true }
  return <Navigate to={address} replace state={readState} />
}
