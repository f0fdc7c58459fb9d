import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { toClientAddress } from './client-address.ts'
import { refuseConnection } from './error-handler.ts'
import { safeMethods } from './request-guards.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Replaces `ConnectionLimits.requestTimeoutMs` for one route. */
    requestTimeoutMs?: number
    /** Describes the body of a route that validates it itself, see openapi.ts. */
    bodySchema?: object
  }
}

/** Time limit for receiving a large body over a slow connection. */
export const largeBodyTimeoutMs = 600_000

/** Fastify options, in bytes and milliseconds. A route may allow larger bodies. */
export const requestLimits = {
  bodyLimit: 256 * 1024,
  requestTimeout: largeBodyTimeoutMs,
  keepAliveTimeout: 72_000,
  // The longest id of an account.
  routerOptions: { maxParamLength: 256 },
} as const

/** Time for open requests to finish after the server began to shut down. */
export const shutdownGracePeriodMs = 2000

/** Time for the client to read the error response of a timeout. */
const closeGracePeriodMs = 1000

export interface ConnectionLimits {
  headersTimeoutMs: number
  /** Time limit for receiving a whole request, unless its route sets its own. */
  requestTimeoutMs: number
  /** Interval at which Node checks `headersTimeoutMs`. */
  checkIntervalMs: number
  /** A connection that reads nothing of a response for this long, at most twice this long, is closed. */
  stallTimeoutMs: number
  maxConnections: number
  /** Limits one address too, except where a proxy is trusted, whose clients share its address. */
  maxConnectionsPerAddress: number
}

/** Node's default check interval of 30 s would allow headers three times their limit. */
export const defaultConnectionLimits: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  checkIntervalMs: 1000,
  stallTimeoutMs: 30_000,
  maxConnections: 20_000,
  maxConnectionsPerAddress: 500,
}

/** Closes connections that send or read too slowly, and limits their number. */
export function installConnectionLimits(app: FastifyInstance, limits: ConnectionLimits): void {
  app.server.timeout = limits.stallTimeoutMs
  app.server.headersTimeout = limits.headersTimeoutMs
  app.server.maxConnections = limits.maxConnections
  app.server.maxHeadersCount = 100
  limitConnectionsPerAddress(app, limits.maxConnectionsPerAddress)
  app.addHook('onRequest', (request, reply, done) => {
    // Thousands of requests fit into one packet, and Node would handle all of them at once. No browser or proxy sends them so.
    const isPipelined = !reply.raw.socket
    if (isPipelined) {
      reply.hijack()
      request.raw.socket.destroy()
      return
    }
    if (request.raw.httpVersionMajor !== 1) {
      reply.hijack()
      refuseConnection('HTTP_VERSION', request.raw.socket)
      return
    }
    reply.raw.on('timeout', dropStalledReader)
    if (hasBody(request)) {
      const { requestTimeoutMs = limits.requestTimeoutMs } = request.routeOptions.config
      ifUnfinished(request.raw, () => startRequestTimer(request, reply, requestTimeoutMs))
      // Nobody reads it; until the response ends, it would take up to 30 MB of memory if it came in small pieces.
      if (safeMethods.has(request.method)) request.raw.resume()
    }
    done()
  })
}

function limitConnectionsPerAddress(app: FastifyInstance, maxCount: number): void {
  const counts = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    // Node stores the address when it is first read, and cannot find it out once the client has reset the connection.
    const { remoteAddress } = socket
    const address = remoteAddress && toClientAddress(remoteAddress)
    const count = counts.get(address ?? '') ?? 0
    if (!address || count >= maxCount) {
      socket.destroy()
      return
    }
    counts.set(address, count + 1)
    socket.once('close', () => {
      const others = (counts.get(address) ?? 0) - 1
      if (others > 0) counts.set(address, others)
      else counts.delete(address)
    })
  })
}

/**
 * Node restarts a connection's timer on every read and write, and while a pending write shrinks. If nothing is waiting to
 * be written when it fires, the response is still being prepared.
 */
