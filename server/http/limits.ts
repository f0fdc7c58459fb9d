import type { FastifyInstance } from 'fastify'

/** What one request may take; times in milliseconds. A route may allow more for itself. */
export const requestLimits = {
  bodyLimit: 256 * 1024,
  /** The whole request must have come by then. */
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  routerOptions: { maxParamLength: 100 },
} as const

export function installConnectionLimits({ server }: FastifyInstance): void {
  server.headersTimeout = 10_000
  server.maxConnections = 20_000
  server.maxHeadersCount = 100
}
