import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import {
  type Credentials,
  credentialsSchema,
  type PasswordChange,
  passwordChangeSchema,
  type SessionInfo,
} from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
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

  /** The account of these credentials. A guess, unless the password was right or nobody has looked at it. */
  async function accountOf(ip: string, credentials: Credentials) {
    const guess = throttle.trySignIn(ip, emailKeyOf(credentials.email))
    try {
      const account = await checkCredentials(parts, credentials)
      if (account) guess.wasRight()
      return account
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
    const account = await accountOf(request.ip, request.body)
    const token = account && (await sessions.begin(account))
    if (!token) {
      log.info({ ip: request.ip }, 'sign-in refused')
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
      const account = await accountOf(request.ip, { email: request.found.account.email, password })
      if (!account || !(await changePassword(parts, account, newPassword))) {
        throw new Refusal('invalid-credentials', { field: 'password', message: 'The password is wrong.' })
      }
      await sessions.endAll(account.uid, request.found.session.hash)
      log.info({ uid: account.uid }, 'password changed')
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
