import {
  credentialsSchema,
  type IdentityPolicy,
  identityPolicySchema,
  newAccountSchema,
  passwordChangeSchema,
  type SessionInfo,
  sessionInfoSchema,
  signedInSchema,
  userSchema,
} from '../../contract/accounts.ts'
import { arrayOf, objectOf } from '../../contract/json-schema.ts'
import { paths } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { noContent } from '../http/openapi.ts'
import type { Api } from '../http/validation.ts'
import {
  type AuthRouteOptions,
  changePassword,
  createAccount,
  renewHash,
  toUser,
  verifyCredentials,
} from './accounts.ts'
import { colleagueRoutes, requireOwnPassword, wrongPasswordError } from './colleague-routes.ts'
import { handoverRoutes } from './links/handovers.ts'
import { invitationRoutes, passwordResetRoutes } from './links/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { clearSessionCookie, readSessionToken } from './require-session.ts'
import { answerSignIn, setSessionCookie } from './sign-in.ts'

const endSessionSchema = { summary: 'End a session of this account', response: { 204: noContent } }
const sessionPath = `${paths.sessions}/:id`
const sessionNotFoundError = new AppError('not-found', { message: 'This session no longer exists.' })

/** Two texts of 1,000 characters, all of them escaped, have 12 KB. */
const maxBodyBytes = 16 * 1024

/** Routes of accounts and sessions. `app` must have no other routes. */
export function authRoutes(app: Api, options: AuthRouteOptions): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= maxBodyBytes
    if (route.onRequest) route.preHandler ??= options.requireSession
  })
  signUpRoute(app, options)
  sessionRoutes(app, options)
  colleagueRoutes(app, options)
  passwordRoute(app, options)
  passkeyRoutes(app, options)
  allSessionsRoutes(app, options)
  invitationRoutes(app, options)
  handoverRoutes(app, options)
  passwordResetRoutes(app, options)
}

/** Creates accounts, and tells anyone who may. */
function signUpRoute(app: Api, options: AuthRouteOptions): void {
  const policySchema = { summary: 'Who may sign up', response: { 200: identityPolicySchema } }
  app.get(paths.policy, { schema: policySchema }, (): IdentityPolicy => ({ signUp: options.signUp }))

  const schema = { summary: 'Sign up', body: newAccountSchema, response: { 201: userSchema } }
  app.post(paths.accounts, { schema }, async (request, reply) => {
    options.throttle.trySignUp(request.ip)
    const user = await createAccount(options, options.signUp, request.body)
    request.log.info({ uid: user.uid }, 'account created')
    return reply.code(201).send(user)
  })
}

/** Sign in, sign out, and the user of the current session. */
function sessionRoutes(app: Api, options: AuthRouteOptions): void {
  const { sessions, requireSession } = options
  const schema = { summary: 'Sign in', body: credentialsSchema, response: { 200: signedInSchema } }

  app.post(paths.session, { schema }, async (request, reply) => {
    const checked = await verifyCredentials(options, request.ip, request.body)
    const { account, addressHash } = checked
    const isRemoved = checked.isRight && checked.isRemoved
    const token =
      checked.isRight && !isRemoved
        ? await sessions.create(
            await renewHash(options, checked.account, request.body.password),
            addressHash,
            request.headers['user-agent'],
          )
        : undefined
    return answerSignIn(options, request, reply, { account, isRemoved, token })
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

function passwordRoute(app: Api, options: AuthRouteOptions): void {
  const { sessions, requireSession } = options
  const schema = {
    summary: 'Change the password of this account',
    body: passwordChangeSchema,
    response: { 204: noContent },
  }
  const routeOptions = { schema, onRequest: requireSession }

  app.put(paths.password, routeOptions, async (request, reply) => {
    const { password, newPassword } = request.body
    const { account, addressHash } = await requireOwnPassword(options, request, password)
    const { token, session } = sessions.issue(request.session.account.uid, request.headers['user-agent'])
    const ended = await changePassword(options, account, newPassword, { session, addressHash })
    if (!ended) throw wrongPasswordError
    request.log.info({ uid: session.uid }, 'password changed')
    sessions.handleEnded(ended)
    setSessionCookie(request, reply, token)
    return reply.code(204).send()
  })
}

const listSessionsSchema = {
  summary: 'List the sessions of this account',
  response: { 200: objectOf({ sessions: arrayOf(sessionInfoSchema) }) },
}
const endSessionsSchema = {
  summary: 'End the sessions of this account',
  response: { 204: noContent },
  querystring: objectOf({}, { except: { const: 'current' } }),
} as const

function allSessionsRoutes(app: Api, { sessions, requireSession: onRequest }: AuthRouteOptions): void {
  const listOptions = { schema: listSessionsSchema, onRequest }
  app.get(paths.sessions, listOptions, async ({ session }): Promise<{ sessions: SessionInfo[] }> => {
    return { sessions: await sessions.listFor(session.session) }
  })

  app.delete(paths.sessions, { schema: endSessionsSchema, onRequest }, async (request, reply) => {
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
