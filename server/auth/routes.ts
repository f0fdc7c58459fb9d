import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import {
  type Credentials,
  credentialsSchema,
  type PasswordChange,
  passwordChangeSchema,
  type SessionInfo,
} from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { Refusal } from '../app-error.ts'
import type { Log } from '../process/logger.ts'
import { type AccountParts, changePassword, checkCredentials, createAccount, userOf } from './accounts.ts'
import { clearToken, setToken, tokenOf } from './cookie.ts'
import { emailKeyOf } from './email.ts'
import { type Sessions, sessionLimits } from './sessions.ts'
import type { SignUp } from './sign-up.ts'
import type { Throttle } from './throttle.ts'

export interface IdentityParts extends AccountParts {
  sessions: Sessions
  throttle: Throttle
  signedIn: onRequestHookHandler
  log: Log
  signUp: SignUp
}

const schema = { body: credentialsSchema }

export function identityRoutes(app: FastifyInstance, parts: IdentityParts): void {
  const { sessions, throttle, signUp, signedIn, log } = parts

  /** Whether these credentials are right. A guess, unless they are or nobody has looked at them. */
  async function check(ip: string, credentials: Credentials) {
    const guess = await throttle.trySignIn(ip, emailKeyOf(credentials.email))
    try {
      const checked = await checkCredentials(parts, credentials)
      if (checked.isRight) guess.wasRight()
      return { ...checked, from: guess.from }
    } catch (error) {
      guess.giveBack()
      throw error
    }
  }

  app.post<{ Body: Credentials }>(paths.accounts, { schema }, async (request, reply) => {
    throttle.signUp(request.ip)
    const user = await createAccount(parts, signUp, request.body)
    log.info({ uid: user.uid }, 'account created')
    return reply.code(201).send(user)
  })

  app.post<{ Body: Credentials }>(paths.session, { schema }, async (request, reply) => {
    const { isRight, account, from } = await check(request.ip, request.body)
    const token = isRight ? await sessions.begin(account, from) : undefined
    if (!account || !token) {
      log.info({ ip: request.ip, uid: account?.uid }, 'sign-in refused')
      throw new Refusal('invalid-credentials')
    }
    await sessions.endToken(tokenOf(request))
    setToken(request, reply, token, sessionLimits.absolute / 1000)
    log.info({ uid: account.uid }, 'signed in')
    return userOf(account)
  })

  app.get(
    paths.sessions,
    { onRequest: signedIn },
    async ({ found }): Promise<{ sessions: SessionInfo[] }> => {
      return { sessions: await sessions.listFor(found.session) }
    },
  )

  app.delete(paths.sessions, { onRequest: signedIn }, async (request, reply) => {
    const { uid } = request.found.account
    await sessions.endAll(uid)
    log.info({ uid }, 'all sessions ended')
    clearToken(request, reply)
    return reply.code(204).send()
  })

  app.put<{ Body: PasswordChange }>(
    paths.password,
    { schema: { body: passwordChangeSchema }, onRequest: signedIn },
    async (request, reply) => {
      const { password, newPassword } = request.body
      // Looked up anew: what the session was found with is a moment old.
      const credentials = { email: request.found.account.email, password }
      const { isRight, account, from } = await check(request.ip, credentials)
      const changed = isRight ? await changePassword(parts, account, newPassword) : undefined
      if (!changed) {
        log.info({ ip: request.ip, uid: account?.uid }, 'password change refused')
        throw new Refusal('invalid-credentials', { field: 'password', message: 'The password is wrong.' })
      }
      log.info({ uid: changed.uid }, 'password changed')
      const token = await sessions.beginAnew(changed, from)
      if (!token) throw new Refusal('not-signed-in')
      setToken(request, reply, token, sessionLimits.absolute / 1000)
      return reply.code(204).send()
    },
  )

  app.get(paths.session, { onRequest: signedIn }, ({ found }) => userOf(found.account))

  app.delete(paths.session, async (request, reply) => {
    await sessions.endToken(tokenOf(request))
    clearToken(request, reply)
    return reply.code(204).send()
  })
}
