import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import type { SignUpPolicy } from '../contract/accounts.ts'
import { objectOf, textSchema } from '../contract/json-schema.ts'
import { AppError } from './app-error.ts'
import { createLinks } from './auth/links/links.ts'
import { createPasskeys } from './auth/passkeys/passkeys.ts'
import { createPasswordHasher, type HashCost } from './auth/password-hash.ts'
import { createPasswordPool, type PasswordPool } from './auth/password-pool.ts'
import { createRequireSession, protectRoutes, readCookieSuffix } from './auth/require-session.ts'
import { authRoutes } from './auth/routes.ts'
import { startSessionSweeper } from './auth/session-sweeper.ts'
import { Sessions } from './auth/sessions.ts'
import type { SsoSettings } from './auth/sso/settings.ts'
import { createSso } from './auth/sso/sso.ts'
import { createThrottle, type ThrottleLimits } from './auth/throttle.ts'
import { handleClientError, installErrorHandler, sendError, toAppError } from './http/error-handler.ts'
import { createEventStreams, type StreamOptions } from './http/event-streams.ts'
import { parseJsonBody } from './http/json-body.ts'
import { createLargeResponses, type SlowReaderLimits } from './http/large-responses.ts'
import {
  type ConnectionLimits,
  defaultConnectionLimits,
  installConnectionLimits,
  limitUnfinishedBodies,
  requestLimits,
  shutdownGracePeriodMs,
} from './http/limits.ts'
import { serveOpenApi } from './http/openapi.ts'
import {
  createHostGuard,
  createSameSiteGuard,
  installRequestGuards,
  requireKnownAddress,
  requireLocalHost,
  requireOneHost,
} from './http/request-guards.ts'
import { setApiHeaders } from './http/security-headers.ts'
import { installStaticFiles } from './http/static-files.ts'
import { compileSchemasOnDemand } from './http/validation.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { BackupStatus } from './process/daily-backups.ts'
import { batchRoute } from './records/batch-route.ts'
import { eventsRoute } from './records/events-route.ts'
import { createSweep, defaultRetention, type Retention } from './records/history/retention.ts'
import { historyRoutes } from './records/history/routes.ts'
import { createLiveList } from './records/live-list.ts'
import { employeeRoutes } from './records/routes.ts'
import { type Storage, StorageError } from './storage/storage.ts'
import { version } from './version.ts'

export interface AppOptions {
  storage: Storage
  signUp: SignUpPolicy
  /** Addresses of proxies whose X-Forwarded-* headers are trusted; false for none. */
  trustProxy?: string[] | false
  /** Accepts requests for local host names only. */
  localOnly?: boolean
  /** The address of the page: the name under which others reach the server, and whose passkeys it accepts. */
  publicUrl?: URL | undefined
  /** Undefined without single sign-on. */
  sso?: SsoSettings | undefined
  /** How long a session lasts at most; see `sessionLimits`. */
  sessionDays?: number | undefined
  pageDir?: string
  logger?: FastifyBaseLogger
  metrics?: Metrics | undefined
  /** Undefined if the server knows of no backups. */
  readBackupStatus?: (() => Promise<BackupStatus>) | undefined
  hashCost?: HashCost
  /** Closed with the server. */
  passwordPool?: PasswordPool
  throttleLimits?: Partial<ThrottleLimits>
  streamOptions?: StreamOptions
  connectionLimits?: Partial<ConnectionLimits>
  slowReaderLimits?: SlowReaderLimits
  retention?: Retention
  /** Total size of unfinished bodies, of strangers and of people with a session each. */
  maxUnfinishedBodyBytes?: number
  now?: () => number
}

