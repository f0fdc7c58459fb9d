import { findPasswordProblem } from '../../../contract/predictable-text.ts'
import { ServiceError } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import type { Account } from './accounts.ts'

export const hasPassword = (account: Account, password: string): boolean =>
  account.password === password.normalize('NFC')

/** Rejects if it is not the password of the caller. */
export function requirePassword(own: Account, password: string): void {
  if (!hasPassword(own, password)) throw createServiceError('invalid-credentials', { field: 'password' })
}

/** Returns a new password as it is stored. Rejects with `weak-password`. */
export function acceptPassword(password: string, field: string): string {
  const problem = findPasswordProblem(password)
  if (problem) throw new ServiceError('weak-password', problem, { field })
  return password.normalize('NFC')
}
