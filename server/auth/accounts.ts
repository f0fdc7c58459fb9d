import { randomBytes } from 'node:crypto'
import type { onRequestHookHandler } from 'fastify'
import {
  type Credentials,
  isAccountEmail,
  maxEmailLength,
  type NewAccount,
  type SignUpPolicy,
  toEmailKey,
  type User,
} from '../../contract/accounts.ts'
import { trimEmail } from '../../contract/employees.ts'
import { findPasswordProblem } from '../../contract/predictable-text.ts'
import { AppError } from '../app-error.ts'
import type { Account, AccountStorage, HistoryStorage } from '../storage/storage.ts'
import type { Links } from './links/links.ts'
import type { Passkeys } from './passkeys/passkeys.ts'
import type { PasswordHasher } from './password-hash.ts'
import type { Sessions } from './sessions.ts'
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

export interface AuthRouteOptions extends AccountDependencies {
  history: Pick<HistoryStorage, 'listPeople'>
  links: Links
  passkeys: Passkeys
  sessions: Sessions
  throttle: Throttle
  requireSession: onRequestHookHandler
  publicUrl: URL | undefined
  signUp: SignUpPolicy
}

const otherEmailError = new AppError('invalid-email', {
  field: 'email',
  message: 'This invitation is for another email address.',
})

/**
 * Creates an account. Throws `sign-up-closed`, `invalid-link`, `invalid-email`, `weak-password` or `account-exists`. Only
 * `invited` needs an invitation and uses it up; `open` ignores it.
 */
export async function createAccount(
  dependencies: AccountDependencies & { links: Links },
  signUp: SignUpPolicy,
  { email, password, invitation }: NewAccount,
  { byOperator = false } = {},
): Promise<User> {
  const { links, accounts } = dependencies
  if (signUp === 'closed') throw new AppError('sign-up-closed')
  if (signUp === 'invited' && !invitation)
    throw new AppError('sign-up-closed', { message: 'You need an invitation. Ask a colleague for a link.' })
  if (!isAccountEmail(email)) throw new AppError('invalid-email', { field: 'email' })
  const token = signUp === 'invited' ? invitation : undefined
  // Before the password is hashed, which takes long.
  const { email: invited = null } = token ? await links.findInvitation(token) : {}
  if (invited !== null && toEmailKey(invited) !== toEmailKey(email)) throw otherEmailError
  await requireStrongPassword(dependencies.hasher, email, password)
  const account: Account = {
    uid: randomBytes(15).toString('base64url'),
    email: trimEmail(email),
    emailKey: toEmailKey(email),
    passwordHash: await dependencies.hasher.hash(password),
    createdAt: new Date().toISOString(),
  }
  if (token) await links.accept(token, account)
  else if (!(await accounts.add(account, byOperator ? undefined : account.uid)))
    throw new AppError('account-exists', { field: 'email' })
  return toUser(account)
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

export function verifyCredentials(
  options: AccountDependencies & { throttle: Throttle },
  ip: string,
  credentials: Credentials,
) {
  // No account has such an email.
  if (trimEmail(credentials.email).length > maxEmailLength) throw new AppError('invalid-credentials')
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
