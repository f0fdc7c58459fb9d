import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import type { User } from '../../contract/accounts.ts'
import { useStoredUser } from './stored-user.ts'

/** Redirects to / if no user is stored. It checks nothing else, as section 4 of the specification requires. */
export function RequireStoredUser({ children }: { children: (user: User) => ReactNode }) {
  const user = useStoredUser()
  return user ? children(user) : <Navigate to="/" replace />
}
