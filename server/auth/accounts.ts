import { randomBytes } from 'node:crypto'
import { type Credentials, isAccountEmail, type User, weaknessOf } from '../../contract/accounts.ts'
import { Refusal } from '../app-error.ts'
import type { Account, AccountStorage } from '../storage/storage.ts'
import { emailKeyOf } from './email.ts'
import type { PasswordHasher } from './password-hash.ts'
import type { PasswordPool } from './password-pool.ts'
import { maySignUp, type SignUp } from './sign-up.ts'

export interface AccountParts {
  accounts: AccountStorage
  hasher: PasswordHasher
  pool: PasswordPool
}

/** Makes an account, or refuses with `sign-up-closed`, `invalid-email`, `weak-password` or `account-exists`. */
export async function createAccount(
  parts: AccountParts,
  signUp: SignUp,
  { email, password }: Credentials,
): Promise<User> {
  if (signUp.mode === 'closed') throw new Refusal('sign-up-closed')
  if (!isAccountEmail(email)) throw new Refusal('invalid-email', { field: 'email' })
  if (!maySignUp(signUp, email)) throw new Refusal('sign-up-closed')
  await requireGoodPassword(parts.pool, email, password)
  const account: Account = {
    uid: randomBytes(15).toString('base64url'),
    email: email.trim(),
    emailKey: emailKeyOf(email),
    passwordHash: await parts.hasher.hash(password),
    createdAt: new Date().toISOString(),
  }
  if (!(await parts.accounts.add(account))) throw new Refusal('account-exists', { field: 'email' })
  return userOf(account)
}

export type Checked = { isRight: true; account: Account } | { isRight: false; account: Account | undefined }

/** Whether the password is that of the account with this email; no, after the same work, where there is none. */
export async function checkCredentials(
  { accounts, hasher }: AccountParts,
  { email, password }: Credentials,
): Promise<Checked> {
  const account = await accounts.findByEmailKey(emailKeyOf(email))
  const isRight = await hasher.verify(password, account?.passwordHash)
  return isRight && account ? { isRight, account } : { isRight: false, account }
}

/**
 * Sets a new password, and answers the account as it is now; nothing where it has been given another since it was looked
 * up, or is gone. Refuses with `weak-password`.
 */
export async function changePassword(
  { accounts, hasher, pool }: AccountParts,
  account: Account,
  newPassword: string,
): Promise<Account | undefined> {
  try {
    await requireGoodPassword(pool, account.email, newPassword)
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.code, { ...error.details, field: 'newPassword' })
    throw error
  }
  const passwordHash = await hasher.hash(newPassword)
  const isSet = await accounts.setPasswordHash(account.uid, passwordHash, account.passwordHash)
  return isSet ? { ...account, passwordHash } : undefined
}

/** Refuses with `weak-password` what is too short, too long, used by many, the account's own email, or the product's name. */
export async function requireGoodPassword(
  pool: PasswordPool,
  email: string,
  password: string,
): Promise<void> {
  const weakness = weaknessOf(password)
  if (weakness) refuseWeak(weakness)
  const key = emailKeyOf(email)
  if ([key, key.slice(0, key.lastIndexOf('@'))].includes(emailKeyOf(password))) {
    refuseWeak('Please choose a password that is not your email address.')
  }
  if (await pool.isCommon(password)) {
    refuseWeak('This password is one of the first that are guessed. Please choose another.')
  }
}

function refuseWeak(message: string): never {
  throw new Refusal('weak-password', { field: 'password', message })
}

/** What the page keeps: nothing worth stealing. */
export function userOf({ uid, email, createdAt }: Account): User {
  return { uid, email, createdAt }
}
