import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import {
  credentialsSchema,
  type IdentityPolicy,
  identityPolicySchema,
  newAccountSchema,
  passwordChangeSchema,
  sessionInfoSchema,
  signedInSchema,
  userSchema,
} from '../../contract/accounts.ts'
import { arrayOf, objectOf, textSchema } from '../../contract/json-schema.ts'
import { paths } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import type { Api } from '../http/validation.ts'
import { renewHash, requireStrongPassword, toUser, verifyCredentials } from './accounts.ts'
import { type ColleagueRouteOptions, colleagueRoutes } from './colleague-routes.ts'
import { requireOwnPassword, wrongPasswordError } from './confirmation/own-password.ts'
import { confirmationRoutes } from './confirmation/routes.ts'
import { type LinkRouteOptions, madeLinkRoutes, openedLinkRoutes } from './links/routes.ts'
import { ownPasskeyRoutes, type PasskeyRouteOptions, passkeySignInRoutes } from './passkeys/routes.ts'
import { clearSessionCookie, protectRoutes, readSessionToken } from './require-session.ts'
import { answerSignIn, setSessionCookie } from './sign-in.ts'
import { createAccount } from './sign-up.ts'
import { chooseNext } from './sso/ask.ts'
import { allowSsoOnly } from './sso/only.ts'
import { ssoSignInRoutes } from './sso/routes.ts'

export interface AuthRouteOptions extends ColleagueRouteOptions, LinkRouteOptions, PasskeyRouteOptions {
  requireSession: onRequestHookHandler
}

/** Two texts of 1,000 characters, all of them escaped, have 12 KB. */
const maxBodyBytes = 16 * 1024

/** Routes of accounts and sessions. `app` must have no other routes. */
export function authRoutes(app: Api, options: AuthRouteOptions): void {
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= maxBodyBytes
  })
  const { sso } = options
  if (sso?.settings.isOnly) allowSsoOnly(app)
  for (const addRoutes of [strangerRoutes, passkeySignInRoutes, openedLinkRoutes]) addRoutes(app, options)
  if (sso) ssoSignInRoutes(app, { ...options, sso })
  app.register(async (scope) => {
    protectRoutes(scope, options.requireSession)
    for (const addRoutes of [sessionRoutes, passwordRoute, colleagueRoutes, ownPasskeyRoutes, madeLinkRoutes])
      addRoutes(scope, options)
    if (sso) confirmationRoutes(scope, { ...options, sso })
  })
}

const policySchema = { summary: 'Who may sign up', response: { 200: identityPolicySchema } }
const signUpSchema = { summary: 'Sign up', body: newAccountSchema, response: { 201: userSchema } }
const signInSchema = { summary: 'Sign in', body: credentialsSchema, response: { 200: signedInSchema } }

function strangerRoutes(app: Api, options: AuthRouteOptions): void {
  const { sessions, signUp, sso, throttle } = options

  app.get(paths.policy, { schema: policySchema }, (): IdentityPolicy => {
    if (!sso) return { signUp }
    const { name, isOnly } = sso.settings
    return { signUp, sso: { name, ...(isOnly ? { only: true } : {}) } }
  })

  app.post(paths.accounts, { schema: signUpSchema }, async (request, reply) => {
    throttle.trySignUp(request.ip)
    const user = await createAccount(options, signUp, request.body)
    request.log.info({ uid: user.uid }, 'account created')
    return reply.code(201).send(user)
  })

  app.post(paths.session, { schema: signInSchema }, async (request, reply) => {
    const { body, headers, ip } = request
    const { account, addressHash, isRight, isRemoved } = await verifyCredentials(options, ip, body)
    let token: string | undefined
    if (isRight && account && !isRemoved) {
      const renewed = await renewHash(options, account, body.password)
      token = await sessions.create(renewed, addressHash, headers['user-agent'])
    }
    return answerSignIn(options, request, reply, { account, isRemoved, token })
  })

  app.delete(paths.session, { schema: { summary: 'Sign out' } }, async (request, reply) => {
    await sessions.endToken(readSessionToken(request))
    endHere(options, request, reply)
    return reply.code(204).send()
  })
}

function endHere({ sso }: AuthRouteOptions, request: FastifyRequest, reply: FastifyReply): void {
  clearSessionCookie(request, reply)
  // Otherwise whoever comes next would be in by one click, as the same person.
  if (sso) chooseNext(request, reply)
}

const passwordSchema = { summary: 'Change the password of this account', body: passwordChangeSchema }

function passwordRoute(app: Api, options: AuthRouteOptions): void {
  const { accounts, hasher, sessions } = options

  app.put(paths.password, { schema: passwordSchema }, async (request, reply) => {
    const { password, newPassword } = request.body
    const { account, addressHash } = await requireOwnPassword(options, request, password)
    const { uid, email, passwordHash: expectedHash } = account
    await requireStrongPassword(hasher, email, newPassword, 'newPassword')
    const passwordHash = await hasher.hash(newPassword)
    const { token, session } = sessions.issue(uid, request.headers['user-agent'])
    const newSession = { session, addressHash }
    const ended = await accounts.replacePassword({ uid, passwordHash, expectedHash, newSession })
    if (!ended) throw wrongPasswordError
    request.log.info({ uid }, 'password changed')
    sessions.handleEnded(ended)
    setSessionCookie(sessions, request, reply, token)
    return reply.code(204).send()
  })
}

const userSessionSchema = { summary: 'Account of the session', response: { 200: userSchema } }
const listSchema = {
  summary: 'List the sessions of this account',
  response: { 200: objectOf({ sessions: arrayOf(sessionInfoSchema) }) },
}
const endAllSchema = {
  summary: 'End the sessions of this account',
  querystring: objectOf({}, { except: { const: 'current' } }),
} as const
const endSchema = { summary: 'End a session of this account', params: objectOf({ id: textSchema }) }

function sessionRoutes(app: Api, options: AuthRouteOptions): void {
  const { sessions } = options
  app.get(paths.session, { schema: userSessionSchema }, ({ session }) => toUser(session.account))

  app.get(paths.sessions, { schema: listSchema }, async ({ session }) => ({
    sessions: await sessions.listFor(session.session),
  }))

  app.delete(paths.sessions, { schema: endAllSchema }, async (request, reply) => {
    const { session } = request.session
    const { uid } = session
    if (request.query.except) {
      await sessions.endOthers(session)
      request.log.info({ uid }, 'other sessions ended')
    } else {
      await sessions.endAll(uid)
      request.log.info({ uid }, 'all sessions ended')
      endHere(options, request, reply)
    }
    return reply.code(204).send()
  })

  app.delete(`${paths.sessions}/:id`, { schema: endSchema }, async (request, reply) => {
    const { uid, hash } = request.session.session
    const endedHash = await sessions.endById(uid, request.params.id)
    if (endedHash === undefined)
      throw new AppError('not-found', { message: 'This session no longer exists.' })
    request.log.info({ uid }, 'session ended')
    if (endedHash === hash) endHere(options, request, reply)
    return reply.code(204).send()
  })
}