/** Creates the server, ready to listen. `close` ends its streams and finishes its requests; the storage stays open. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { storage, now = Date.now, retention = defaultRetention } = options
  const { employees, history } = storage
  const app = createHttpServer(options)
  const liveList = await createLiveList(employees)
  const pool = options.passwordPool ?? createPasswordPool()
  const streams = createEventStreams(options.streamOptions)
  options.metrics?.watch(app, streams, employees.size, options.readBackupStatus)
  const sessions = new Sessions({ storage: storage.sessions, now, maxDays: options.sessionDays })
  const links = createLinks(storage.links, storage.accounts, now)
  const removeExpired = () =>
    Promise.all([sessions.endExpired(), links.removeExpired(), storage.passkeys.removeExpired(now())])
  const stopSessionSweeper = startSessionSweeper(
    sessions,
    createSweep(storage, retention, removeExpired, app.log, now),
    streams,
    (error) => app.log.error({ err: error }, 'session check failed'),
    storage.onSessionsEnded,
  )
  const requireSession = createRequireSession(sessions)
  const responses = createLargeResponses(requireSession, options.slowReaderLimits)

  serveOpenApi(app, requireSession)
  app.decorate('cookieSuffix', await readCookieSuffix(storage.sessions))
  app.decorateRequest('session')
  app.decorateRequest('sessionFoundAt', 0)
  limitUnfinishedBodies(app, options.maxUnfinishedBodyBytes)
  app.register(async (scope) => {
    authRoutes(scope, {
      accounts: storage.accounts,
      history,
      hasher: createPasswordHasher(pool, options.hashCost),
      sessions,
      links,
      passkeys: createPasskeys({ storage: storage.passkeys, now }),
      sso: options.sso && createSso({ settings: options.sso, storage, now }),
      publicUrl: options.publicUrl,
      requireSession,
      throttle: createThrottle({ storage: storage.sessions, limits: options.throttleLimits }),
      signUp: options.signUp,
    })
  })
  app.register(async (scope) => {
    protectRoutes(scope, requireSession)
    const recordOptions = { employees, history, liveList, streams, responses, ...retention }
    for (const addRoutes of [employeeRoutes, batchRoute, historyRoutes, eventsRoute])
      addRoutes(scope, recordOptions)
  })
  healthRoutes(app, options)
  installStaticFiles(app, options.pageDir, describePolicy(options))

  app.addHook('preClose', async () => {
    stopSessionSweeper()
    streams.close()
    // Slow requests and idle connections must not delay the shutdown.
    setTimeout(() => app.server.closeAllConnections(), shutdownGracePeriodMs).unref()
  })
  app.addHook('onClose', () => pool.close())
  return app
}

/** What changes the outline of the account screens: see web/auth/account-screen.module.css. */
const describePolicy = ({ sso, signUp }: AppOptions) => [
  ...(sso?.isOnly ? ['sso-only'] : []),
  ...(signUp === 'open' ? [] : ['sign-up-restricted']),
]

function healthRoutes(app: FastifyInstance, { storage, readBackupStatus }: AppOptions): void {
  const aliveSchema = {
    summary: 'The process is alive',
    response: { 200: objectOf({ status: textSchema, version: textSchema }) },
  }
  app.get('/healthz', { schema: aliveSchema }, async () => ({ status: 'ok', version }))
  const backup = objectOf({ ageSeconds: { type: ['integer', 'null'] }, failed: { type: 'boolean' } })
  const readySchema = {
    summary: 'The storage responds, and can be written to unless `reads` is in the query',
    querystring: { type: 'object', properties: { verbose: textSchema, reads: textSchema } },
    response: { 200: objectOf({ status: textSchema }, { backup }) },
  }
  type Query = { verbose?: string; reads?: string }
  app.get<{ Querystring: Query }>('/readyz', { schema: readySchema }, async ({ query }) => {
    await storage.ping()
    if (query.reads === undefined) await storage.requireWritable?.().catch(throwNotWritable)
    const isVerbose = query.verbose !== undefined && readBackupStatus
    return { status: 'ok', ...(isVerbose ? { backup: await readBackupStatus() } : {}) }
  })
}

function throwNotWritable(error: unknown): never {
  if (!(error instanceof StorageError)) throw error
  const reason = error.kind === 'full' ? 'The disk is full.' : 'The disk can’t be written to.'
  const message = `${reason} Nothing can be saved; what is saved can be read.`
  throw new AppError('storage-unavailable', { message })
}

/** Fastify with our limits, request guards, headers and error responses, but without routes. */
function createHttpServer(options: AppOptions): FastifyInstance {
  const { trustProxy = false, localOnly, logger } = options
  const connectionLimits = {
    ...defaultConnectionLimits,
    ...(trustProxy ? { maxConnectionsPerAddress: Number.POSITIVE_INFINITY } : {}),
    ...options.connectionLimits,
  }
  const app = fastify({
    trustProxy,
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    ...requestLimits,
    http: { connectionsCheckingInterval: connectionLimits.checkIntervalMs },
    // The schemas of responses describe them, and tests compare them (protocol.test.ts). Their handlers' objects are sent whole:
    // Fastify's serializers would leave out what a schema lacks, and take 65 ms of the processor at a start, a fourth of it.
    schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
    // These errors occur before any hook runs.
    frameworkErrors(error, request, reply) {
      setApiHeaders(request, reply)
      sendError(reply, toAppError(error))
    },
    clientErrorHandler: handleClientError,
    forceCloseConnections: 'idle',
    // Requests on open connections are served during shutdown.
    return503OnClosing: false,
  })
  app.decorate('publicUrl', options.publicUrl)
  app.decorate('isProxied', trustProxy !== false)
  app.setValidatorCompiler(compileSchemasOnDemand())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody)
  installConnectionLimits(app, connectionLimits)
  installErrorHandler(app)
  installRequestGuards(app, [
    localOnly ? requireLocalHost : createHostGuard(options.publicUrl?.hostname),
    requireOneHost,
    createSameSiteGuard(options.publicUrl),
    requireKnownAddress,
  ])
  return app
}
