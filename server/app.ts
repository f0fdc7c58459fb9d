import { type FastifyInstance, fastify } from 'fastify'
import { createPasswordHasher, type HashCost } from './auth/password-hash.ts'
import { createPasswordPool } from './auth/password-pool.ts'
import { createRequireSession } from './auth/require-session.ts'
import { authRoutes } from './auth/routes.ts'
import { startSessionSweeper } from './auth/session-sweeper.ts'
import { createSessions } from './auth/sessions.ts'
import type { SignUpPolicy } from './auth/sign-up.ts'
import { createThrottle, type ThrottleLimits } from './auth/throttle.ts'
import { requireSameSite } from './http/cross-site.ts'
import { handleClientError, installErrorHandler, sendError, toAppError } from './http/error-handler.ts'
import { createEventStreams, type StreamOptions } from './http/event-streams.ts'
import {
  type ConnectionLimits,
  defaultConnectionLimits,
  installConnectionLimits,
  requestLimits,
  shutdownGracePeriodMs,
} from './http/limits.ts'
import { requireLocalHost } from './http/local-hosts.ts'
import { forwardExpectations, requirePreconditions } from './http/preconditions.ts'
import { installRequestGuards } from './http/request-guards.ts'
import { installSecurityHeaders, setApiHeaders } from './http/security-headers.ts'
import type { SlowReaderLimits } from './http/slow-readers.ts'
import { installStaticFiles } from './http/static-files.ts'
import { installRequestTimeouts } from './http/time-limits.ts'
import { ajvOptions } from './http/validation.ts'
import { type Logger, silentLogger } from './process/logger.ts'
import { batchRoute } from './records/batch-route.ts'
import { eventsRoute } from './records/events-route.ts'
import { createLiveList } from './records/live-list.ts'
import { employeeRoutes } from './records/routes.ts'
import type { Storage } from './storage/storage.ts'

export interface AppOptions {
  storage: Storage
  signUp: SignUpPolicy
  /** Addresses of proxies whose X-Forwarded-* headers are believed; none where it is false. */
  trustProxy?: string[] | false
  /** Answers to this machine's own names alone: where nobody else is meant to reach it. */
  localOnly?: boolean
  /** The folder of the built page; without one, only the API is served. */
  pageDir?: string
  log?: Logger
  hashCost?: HashCost
  throttleLimits?: ThrottleLimits
  streamOptions?: StreamOptions
  connectionLimits?: Partial<ConnectionLimits>
  slowReaderLimits?: SlowReaderLimits
  now?: () => number
}

/** The whole service, ready to listen. `close` ends its streams and finishes its requests; the storage stays open. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { storage, signUp, log = silentLogger } = options
  const connectionLimits = { ...defaultConnectionLimits, ...options.connectionLimits }
  const app = fastify({
    trustProxy: options.trustProxy ?? false,
    ...requestLimits,
    http: { connectionsCheckingInterval: connectionLimits.checkIntervalMs, requireHostHeader: false },
    ajv: { customOptions: ajvOptions },
    // No hook has run where these arise.
    frameworkErrors(error, request, reply) {
      setApiHeaders(request, reply)
      sendError(reply, toAppError(error))
    },
    clientErrorHandler: handleClientError,
    forceCloseConnections: 'idle',
    // What comes while the server stops, on a connection that is open, is still served.
    return503OnClosing: false,
  })
  installConnectionLimits(app, connectionLimits)
  installRequestTimeouts(app, connectionLimits.requestTimeoutMs)
  const liveList = await createLiveList(storage.employees)
  const passwordPool = createPasswordPool()
  const streams = createEventStreams(options.streamOptions)
  const sessions = createSessions({ storage: storage.sessions, ...(options.now ? { now: options.now } : {}) })
  const stopSessionSweeper = startSessionSweeper(sessions, streams, (error) => {
    log.error({ err: error }, 'sessions cannot be looked at')
  })

  app.removeContentTypeParser('text/plain')
  installErrorHandler(app, log)
  installSecurityHeaders(app)
  forwardExpectations(app)
  installRequestGuards(app, [
    requirePreconditions,
    ...(options.localOnly ? [requireLocalHost] : []),
    requireSameSite,
  ])
  const requireSession = createRequireSession(sessions)
  app.decorateRequest('session')
  authRoutes(app, {
    accounts: storage.accounts,
    pool: passwordPool,
    hasher: createPasswordHasher(passwordPool, options.hashCost),
    sessions,
    requireSession,
    throttle: createThrottle({ storage: storage.sessions, limits: options.throttleLimits }),
    signUp,
    log,
  })
  app.register(async (collections) => {
    collections.addHook('onRequest', requireSession)
    employeeRoutes(collections, storage.employees, liveList, options.slowReaderLimits)
    batchRoute(collections, storage.employees)
    eventsRoute(collections, liveList, streams)
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await storage.ping()
    return { status: 'ok' }
  })
  installStaticFiles(app, options.pageDir)

  app.addHook('preClose', async () => {
    stopSessionSweeper()
    streams.close()
    // Who sends the rest of a request slowly, or has dialled and said nothing, is not waited for.
    setTimeout(() => app.server.closeAllConnections(), shutdownGracePeriodMs).unref()
  })
  app.addHook('onClose', async () => {
    await passwordPool.close()
  })
  return app
}
