import { isEmail } from './employees.ts'
import { errors } from './errors.ts'

/** The signed-in user. It is kept in local storage, so it carries nothing worth stealing. */
export interface User {
  uid: string
  email: string
  /** ISO 8601, UTC. */
  createdAt: string
}

export interface Credentials {
  email: string
  password: string
}

/** One place where an account is signed in. Times are ISO 8601, UTC. */
export interface SessionInfo {
  createdAt: string
  lastSeenAt: string
  /** The session that asks. */
  current: boolean
}

export interface PasswordChange {
  password: string
  newPassword: string
}

/** JSON schema of `PasswordChange`. */
export const passwordChangeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['password', 'newPassword'],
  properties: {
    password: { type: 'string', maxLength: 1000 },
    newPassword: { type: 'string', maxLength: 1000 },
  },
} as const

/** Account passwords, counted in Unicode code points after NFC, in any script. */
export const passwordLength = { min: 8, max: 128 } as const

/** RFC 5321's longest path, in characters. */
const maxEmailLength = 254

/** Whether this may be a new account's email, spaces around it left aside. */
export function isAccountEmail(email: string): boolean {
  const trimmed = email.trim()
  return trimmed.length <= maxEmailLength && isEmail(trimmed)
}

/** The first word that is guessed where this product is seen. */
const productName = 'staffbook'

/** What is wrong with this as a new account's password, in words for a person; nothing where its form is good. */
export function findPasswordProblem(password: string): string | undefined {
  const normalized = password.normalize('NFC')
  const length = countCodePoints(normalized)
  if (length < passwordLength.min || length > passwordLength.max || !normalized.isWellFormed()) {
    return errors['weak-password'].message
  }
  const lower = normalized.toLowerCase()
  if (
    lower.includes(productName) &&
    countCodePoints(lower.replaceAll(productName, '')) < passwordLength.min
  ) {
    return 'Please choose a password with more in it than the name of this product.'
  }
  return
}

/** In code points. */
const countCodePoints = (text: string) => [...text].length

/**
 * JSON schema of `Credentials`: shape and size only. The rules of a new account (a well-formed email,
 * a long enough password) answer with codes of their own, and signing in must not reveal them.
 */
export const credentialsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const
