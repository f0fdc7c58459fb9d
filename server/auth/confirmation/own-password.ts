import type { FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import { type SignInDependencies, verifyCredentials } from '../accounts.ts'
import { hasPassword } from '../password-hash.ts'
import { readCookie } from '../require-session.ts'
import type { Sso } from '../sso/sso.ts'

export interface OwnPasswordDependencies extends SignInDependencies {
  /** Undefined without single sign-on. */
  sso: Sso | undefined
}

export const wrongPasswordError = new AppError('invalid-credentials', {
  field: 'password',
  message: 'That isn’t your current password.',
})

/**
 * Checks the password of the session's account as a sign-in does, and returns the account as it is now. An account that signs in by
 * single sign-on and has no password has to have done so in the last minutes. Throws `invalid-credentials` or `confirmation-needed`.
 */
export async function requireOwnPassword(
  options: OwnPasswordDependencies,
  request: FastifyRequest,
  password: string,
) {
  const { ip, log, session } = request
  const confirmed = await findConfirmed(options, request)
  if (confirmed) return confirmed
  // Reads the account again because the one of the session may be cached.
  const { email, uid } = session.account
  const { isRight, account, addressHash } = await verifyCredentials(options, ip, { email, password })
  if (isRight && account) return { account, addressHash }
  log.info({ ip, uid }, 'own password refused')
  throw wrongPasswordError
}

/** Returns the account as it is now, and whether it can confirm acts only at the provider. */
export async function readOwnAccount(
  { accounts, sso }: Pick<OwnPasswordDependencies, 'accounts' | 'sso'>,
  { session }: FastifyRequest,
) {
  const { emailKey, uid } = session.account
  const found = await accounts.findByEmailKey(emailKey)
  const account = found?.uid === uid ? found : undefined
  const isConnected = (await sso?.isConnected(uid)) ?? false
  const mayHavePassword =
    !isConnected || !account || (hasPassword(account.passwordHash) && !sso?.settings.isOnly)
  return { account, isConnected, hasPassword: mayHavePassword }
}

async function findConfirmed(options: OwnPasswordDependencies, request: FastifyRequest) {
  if (!options.sso) return
  const { account, hasPassword } = await readOwnAccount(options, request)
  if (hasPassword || !account) return
  if (!(await options.sso.isConfirmed(request.session, readCookie(request, 'confirmed'))))
    throw new AppError('confirmation-needed')
  return { account, addressHash: options.throttle.hashAddress(request.ip, account.emailKey) }
}
