import type { FastifyInstance } from 'fastify'

/** Milliseconds in which a whole request must have come. */
export const usualArrival = 60_000
/** The same for a large body over a slow line. */
export const longestArrival = 600_000

/** What one request may take; times in milliseconds. A route may allow more for itself. */
export const requestLimits = {
  bodyLimit: 256 * 1024,
  requestTimeout: longestArrival,
  keepAliveTimeout: 72_000,
  routerOptions: { maxParamLength: 100 },
} as const

export function installConnectionLimits({ server }: FastifyInstance): void {
  server.headersTimeout = 10_000
  server.maxConnections = 20_000
  server.maxHeadersCount = 100
}
