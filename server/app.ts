import { type FastifyInstance, fastify } from 'fastify'
import { batchRoute } from './books/batch.ts'
import { changeRoutes } from './books/changes.ts'
import { loadRegister } from './books/register.ts'
import { bookRoutes } from './books/routes.ts'
import { installAdmission } from './http/admission.ts'
import { ownSiteAlone } from './http/cross-site.ts'
import { answerBadHttp, answerRefusal, installErrorTable, refusalOf } from './http/error-table.ts'
import { createEventStreams, type StreamOptions } from './http/event-streams.ts'
import { installHeaders, setDataHeaders } from './http/headers.ts'
import {
  type ConnectionLimits,
  installConnectionLimits,
  patience,
  requestLimits,
  usualLimits,
} from './http/limits.ts'
import { localHostsAlone } from './http/local-hosts.ts'
import { installPage } from './http/page.ts'
import { hearExpectations, preconditionsMet } from './http/preconditions.ts'
import { installTimeLimits } from './http/time-limits.ts'
import type { UnreadLimits } from './http/unread.ts'
import { ajvOptions } from './http/validation.ts'
import { createPasswordHasher, type HashCost } from './identity/password-hash.ts'
import { createPasswordPool } from './identity/password-pool.ts'
import { identityRoutes } from './identity/routes.ts'
import { createSessions } from './identity/sessions.ts'
import type { SignUp } from './identity/sign-up.ts'
import { signedInWith } from './identity/signed-in.ts'
import { createThrottle, type ThrottleLimits } from './identity/throttle.ts'
import { watchSessions } from './identity/watch.ts'
import { type Log, silence } from './log.ts'
import type { Storage } from './storage/port.ts'

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
