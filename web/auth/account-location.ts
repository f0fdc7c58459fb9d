import { useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { SignedIn } from '../../contract/accounts.ts'
import { tabStorage } from '../lib/stored-state.ts'
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
  /** `LinkReader` has read the link of this address. */
  isAddressRead?: boolean
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
    else tabStorage.write(name, token)
    void navigate({ pathname, search }, { replace: true, state })
  }, [token, name, navigate, pathname, search, state])

  return token ?? memory.get(name) ?? tabStorage.read(name)
}

/**
 * The answer of a provider of single sign-on, with which it has opened /signin (`?code=…&state=…`; some refuse without a state), or
 * null. It is removed from the address and its history entry at once.
 */
export function useSsoAnswer(): string | null {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [answer] = useState(/[?&](code|error)=/.test(search) ? search : null)
  useLayoutEffect(() => {
    if (!answer) return
    // What the visitor came for is in web/auth/sso/intent.ts.
    const state = JSON.parse(tabStorage.read('sso') ?? '{}').account
    void navigate(pathname, { replace: true, state })
  }, [answer, navigate, pathname])
  return answer
}

export function forgetLinkToken(name: LinkName): void {
  tabStorage.write(name, null)
}
