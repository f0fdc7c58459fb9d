import { randomBytes } from 'node:crypto'
import { type Credentials, findPasswordProblem, isAccountEmail, type User } from '../../contract/accounts.ts'
import { AppError } from '../app-error.ts'
import type { Account, AccountStorage } from '../storage/storage.ts'
import { toEmailKey } from './email.ts'
import type { PasswordHasher } from './password-hash.ts'
import type { PasswordPool } from './password-pool.ts'
import { canSignUp, type SignUpPolicy } from './sign-up.ts'

export interface AccountDependencies {
  accounts: AccountStorage
  hasher: PasswordHasher
  pool: PasswordPool
}

/** Makes an account, or refuses with `sign-up-closed`, `invalid-email`, `weak-password` or `account-exists`. */
export async function createAccount(
  dependencies: AccountDependencies,
  signUp: SignUpPolicy,
  { email, password }: Credentials,
): Promise<User> {
  if (signUp.mode === 'closed') throw new AppError('sign-up-closed')
  if (!isAccountEmail(email)) throw new AppError('invalid-email', { field: 'email' })
  if (!canSignUp(signUp, email)) throw new AppError('sign-up-closed')
  await requireStrongPassword(dependencies.pool, email, password)
  const account: Account = {
    uid: randomBytes(15).toString('base64url'),
    email: email.trim(),
    emailKey: toEmailKey(email),
    passwordHash: await dependencies.hasher.hash(password),
    createdAt: new Date().toISOString(),
  }
  if (!(await dependencies.accounts.add(account))) throw new AppError('account-exists', { field: 'email' })
  return toUser(account)
}

export type CredentialsCheck =
  | { isRight: true; account: Account }
  | { isRight: false; account: Account | undefined }

/** Whether the password is that of the account with this email; no, after the same work, where there is none. */
export async function checkCredentials(
  { accounts, hasher }: AccountDependencies,
  { email, password }: Credentials,
): Promise<CredentialsCheck> {
  const account = await accounts.findByEmailKey(toEmailKey(email))
  const isRight = await hasher.verify(password, account?.passwordHash)
  return isRight && account ? { isRight, account } : { isRight: false, account }
}

/**
 * Sets a new password, and answers the account as it is now; nothing where it has been given another since it was looked
 * up, or is gone. Refuses with `weak-password`.
 */
export async function changePassword(
  { accounts, hasher, pool }: AccountDependencies,
  account: Account,
  newPassword: string,
): Promise<Account | undefined> {
  try {
    await requireStrongPassword(pool, account.email, newPassword)
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.code, { ...error.details, field: 'newPassword' })
    throw error
  }
  const passwordHash = await hasher.hash(newPassword)
  const isSet = await accounts.setPasswordHash(account.uid, passwordHash, account.passwordHash)
  return isSet ? { ...account, passwordHash } : undefined
}

/** Refuses with `weak-password` what is too short, too long, used by many, the account's own email, or the product's name. */
export async function requireStrongPassword(
  pool: PasswordPool,
  email: string,
  password: string,
): Promise<void> {
  const weakness = findPasswordProblem(password)
  if (weakness) throwWeakPassword(weakness)
  const key = toEmailKey(email)
  if ([key, key.slice(0, key.lastIndexOf('@'))].includes(toEmailKey(password))) {
    throwWeakPassword('Please choose a password that is not your email address.')
  }
  if (await pool.isCommon(password)) {
    throwWeakPassword('This password is one of the first that are guessed. Please choose another.')
  }
}

function throwWeakPassword(message: string): never {
  throw new AppError('weak-password', { field: 'password', message })
}

/** What the page keeps: nothing worth stealing. */
export function toUser({ uid, email, createdAt }: Account): User {
  return { uid, email, createdAt }
}
