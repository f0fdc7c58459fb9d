import { randomBytes } from 'node:crypto'
import {
  isAccountEmail,
  type NewAccount,
  type SignUpPolicy,
  toEmailKey,
  type User,
} from '../../contract/accounts.ts'
import { cleanEmail } from '../../contract/employees.ts'
import { AppError } from '../app-error.ts'
import type { Account } from '../storage/storage.ts'
import { type AccountDependencies, requireStrongPassword, toUser } from './accounts.ts'
import type { Links } from './links/links.ts'

export const needInvitationError = new AppError('sign-up-closed', {
  message: 'You need an invitation. Ask a colleague for a link.',
})

export const otherEmailError = new AppError('invalid-email', {
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
  if (signUp === 'invited' && !invitation) throw needInvitationError
  if (!isAccountEmail(email)) throw new AppError('invalid-email', { field: 'email' })
  const token = signUp === 'invited' ? invitation : undefined
  // Before the password is hashed, which takes long.
  const { email: invited = null } = token ? await links.findInvitation(token) : {}
  if (invited !== null && toEmailKey(invited) !== toEmailKey(email)) throw otherEmailError
  await requireStrongPassword(dependencies.hasher, email, password)
  const account: Account = {
    uid: randomBytes(15).toString('base64url'),
    email: cleanEmail(email),
    emailKey: toEmailKey(email),
    passwordHash: await dependencies.hasher.hash(password),
    createdAt: new Date().toISOString(),
  }
  if (token) await links.accept(token, account)
  else if (!(await accounts.add(account, byOperator ? undefined : account.uid)))
    throw new AppError('account-exists', { field: 'email' })
  return toUser(account)
}
