import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import {
  type Colleague,
  type Credentials,
  colleagueSchema,
  credentialsSchema,
  type IdentityPolicy,
  identityPolicySchema,
  maxEmailLength,
  newAccountSchema,
  passwordChangeSchema,
  type SessionInfo,
  type SignUpPolicy,
  sessionInfoSchema,
  toEmailKey,
  userSchema,
} from '../../contract/accounts.ts'
import { paths } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { listOf, noContent } from '../http/openapi.ts'
import type { JsonSchemaTypes } from '../http/validation.ts'
import type { HistoryStorage, Person } from '../storage/history.ts'
import {
  type AccountDependencies,
  changePassword,
  checkCredentials,
  createAccount,
  renewHash,
  toUser,
} from './accounts.ts'
import { handoverRoutes } from './links/handovers.ts'
import type { Links } from './links/links.ts'
import {
  type InvitationRouteOptions,
  invitationRoutes,
  type PasswordResetRouteOptions,
  passwordResetRoutes,
} from './links/routes.ts'
import { clearSessionCookie, readSessionToken, setSessionCookie } from './require-session.ts'
import { type Sessions, sessionLimits } from './sessions.ts'
import type { Throttle } from './throttle.ts'

export interface AuthRouteOptions extends InvitationRouteOptions, PasswordResetRouteOptions {
  history: Pick<HistoryStorage, 'listPeople'>
}

const endSessionSchema = { summary: 'End one own session', response: { 204: noContent } }
const sessionPath = `${paths.sessions}/:id`
const sessionNotFoundError = new AppError('not-found', { message: 'This session no longer exists.' })

const cookieMaxAgeSeconds = sessionLimits.absoluteTtlMs / 1000

/** Two texts of 1,000 characters, all of them escaped, have 12 KB. */
const maxBodyBytes = 16 * 1024

/** Routes of accounts and sessions. `app` must have no other routes. */
export function authRoutes(app: FastifyInstance, options: AuthRouteOptions): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= maxBodyBytes
  })
  signUpRoute(app, options)
  sessionRoutes(app, options)
  colleaguesRoute(app, options)
  passwordRoute(app, options)
  allSessionsRoutes(app, options)
  invitationRoutes(app, options)
  handoverRoutes(app, options)
  passwordResetRoutes(app, options)
}

/** Creates accounts, and tells anyone who may. */
function signUpRoute(
  app: FastifyInstance,
  options: AccountDependencies & { links: Links; throttle: Throttle; signUp: SignUpPolicy },
): void {
  const policySchema = { summary: 'Who may sign up', response: { 200: identityPolicySchema } }
  app.get(paths.policy, { schema: policySchema }, (): IdentityPolicy => ({ signUp: options.signUp }))

  const schema = { summary: 'Sign up', body: newAccountSchema, response: { 201: userSchema } }
  app.withTypeProvider<JsonSchemaTypes>().post(paths.accounts, { schema }, async (request, reply) => {
    options.throttle.trySignUp(request.ip)
    const user = await createAccount(options, options.signUp, request.body)
    request.log.info({ uid: user.uid }, 'account created')
    return reply.code(201).send(user)
  })
}

/** Everyone who can or could read the records, for everyone who can. */
function colleaguesRoute(
  app: FastifyInstance,
  { accounts, history, requireSession }: Pick<AuthRouteOptions, 'accounts' | 'history' | 'requireSession'>,
): void {
  const schema = { summary: 'List accounts', response: { 200: listOf('accounts', colleagueSchema) } }
  app.get(
    paths.accounts,
    { schema, onRequest: requireSession },
    async (): Promise<{ accounts: Colleague[] }> => {
      const [people, lastSeen] = await Promise.all([history.listPeople(), accounts.listLastSeen()])
      const emails = new Map(people.map(({ uid, email }) => [uid, email]))
      return { accounts: people.map((person) => toColleague(person, lastSeen, emails)) }
    },
  )
}

function toColleague(person: Person, lastSeen: Map<string, number>, emails: Map<string, string>): Colleague {
  const { uid, email, createdAt, removedAt } = person
  const [at, by] = [lastSeen.get(uid), emails.get(person.invitedBy ?? '')]
  const invitation = { anyEmail: person.invitedFor === null, ...(by === undefined ? {} : { by }) }
  return {
    id: uid,
    email,
    createdAt,
    ...(at === undefined ? {} : { lastSeenAt: toIso(at) }),
    ...(removedAt === null ? {} : { removedAt: toIso(removedAt) }),
    ...(person.invitation === null ? {} : { invitation }),
  }
}

const toIso = (time: number) => new Date(time).toISOString()

interface SignInOptions extends AccountDependencies {
  sessions: Sessions
  throttle: Throttle
  requireSession: onRequestHookHandler
}

