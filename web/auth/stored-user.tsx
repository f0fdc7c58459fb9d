import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { User } from '../../contract/accounts.ts'
import { listen } from '../lib/dom.ts'
import { readLocalStorage, writeForOtherTabs, writeLocalStorage } from '../lib/stored-state.ts'
import type { AccountLocationState } from './account-location.ts'

/** The local storage key, given by section 9 of the specification. */
const storageKey = 'user'

export function storeUser(user: User): void {
  writeLocalStorage(storageKey, JSON.stringify(user))
}

export function removeStoredUser(): void {
  writeLocalStorage(storageKey, null)
}

/** Makes all other tabs leave the register. This one stays until `removeStoredUser`. */
export function signOutOtherTabs(): void {
  writeForOtherTabs(storageKey, null)
}

export function readStoredUser(): User | null {
  return parseUser(readLocalStorage(storageKey))
}

/** The signed-in user that this browser stores, or null. Re-renders when this or another tab signs in or out. */
export function useStoredUser(): User | null {
  return parseUser(useSyncExternalStore(subscribe, () => (listenerCount > 0 ? shown : read())))
}

const read = () => readLocalStorage(storageKey)

/** What the page shows while anything listens. If the browser clears all it stores, the user stays, and what is typed. */
let shown: string | null = null
let listenerCount = 0

function subscribe(listener: () => void): () => void {
  if (listenerCount === 0) shown = read()
  listenerCount += 1
  const stop = listen(window, 'storage pageshow', (event: Event & { key?: string | null }) => {
    const stored = read()
    if (event.key === null && stored === null) writeLocalStorage(storageKey, shown)
    else if (event.key === null || event.key === storageKey || event.type === 'pageshow') shown = stored
    listener()
  })
  return () => {
    stop()
    listenerCount -= 1
  }
}

/** Returns null for text that is not a user. */
function parseUser(text: string | null): User | null {
  try {
    const user: unknown = JSON.parse(text ?? 'null')
    return isUser(user) ? user : null
  } catch {
    return null
  }
}

function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && 'email' in value && typeof value.email === 'string'
}

/** Redirects to / if no user is stored. It checks nothing else, as section 4 of the specification requires. */
export function RequireStoredUser({ children }: { children: (user: User) => ReactNode }) {
  const user = useStoredUser()
  const [wasSignedIn] = useState(user !== null)
  const { search } = useLocation()
  if (user) return children(user)
  // A visitor returns to this search after signing in. After a logout it is not passed on: somebody else may follow.
  const state: AccountLocationState | null = wasSignedIn ? null : { search }
  return <Navigate to="/" replace state={state} />
}
