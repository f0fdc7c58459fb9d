import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type Credentials,
  credentialsSchema,
  type PasswordChange,
  passwordChangeSchema,
  type SessionInfo,
} from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { Refusal } from '../http/refusal.ts'
import type { Found } from '../storage/port.ts'
import { type AccountParts, changePassword, checkCredentials, createAccount, userOf } from './accounts.ts'
import { clearToken, setToken, tokenOf } from './cookie.ts'
import { emailKeyOf } from './email.ts'
import { defaultSessionLimits, type Sessions } from './sessions.ts'
import type { SignUp } from './sign-up.ts'
import type { Throttle } from './throttle.ts'

export interface IdentityParts extends AccountParts {
  sessions: Sessions
  throttle: Throttle
  signUp: SignUp
}

const schema = { body: credentialsSchema }

export function identityRoutes(app: FastifyInstance, parts: IdentityParts): void {
  const { sessions, throttle, signUp } = parts

  app.post<{ Body: Credentials }>(paths.accounts, { schema }, async (request, reply) => {
    throttle.signUp(request.ip)
    const user = await createAccount(parts, signUp, request.body)
    request.log.info({ uid: user.uid }, 'account created')
    return reply.code(201).send(user)
  })

  app.post<{ Body: Credentials }>(paths.session, { schema }, async (request, reply) => {
    const emailKey = emailKeyOf(request.body.email)
    throttle.trySignIn(request.ip, emailKey)
    const account = await checkCredentials(parts, request.body)
    if (!account) {
      request.log.info({ ip: request.ip }, 'sign-in refused')
      throw new Refusal('invalid-credentials')
    }
    throttle.signedIn(request.ip, emailKey)
    const token = await sessions.begin(account)
    await sessions.endToken(tokenOf(request))
    setToken(request, reply, token, defaultSessionLimits.absolute / 1000)
    request.log.info({ uid: account.uid }, 'signed in')
    return userOf(account)
  })

  app.get(paths.sessions, async (request): Promise<{ sessions: SessionInfo[] }> => {
    const { session } = await requireSession(sessions, request)
    return { sessions: await sessions.listFor(session) }
  })

  app.delete(paths.sessions, async (request, reply) => {
    const { account } = await requireSession(sessions, request)
    await sessions.endAll(account.uid)
    request.log.info({ uid: account.uid }, 'all sessions ended')
    clearToken(request, reply)
    return reply.code(204).send()
  })

  app.put<{ Body: PasswordChange }>(
    paths.password,
    { schema: { body: passwordChangeSchema } },
    async (request, reply) => {
      const { account, session } = await requireSession(sessions, request)
      throttle.trySignIn(request.ip, account.emailKey)
      await changePassword(parts, account, request.body)
      throttle.signedIn(request.ip, account.emailKey)
      await sessions.endAll(account.uid, session.hash)
      request.log.info({ uid: account.uid }, 'password changed')
      return reply.code(204).send()
    },
  )

  app.get(paths.session, async (request) => userOf((await requireSession(sessions, request)).account))

  app.delete(paths.session, async (request, reply) => {
    await sessions.endToken(tokenOf(request))
    clearToken(request, reply)
    return reply.code(204).send()
  })
}

/** The live session that a request carries; refuses with `not-signed-in` where it carries none. */
export async function requireSession(sessions: Sessions, request: FastifyRequest): Promise<Found> {
  const found = await sessions.find(tokenOf(request))
  if (!found) throw new Refusal('not-signed-in')
  return found
}
