import type { FastifyReply } from 'fastify'
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

/**
 * Limits the memory that stalled readers of a large shared body, such as the employee list, can occupy: each keeps its
 * version of the body alive. A body counts once, however many readers it has.
 */
export function createSlowReaderLimit({ perOwner, total }: SlowReaderLimits = defaultLimits) {
  const owners = new Map<string, PendingBodies>()
  const all = new PendingBodies(total)

  function requireCapacity(owner: string, body: Buffer): void {
    const ownPending = owners.get(owner)
    if ((ownPending && !ownPending.hasCapacityFor(body)) || !all.hasCapacityFor(body)) {
      throw new AppError('busy', { retryAfterSeconds: 5 })
    }
  }

  /** Counts a `body` that has just been sent until its connection has read it or is closed. Most are read at once. */
  function trackUntilRead(owner: string, body: Buffer, { raw }: FastifyReply): void {
    if (raw.writableLength === 0 || raw.closed) return
    const ownPending = owners.get(owner) ?? new PendingBodies(perOwner)
    owners.set(owner, ownPending)
    ownPending.add(body)
    all.add(body)
    raw.once('close', () => {
      ownPending.remove(body)
      all.remove(body)
      if (ownPending.isEmpty) owners.delete(owner)
    })
  }

  return {
    /** Sends a JSON body with these headers. Throws `busy` if there is no capacity for another reader of it. */
    sendJson(
      reply: FastifyReply,
      owner: string,
      body: Buffer,
      headers: Record<string, string | number> = {},
    ): FastifyReply {
      requireCapacity(owner, body)
      reply.headers(headers).type('application/json; charset=utf-8').send(body)
      trackUntilRead(owner, body, reply)
      return reply
    },
  }
}

/** Bodies with their numbers of readers. */
class PendingBodies {
  readonly #limit: BufferLimit
  readonly #readerCounts = new Map<Buffer, number>()
  #totalBytes = 0

  constructor(limit: BufferLimit) {
    this.#limit = limit
  }

  get isEmpty() {
    return this.#readerCounts.size === 0
  }

  hasCapacityFor(body: Buffer): boolean {
    const { maxBytes, maxBodies } = this.#limit
    return (
      this.#readerCounts.has(body) ||
      this.#totalBytes + body.length <= Math.max(maxBytes, maxBodies * body.length)
    )
  }

  add(body: Buffer): void {
    const readers = this.#readerCounts.get(body) ?? 0
    if (readers === 0) this.#totalBytes += body.length
    this.#readerCounts.set(body, readers + 1)
  }

  remove(body: Buffer): void {
    const readers = (this.#readerCounts.get(body) ?? 0) - 1
    if (readers > 0) this.#readerCounts.set(body, readers)
    else if (this.#readerCounts.delete(body)) this.#totalBytes -= body.length
  }
}
