import { type Credentials, maxEmailLength, toEmailKey, type User } from '../../contract/accounts.ts'
import { cleanEmail } from '../../contract/employees.ts'
import { findPasswordProblem } from '../../contract/predictable-text.ts'
import { AppError } from '../app-error.ts'
import type { Account, AccountStorage } from '../storage/storage.ts'
import type { PasswordHasher } from './password-hash.ts'
import type { Throttle } from './throttle.ts'

/**
 * When a server has answered the last request of a session that it or the command line has ended; see `Sessions`. Only what changes
 * later is unknown to a removed account.
 */
export const lastAnswerMs = 1500

export interface AccountDependencies {
  accounts: AccountStorage
  hasher: PasswordHasher
}

/**
 * Verifies the password of the account with this email, also of a removed one. Takes the same time if there is none. `isRemoved`:
 * the password is right, but a colleague has removed the account.
 */
async function checkCredentials({ accounts, hasher }: AccountDependencies, { email, password }: Credentials) {
  const emailKey = toEmailKey(email)
  const [present, removed] = await Promise.all([
    accounts.findByEmailKey(emailKey),
    accounts.findRemoved(emailKey),
  ])
  const account = present ?? removed
  const isRight = await hasher.verify(password, account?.passwordHash)
  return { isRight, account, isRemoved: isRight && !present }
}

export interface SignInDependencies extends AccountDependencies {
  throttle: Throttle
}

export function verifyCredentials(options: SignInDependencies, ip: string, credentials: Credentials) {
  // No account has such an email.
  if (cleanEmail(credentials.email).length > maxEmailLength) throw new AppError('invalid-credentials')
  const check = () => checkCredentials(options, credentials)
  return checkThrottled(options.throttle, ip, toEmailKey(credentials.email), check)
}

/** Runs a check under the throttle. Only what is not right, and for the address busy responses, count. */
export function checkThrottled<T extends { isRight: boolean }>(
  throttle: Throttle,
  ip: string,
  emailKey: string,
  check: (addressHash: string) => Promise<T>,
) {
  return throttle.inTurn(ip, emailKey, async () => {
    const attempt = await throttle.trySignIn(ip, emailKey)
    try {
      const result = await check(attempt.addressHash)
      if (result.isRight) attempt.recordSuccess()
      else attempt.recordFailure()
      return { ...result, addressHash: attempt.addressHash }
    } catch (error) {
      if (error instanceof AppError && error.code === 'busy') attempt.recordBusy()
      else attempt.refund()
      throw error
    }
  })
}

/**
 * Replaces a hash of another cost, which is possible only while the password is known. Returns the account with its hash. If
 * it fails, the old hash remains valid.
 */
export async function renewHash(dependencies: AccountDependencies, account: Account, password: string) {
  const { accounts, hasher } = dependencies
  if (!hasher.isOutdated(account.passwordHash)) return account
  try {
    const passwordHash = await hasher.hash(password)
    if (await accounts.setPasswordHash(account.uid, passwordHash, account.passwordHash)) {
      return { ...account, passwordHash }
    }
    // Another sign-in may have renewed it.
    const again = await checkCredentials(dependencies, { email: account.email, password })
    return (again.isRight && again.account) || account
  } catch {
    return account
  }
}

/**
 * Throws `weak-password` if the password is too short, too long, predictable, common, the account's own email or mostly the
 * product's name. `field` is the request field to name in the error.
 */
export async function requireStrongPassword(
  hasher: PasswordHasher,
  email: string,
  password: string,
  field = 'password',
): Promise<void> {
  const message = findPasswordProblem(password) ?? (await findGuessablePassword(hasher, email, password))
  if (message) throw new AppError('weak-password', { field, message })
}

async function findGuessablePassword(hasher: PasswordHasher, email: string, password: string) {
  const key = toEmailKey(email)
  if ([key, key.slice(0, key.lastIndexOf('@'))].includes(toEmailKey(password)))
    return 'Choose a password that isn’t your email address.'
  return (await hasher.isCommon(password)) ? 'That password is too common. Choose another.' : undefined
}

export function toUser({ uid, email, createdAt }: Account): User {
  return { uid, email, createdAt }
}
