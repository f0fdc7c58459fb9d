import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { handleClientError } from './error-handler.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds in which the whole request must have come, where it is not the usual time. */
    requestTimeoutMs?: number
  }
}

const timeoutError = Object.assign(new Error('The request took too long.'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
})
const closeGracePeriodMs = 1000

/**
 * Ends the connection of whoever takes longer than `usual` milliseconds to send a request, with 408, as Node does. But
 * Node knows one time for all routes, and an import over a slow line needs more than anything else may take. And ends
 * that of whoever does not read the answer (`ConnectionLimits.standstill`).
 */
export function installRequestTimeouts(app: FastifyInstance, defaultTimeoutMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('timeout', dropStalledReader)
    if (hasBody(request))
      startRequestTimer(request, reply, request.routeOptions.config.requestTimeoutMs ?? defaultTimeoutMs)
    done()
  })
}

/**
 * Node's timer of a connection starts anew with all that is read or written, and while a write becomes shorter. Where
 * it runs out and nothing is to be written, the answer is still being made.
 */
function dropStalledReader(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function startRequestTimer({ raw }: FastifyRequest, reply: FastifyReply, timeoutMs: number): void {
  const timer = setTimeout(() => {
    if (raw.complete) return
    if (!reply.raw.headersSent) handleClientError(timeoutError, raw.socket)
    // Who goes on sending would keep its side of the connection open.
    setTimeout(() => raw.socket.destroy(), closeGracePeriodMs).unref()
  }, timeoutMs).unref()
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}