/** Sign in, sign out, and the user of the current session. */
function sessionRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { sessions, requireSession } = options
  const schema = { summary: 'Sign in', body: credentialsSchema, response: { 200: userSchema } }

  app.withTypeProvider<JsonSchemaTypes>().post(paths.session, { schema }, async (request, reply) => {
    const userAgent = request.headers['user-agent']
    const { isRight, account, addressHash } = await verifyCredentials(options, request.ip, request.body)
    const token = isRight
      ? await sessions.create(
          await renewHash(options, account, request.body.password),
          addressHash,
          userAgent,
        )
      : undefined
    if (!account || !token) {
      request.log.info({ ip: request.ip, uid: account?.uid }, 'sign-in refused')
      throw new AppError('invalid-credentials')
    }
    await sessions.endToken(readSessionToken(request))
    setSessionCookie(request, reply, token, cookieMaxAgeSeconds)
    request.log.info({ uid: account.uid }, 'signed in')
    return toUser(account)
  })

  const userOptions = {
    schema: { summary: 'Account of the session', response: { 200: userSchema } },
    onRequest: requireSession,
  }
  app.get(paths.session, userOptions, ({ session }) => toUser(session.account))

  const signOutSchema = { summary: 'Sign out', response: { 204: noContent } }
  app.delete(paths.session, { schema: signOutSchema }, async (request, reply) => {
    await sessions.endToken(readSessionToken(request))
    clearSessionCookie(request, reply)
    return reply.code(204).send()
  })
}

function passwordRoute(app: FastifyInstance, options: SignInOptions): void {
  const { sessions, requireSession } = options
  const schema = {
    summary: 'Change the own password',
    body: passwordChangeSchema,
    response: { 204: noContent },
  }
  const routeOptions = { schema, onRequest: requireSession }

  app.withTypeProvider<JsonSchemaTypes>().put(paths.password, routeOptions, async (request, reply) => {
    const { password, newPassword } = request.body
    // Reads the account again because the one of the session may be cached.
    const credentials = { email: request.session.account.email, password }
    const { isRight, account, addressHash } = await verifyCredentials(options, request.ip, credentials)
    const { token, session } = sessions.issue(request.session.account.uid, request.headers['user-agent'])
    const ended = isRight
      ? await changePassword(options, account, newPassword, { session, addressHash })
      : undefined
    if (!ended) {
      request.log.info({ ip: request.ip, uid: account?.uid }, 'password change refused')
      throw new AppError('invalid-credentials', {
        field: 'password',
        message: 'That isn’t your current password.',
      })
    }
    request.log.info({ uid: session.uid }, 'password changed')
    sessions.handleEnded(ended)
    setSessionCookie(request, reply, token, cookieMaxAgeSeconds)
    return reply.code(204).send()
  })
}

const listSessionsSchema = {
  summary: 'List own sessions',
  response: { 200: listOf('sessions', sessionInfoSchema) },
}
const endSessionsSchema = {
  summary: 'End own sessions',
  response: { 204: noContent },
  querystring: { type: 'object', additionalProperties: false, properties: { except: { const: 'current' } } },
} as const

function allSessionsRoutes(
  app: FastifyInstance,
  { sessions, requireSession }: Pick<SignInOptions, 'sessions' | 'requireSession'>,
): void {
  const routes = app.withTypeProvider<JsonSchemaTypes>()
  const onRequest = requireSession

  const listOptions = { schema: listSessionsSchema, onRequest }
  app.get(paths.sessions, listOptions, async ({ session }): Promise<{ sessions: SessionInfo[] }> => {
    return { sessions: await sessions.listFor(session.session) }
  })

  routes.delete(paths.sessions, { schema: endSessionsSchema, onRequest }, async (request, reply) => {
    const { session } = request.session
    const { uid } = session
    if (request.query.except) {
      await sessions.endOthers(session)
      request.log.info({ uid }, 'other sessions ended')
    } else {
      await sessions.endAll(uid)
      request.log.info({ uid }, 'all sessions ended')
      clearSessionCookie(request, reply)
    }
    return reply.code(204).send()
  })

  const endOptions = { schema: endSessionSchema, onRequest }
  app.delete<{ Params: { id: string } }>(sessionPath, endOptions, async (request, reply) => {
    const { uid, hash } = request.session.session
    const endedHash = await sessions.endById(uid, request.params.id)
    if (endedHash === undefined) throw sessionNotFoundError
    request.log.info({ uid }, 'session ended')
    if (endedHash === hash) clearSessionCookie(request, reply)
    return reply.code(204).send()
  })
}

/** Checks the credentials under the throttle. Only wrong passwords, and for the address busy responses, count. */
function verifyCredentials(
  options: AccountDependencies & { throttle: Throttle },
  ip: string,
  credentials: Credentials,
) {
  // No account has such an email.
  if (credentials.email.trim().length > maxEmailLength) throw new AppError('invalid-credentials')
  const { throttle } = options
  const emailKey = toEmailKey(credentials.email)
  return throttle.inTurn(ip, emailKey, async () => {
    const attempt = await throttle.trySignIn(ip, emailKey)
    try {
      const result = await checkCredentials(options, credentials)
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
