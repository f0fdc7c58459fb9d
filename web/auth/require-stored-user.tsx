import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import type { User } from '../../contract/accounts.ts'
import { useStoredUser } from './stored-user.ts'

/** The guard of /form: it asks for the stored user and for nothing else (specification, point 4). */
export function RequireStoredUser({ children }: { children: (user: User) => ReactNode }) {
  const user = useStoredUser()
  return user ? children(user) : <Navigate to="/" replace />
}
