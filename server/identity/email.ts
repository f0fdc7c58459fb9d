import { maxEmailLength } from '../../contract/accounts.ts'
import { emailPattern } from '../../contract/employees.ts'

const pattern = new RegExp(emailPattern)

/** The form in which two emails are compared. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}

export function isValidEmail(email: string): boolean {
  const trimmed = email.trim()
  return trimmed.length <= maxEmailLength && pattern.test(trimmed)
}
