import { ServiceError } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import type { Account } from './accounts.ts'
import type { MemoryService } from './service.ts'

export const hasPassword = ({ admitsAnyone }: MemoryService, account: Account, password: string): boolean =>
  admitsAnyone || account.password === password.normalize('NFC')

/** Rejects if it is not the password of the caller. */
export function requirePassword(service: MemoryService, own: Account, password: string): void {
  if (!hasPassword(service, own, password))
    throw createServiceError('invalid-credentials', { field: 'password' })
}

/** Returns a new password as it is stored. Rejects with `weak-password`. */
export function acceptPassword(
  { findPasswordProblem }: MemoryService,
  password: string,
  field: string,
): string {
  if (!findPasswordProblem) return ''
  const problem = findPasswordProblem(password)
  if (problem) throw new ServiceError('weak-password', problem, { field })
  return password.normalize('NFC')
}
