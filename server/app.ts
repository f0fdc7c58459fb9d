import { type FastifyInstance, fastify } from 'fastify'
import { createPasswordHasher, type HashCost } from './auth/password-hash.ts'
import { createPasswordPool } from './auth/password-pool.ts'
import { signedInWith } from './auth/require-session.ts'
import { identityRoutes } from './auth/routes.ts'
import { watchSessions } from './auth/session-sweeper.ts'
import { createSessions } from './auth/sessions.ts'
import type { SignUp } from './auth/sign-up.ts'
import { createThrottle, type ThrottleLimits } from './auth/throttle.ts'
import { ownSiteAlone } from './http/cross-site.ts'
import { answerBadHttp, answerRefusal, installErrorTable, refusalOf } from './http/error-handler.ts'
import { createEventStreams, type StreamOptions } from './http/event-streams.ts'
import {
  type ConnectionLimits,
  installConnectionLimits,
  patience,
  requestLimits,
  usualLimits,
} from './http/limits.ts'
import { localHostsAlone } from './http/local-hosts.ts'
import { hearExpectations, preconditionsMet } from './http/preconditions.ts'
import { installAdmission } from './http/request-guards.ts'
import { installHeaders, setDataHeaders } from './http/security-headers.ts'
import type { UnreadLimits } from './http/slow-readers.ts'
import { installPage } from './http/static-files.ts'
import { installTimeLimits } from './http/time-limits.ts'
import { ajvOptions } from './http/validation.ts'
import { type Log, silence } from './process/logger.ts'
import { batchRoute } from './records/batch-route.ts'
import { changeRoutes } from './records/events-route.ts'
import { loadRegister } from './records/live-list.ts'
import { bookRoutes } from './records/routes.ts'
import type { Storage } from './storage/storage.ts'

export interface AppParts {
  storage: Storage
  signUp: SignUp
  /** Addresses of proxies whose X-Forwarded-* headers are believed; none where it is false. */
  trustProxy?: string[] | false
  /** Answers to this machine's own names alone: where nobody else is meant to reach it. */
  localOnly?: boolean
  /** The folder of the built page; without one, only the API is served. */
  page?: string
  log?: Log
  hashCost?: HashCost
  throttleLimits?: ThrottleLimits
  streams?: StreamOptions
  connectionLimits?: Partial<ConnectionLimits>
  unreadLimits?: UnreadLimits
  now?: () => number
}

/** The whole service, ready to listen. `close` ends its streams and finishes its requests; the storage stays open. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { storage, signUp, log = silence } = parts
  const limits = { ...usualLimits, ...parts.connectionLimits }
  const app = fastify({
    trustProxy: parts.trustProxy ?? false,
    ...requestLimits,
    http: { connectionsCheckingInterval: limits.lookEvery, requireHostHeader: false },
    ajv: { customOptions: ajvOptions },
    // No hook has run where these arise.
    frameworkErrors(error, request, reply) {
      setDataHeaders(request, reply)
      answerRefusal(reply, refusalOf(error))
    },
    clientErrorHandler: answerBadHttp,
    forceCloseConnections: 'idle',
    // What comes while the server stops, on a connection that is open, is still served.
    return503OnClosing: false,
  })
  installConnectionLimits(app, limits)
  installTimeLimits(app, limits.arrival)
  const register = await loadRegister(storage.books)
  const passwordPool = createPasswordPool()
  const streams = createEventStreams(parts.streams)
  const sessions = createSessions({ storage: storage.sessions, ...(parts.now ? { now: parts.now } : {}) })
  const stopWatching = watchSessions(sessions, streams, (error) => {
    log.error({ err: error }, 'sessions cannot be looked at')
  })

  app.removeContentTypeParser('text/plain')
  installErrorTable(app, log)
  installHeaders(app)
  hearExpectations(app)
  installAdmission(app, [preconditionsMet, ...(parts.localOnly ? [localHostsAlone] : []), ownSiteAlone])
  const signedIn = signedInWith(sessions)
  app.decorateRequest('found')
  identityRoutes(app, {
    accounts: storage.accounts,
    pool: passwordPool,
    hasher: createPasswordHasher(passwordPool, parts.hashCost),
    sessions,
    signedIn,
    throttle: createThrottle({ storage: storage.sessions, limits: parts.throttleLimits }),
    signUp,
    log,
  })
  app.register(async (collections) => {
    collections.addHook('onRequest', signedIn)
    bookRoutes(collections, storage.books, register, parts.unreadLimits)
    batchRoute(collections, storage.books)
    changeRoutes(collections, register, streams)
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await storage.ping()
    return { status: 'ok' }
  })
  installPage(app, parts.page)

  app.addHook('preClose', async () => {
    stopWatching()
    streams.close()
    // Who sends the rest of a request slowly, or has dialled and said nothing, is not waited for.
    setTimeout(() => app.server.closeAllConnections(), patience).unref()
  })
  app.addHook('onClose', async () => {
    await passwordPool.close()
  })
  return app
}
