import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'

/** Limit on response bodies in memory: `maxBytes`, or `maxBodies` bodies if those are larger. */
interface BufferLimit {
  maxBytes: number
  maxBodies: number
}

export interface SlowReaderLimits {
  /** Limits all readers of one account. */
  perOwner: BufferLimit
  total: BufferLimit
}

const mebibyte = 1024 * 1024
const defaultLimits: SlowReaderLimits = {
  perOwner: { maxBytes: 64 * mebibyte, maxBodies: 4 },
  total: { maxBytes: 512 * mebibyte, maxBodies: 8 },
}

export type LargeResponses = ReturnType<typeof createLargeResponses>

/**
 * Limits the memory that stalled readers of large shared bodies, such as the employee list, can occupy: each keeps its version
 * of the body alive. A body counts once, with its bytes, however many readers it has.
 */
export function createLargeResponses(
  requireSession: onRequestHookHandler,
  { perOwner, total }: SlowReaderLimits = defaultLimits,
) {
  const confirmSession = promisify<FastifyRequest, FastifyReply>(requireSession)
  const owners = new Map<string, ReturnType<typeof createPendingBodies>>()
  const all = createPendingBodies(total)

  /** Throws `busy` if there is no capacity for another reader of the body. */
  function requireCapacity(owner: string, body: Buffer): void {
    const own = owners.get(owner) ?? createPendingBodies(perOwner)
    if (!own.hasCapacityFor(body) || !all.hasCapacityFor(body))
      throw new AppError('busy', { retryAfterSeconds: 5 })
  }

  /** Counts a reader until the returned function is called, or until its connection is closed. */
  function hold(owner: string, body: Buffer, response: ServerResponse): () => void {
    const own = owners.get(owner) ?? createPendingBodies(perOwner)
    owners.set(owner, own)
    own.add(body)
    all.add(body)
    let isHeld = true
    function release() {
      if (!isHeld) return
      isHeld = false
      response.off('close', release)
      own.remove(body)
      all.remove(body)
      if (own.isEmpty() && owners.get(owner) === own) owners.delete(owner)
    }
    response.once('close', release)
    return release
  }

  return {
    requireCapacity,
    write(response: ServerResponse, owner: string, part: Buffer): void {
      response.write(part, hold(owner, part, response))
    },
    /** The body is JSON unless `headers` say otherwise. Rejects with `not-signed-in` if the session has ended while it was built. */
    async sendBody(
      reply: FastifyReply,
      body: Buffer,
      headers: Record<string, string | number> = {},
    ): Promise<FastifyReply> {
      await confirmSession(reply.request, reply)
      const owner = reply.request.session.account.uid
      requireCapacity(owner, body)
      reply.type('application/json; charset=utf-8').headers(headers).send(body)
      // Most bodies are read at once. The others count until their connection has read them or is closed.
      if (reply.raw.writableLength > 0 && !reply.raw.closed) hold(owner, body, reply.raw)
      return reply
    },
  }
}

function createPendingBodies({ maxBytes, maxBodies }: BufferLimit) {
  const readerCounts = new Map<Buffer, number>()
  let totalBytes = 0
  return {
    isEmpty: () => readerCounts.size === 0,
    hasCapacityFor: (body: Buffer) =>
      readerCounts.has(body) || totalBytes + body.length <= Math.max(maxBytes, maxBodies * body.length),
    add(body: Buffer): void {
      const readers = readerCounts.get(body) ?? 0
      if (readers === 0) totalBytes += body.length
      readerCounts.set(body, readers + 1)
    },
    remove(body: Buffer): void {
      const readers = (readerCounts.get(body) ?? 0) - 1
      if (readers > 0) readerCounts.set(body, readers)
      else if (readerCounts.delete(body)) totalBytes -= body.length
    },
  }
}