function dropStalledReader(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy()
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const arrivals: [request: IncomingMessage, start: () => void][] = []

/** Calls back when all that has arrived is parsed, unless the body is complete, as most are, or the connection was lost. */
function ifUnfinished(request: IncomingMessage, start: () => void): void {
  // Not `nextTick`, which runs before the body is parsed that arrived with the headers.
  if (arrivals.push([request, start]) === 1) setImmediate(checkArrivals)
}

function checkArrivals() {
  for (const [request, start] of arrivals.splice(0)) if (!request.complete && !request.destroyed) start()
}

/** Replaces Node's request timeout, which is the same for all routes: an import over a slow connection needs more time. */
function startRequestTimer({ raw }: FastifyRequest, reply: FastifyReply, timeoutMs: number): void {
  const timer = setTimeout(() => {
    if (raw.complete) return
    if (!reply.raw.headersSent) refuseConnection(timeoutCode, raw.socket)
    // A client that keeps sending would hold the socket half-open.
    setTimeout(() => raw.socket.destroy(), closeGracePeriodMs).unref()
  }, timeoutMs).unref()
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'

const defaultMaxTotalBytes = 32 * 1024 * 1024
/** Memory that each piece of a body takes beyond its bytes. */
const pieceOverheadBytes = 512
/** For a request whose route uses no body. */
const maxUnusedBodyBytes = 1024

/**
 * Limits the memory of unfinished bodies of all routes that have no limit of their own: of strangers, and of people with a
 * session. Beyond it, the oldest are refused as too slow: a whole body arrives within milliseconds, while attackers hold
 * back the end. `request.session` is set before bodies are read.
 */
export function limitUnfinishedBodies(app: FastifyInstance, maxTotalBytes = defaultMaxTotalBytes): void {
  const maxBodyBytes = app.initialConfig.bodyLimit ?? 0
  const watchStrangers = createBodyWatch(maxTotalBytes)
  const watchMembers = createBodyWatch(maxTotalBytes)
  // Not a hook of all requests: it would cost reads, which have no body, time.
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => safeMethods.has(method))) return
    if (!route.schema?.body) route.bodyLimit ??= maxUnusedBodyBytes
    route.preParsing ??= ({ raw, session }, reply, payload, done) => {
      const watch = session ? watchMembers : watchStrangers
      const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
      // Without a length, what arrives at once may be many pieces.
      if (encoding !== undefined) process.nextTick(watch, raw, reply.raw, payload)
      // A larger body is refused.
      else if (Number(length) <= (route.bodyLimit ?? maxBodyBytes))
        ifUnfinished(raw, () => watch(raw, reply.raw, payload, Number(length)))
      done(null, payload)
    }
  })
}

/**
 * Returns a function that counts the bytes of a body until it is complete: `declaredBytes` at once, because some of them may have
 * been read already.
 */
function createBodyWatch(maxTotalBytes: number) {
  // In order of arrival.
  const pendingBytes = new Map<IncomingMessage, number>()
  let totalBytes = 0

  function release(request: IncomingMessage) {
    totalBytes -= pendingBytes.get(request) ?? 0
    pendingBytes.delete(request)
  }

  function add(request: IncomingMessage, pieceBytes: number) {
    const bytes = pendingBytes.get(request)
    if (bytes === undefined) return
    pendingBytes.set(request, bytes + pieceBytes + pieceOverheadBytes)
    totalBytes += pieceBytes + pieceOverheadBytes
    for (const oldest of pendingBytes.keys()) {
      if (totalBytes <= maxTotalBytes) return
      release(oldest)
      refuseConnection(timeoutCode, oldest.socket)
      oldest.socket.destroySoon()
    }
  }

  return (
    request: IncomingMessage,
    response: ServerResponse,
    payload: RequestPayload,
    declaredBytes?: number,
  ) => {
    // A lost connection has emitted `close`.
    if (request.destroyed) return
    pendingBytes.set(request, 0)
    add(request, declaredBytes ?? 0)
    payload.on('data', (piece: Buffer) => add(request, declaredBytes === undefined ? piece.length : 0))
    // Emitted right after `end`, or when the connection is lost.
    request.on('close', () => release(request))
    // What arrives after it was refused is kept nowhere.
    response.on('finish', () => release(request))
  }
}
