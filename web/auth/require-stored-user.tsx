import { type ReactNode, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { User } from '../../contract/accounts.ts'
import type { AccountLocationState } from './account-location.ts'
import { useStoredUser } from './stored-user.ts'

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
