import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { accountHeader } from '../../contract/protocol.ts'
import { AppError } from '../app-error.ts'
import { isHttps } from '../http/origin.ts'
import type { AuthenticatedSession, SessionStorage } from '../storage/storage.ts'
import { hashToken, type Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** See `readCookieSuffix`. */
    cookieSuffix: string
  }
  interface FastifyRequest {
    /** The live session of the request, in routes that require one. */
    session: AuthenticatedSession
    /** When `session` was found, as `performance.now()`. */
    sessionFoundAt: number
  }
}

/** A body that takes longer may have been kept back until its session has ended. */
const sessionFoundForMs = 250

/**
 * Sets `request.session`, or rejects the request with `not-signed-in`, before its body is read; and again before its handler, if
 * the body has taken long.
 */
export function createRequireSession(sessions: Sessions): onRequestHookHandler {
  return (request, _reply, done) => {
    if (request.session && performance.now() - request.sessionFoundAt < sessionFoundForMs) return done()
    const token = readSessionToken(request)
    const acceptSession = (session: AuthenticatedSession | undefined) => {
      const { [accountHeader]: uid } = request.headers
      if (!session || (uid !== undefined && uid !== encodeURIComponent(session.account.uid)))
        return done(new AppError('not-signed-in'))
      request.session = session
      request.sessionFoundAt = performance.now()
      done()
    }
    // Most sessions are cached, and awaiting a promise would cost more than the lookup.
    const cached = sessions.findCached(token)
    if (cached) acceptSession(cached)
    else sessions.find(token).then(acceptSession, done)
  }
}

/**
 * Makes all routes that are added to `scope` require a session, also when they respond with something that may have changed
 * meanwhile. They can't have `onRequest` hooks of their own.
 */
export function protectRoutes(scope: FastifyInstance, requireSession: onRequestHookHandler): void {
  scope.addHook('onRoute', (route) => {
    route.onRequest = requireSession
    route.preHandler = [requireSession, route.preHandler ?? []].flat()
  })
  scope.addHook('preSerialization', (request, reply, payload, done) => {
    if (reply.statusCode === 200)
      requireSession.call(scope, request, reply, (error?: unknown) => done(error as null, payload))
    else done(null, payload)
  })
}

/**
 * Returns what the names of a register's cookies end with, because browsers send cookies to all ports of a host. All servers of its
 * database return the same.
 */
export async function readCookieSuffix(storage: Pick<SessionStorage, 'readRegisterKey'>): Promise<string> {
  return hashToken(`cookies ${await storage.readRegisterKey()}`).slice(0, 8)
}

/** `__Host-` requires Secure, and Safari rejects Secure cookies on http://localhost. */
const earlierNameOf = (request: FastifyRequest, name: CookieName) =>
  isHttps(request) ? (`__Host-${name}` as const) : name

const cookieNameOf = (request: FastifyRequest, name: CookieName) =>
  `${earlierNameOf(request, name)}-${request.server.cookieSuffix}`

type CookieName = 'session' | 'passkey' | 'sso' | 'choose' | 'confirmed'

export function readCookie(request: FastifyRequest, name: CookieName): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return
  const cookies = parseCookie(cookie)
  return cookies[cookieNameOf(request, name)] ?? cookies[earlierNameOf(request, name)]
}

export const readSessionToken = (request: FastifyRequest) => readCookie(request, 'session')

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: CookieName,
  value: string,
  maxAgeSeconds: number,
): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: cookieNameOf(request, name),
      value,
      maxAge: maxAgeSeconds,
      httpOnly: true,
      sameSite: 'strict',
      path: '/',
      secure: isHttps(request),
    }),
  )
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, 'session', '', 0)
}
