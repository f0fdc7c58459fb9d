import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import {
  type Credentials,
  credentialsSchema,
  type PasswordChange,
  passwordChangeSchema,
  type SessionInfo,
} from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import type { Logger } from '../process/logger.ts'
import {
  type AccountDependencies,
  changePassword,
  checkCredentials,
  createAccount,
  toUser,
} from './accounts.ts'
import { clearSessionCookie, readSessionToken, setSessionCookie } from './cookie.ts'
import { toEmailKey } from './email.ts'
import { type Sessions, sessionLimits } from './sessions.ts'
import type { SignUpPolicy } from './sign-up.ts'
import type { Throttle } from './throttle.ts'

export interface AuthRouteOptions extends AccountDependencies {
  sessions: Sessions
  throttle: Throttle
  requireSession: onRequestHookHandler
  log: Logger
  signUp: SignUpPolicy
}

const schema = { body: credentialsSchema }

export function authRoutes(app: FastifyInstance, options: AuthRouteOptions): void {
  const { sessions, throttle, signUp, requireSession, log } = options

  /** Whether these credentials are right. A guess, unless they are or nobody has looked at them. */
  async function verifyCredentials(ip: string, credentials: Credentials) {
    const attempt = await throttle.trySignIn(ip, toEmailKey(credentials.email))
    try {
      const result = await checkCredentials(options, credentials)
      if (result.isRight) attempt.recordSuccess()
      return { ...result, addressHash: attempt.from }
    } catch (error) {
      attempt.giveBack()
      throw error
    }
  }

  app.post<{ Body: Credentials }>(paths.accounts, { schema }, async (request, reply) => {
    throttle.trySignUp(request.ip)
    const user = await createAccount(options, signUp, request.body)
    log.info({ uid: user.uid }, 'account created')
    return reply.code(201).send(user)
  })

  app.post<{ Body: Credentials }>(paths.session, { schema }, async (request, reply) => {
    const { isRight, account, addressHash } = await verifyCredentials(request.ip, request.body)
    const token = isRight ? await sessions.create(account, addressHash) : undefined
    if (!account || !token) {
      log.info({ ip: request.ip, uid: account?.uid }, 'sign-in refused')
      throw new AppError('invalid-credentials')
    }
    await sessions.endToken(readSessionToken(request))
    setSessionCookie(request, reply, token, sessionLimits.absoluteTtlMs / 1000)
    log.info({ uid: account.uid }, 'signed in')
    return toUser(account)
  })

  app.get(
    paths.sessions,
    { onRequest: requireSession },
    async ({ session }): Promise<{ sessions: SessionInfo[] }> => {
      return { sessions: await sessions.listFor(session.session) }
    },
  )

  app.delete(paths.sessions, { onRequest: requireSession }, async (request, reply) => {
    const { uid } = request.session.account
    await sessions.endAll(uid)
    log.info({ uid }, 'all sessions ended')
    clearSessionCookie(request, reply)
    return reply.code(204).send()
  })

  app.put<{ Body: PasswordChange }>(
    paths.password,
    { schema: { body: passwordChangeSchema }, onRequest: requireSession },
    async (request, reply) => {
      const { password, newPassword } = request.body
      // Looked up anew: what the session was found with is a moment old.
      const credentials = { email: request.session.account.email, password }
      const { isRight, account, addressHash } = await verifyCredentials(request.ip, credentials)
      const changedAccount = isRight ? await changePassword(options, account, newPassword) : undefined
      if (!changedAccount) {
        log.info({ ip: request.ip, uid: account?.uid }, 'password change refused')
        throw new AppError('invalid-credentials', { field: 'password', message: 'The password is wrong.' })
      }
      log.info({ uid: changedAccount.uid }, 'password changed')
      const token = await sessions.replaceAll(changedAccount, addressHash)
      if (!token) throw new AppError('not-signed-in')
      setSessionCookie(request, reply, token, sessionLimits.absoluteTtlMs / 1000)
      return reply.code(204).send()
    },
  )

  app.get(paths.session, { onRequest: requireSession }, ({ session }) => toUser(session.account))

  app.delete(paths.session, async (request, reply) => {
    await sessions.endToken(readSessionToken(request))
    clearSessionCookie(request, reply)
    return reply.code(204).send()
  })
}
