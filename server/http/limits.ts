import type { FastifyInstance } from 'fastify'

/** Milliseconds in which the whole of a large body over a slow line must have come. */
export const largeBodyTimeoutMs = 600_000

/** What one request may take; times in milliseconds. A route may allow more for itself. */
export const requestLimits = {
  bodyLimit: 256 * 1024,
  requestTimeout: largeBodyTimeoutMs,
  keepAliveTimeout: 72_000,
  routerOptions: { maxParamLength: 100 },
} as const

/** Milliseconds in which a request that has begun may end once the server was told to stop. */
export const shutdownGracePeriodMs = 2000

export interface ConnectionLimits {
  /** Milliseconds in which a request's headers must have come. */
  headersTimeoutMs: number
  /** Milliseconds in which a whole request must have come, where its route allows no more. */
  requestTimeoutMs: number
  /** How often Node looks at the time of the headers, in milliseconds. */
  checkIntervalMs: number
  /** Milliseconds in which something of an answer must have moved; twice that at the longest. */
  stallTimeoutMs: number
  /** At once; one more is closed without a word. */
  maxConnections: number
}

/** Node looks every 30 s where it is not told otherwise, and would give slow headers three times their time. */
export const defaultConnectionLimits: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  checkIntervalMs: 1000,
  stallTimeoutMs: 30_000,
  maxConnections: 20_000,
}

export function installConnectionLimits({ server }: FastifyInstance, limits: ConnectionLimits): void {
  server.timeout = limits.stallTimeoutMs
  server.headersTimeout = limits.headersTimeoutMs
  server.maxConnections = limits.maxConnections
  server.maxHeadersCount = 100
}
