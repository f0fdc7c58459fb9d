import { useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { SignedIn } from '../../contract/accounts.ts'
import { type LinkName, readLink } from './link-address.ts'

/** The state of a navigation to an account screen, or from it to /form. */
export interface AccountLocationState {
  /** The email of an account that has just been created. */
  newAccount?: string
  /** The session of the stored user has ended; `email` is that user's. */
  ended?: boolean
  email?: string
  /** What has just succeeded. */
  notice?: string
  /** Who has made reset links for the account that has just signed in. */
  resetLinks?: SignedIn['resetLinks']
  /** The search part of the address of /form that the visitor came from, to return to. */
  search?: string
}

export const useAccountLocation = (): AccountLocationState => useLocation().state ?? {}

/** The link to a credential contains its key, which is stored nowhere: a reload forgets it. */
const memory = new Map<string, string>()

/**
 * The token of the one-time link that has opened this screen (`#invite=…`), or null; '' if the link has none. It is removed from
 * the address and its history entry at once. That of an account survives reloads of this tab until `forgetLinkToken`.
 */
export function useLinkToken(name: LinkName): string | null {
  const { hash, pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const link = readLink(hash)
  const token = link?.name === name ? link.value : null

  useLayoutEffect(() => {
    if (token === null) return
    if (name === 'credential') memory.set(name, token)
    else sessionStorage.setItem(name, token)
    void navigate({ pathname, search }, { replace: true, state })
  }, [token, name, navigate, pathname, search, state])

  return token ?? memory.get(name) ?? sessionStorage.getItem(name)
}

export function forgetLinkToken(name: LinkName): void {
  sessionStorage.removeItem(name)
}
