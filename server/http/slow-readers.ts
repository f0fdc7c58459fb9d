import type { FastifyReply } from 'fastify'
import { AppError } from '../app-error.ts'

/** What may be on its way at once: so many bytes or, where one body is large, so many bodies. */
interface BufferLimit {
  maxBytes: number
  maxBodies: number
}

export interface SlowReaderLimits {
  /** To one owner's (account's) readers; beyond, a reader is asked to come again. */
  perOwner: BufferLimit
  total: BufferLimit
}

const mebibyte = 1024 * 1024
const defaultLimits: SlowReaderLimits = {
  perOwner: { maxBytes: 64 * mebibyte, maxBodies: 4 },
  total: { maxBytes: 512 * mebibyte, maxBodies: 8 },
}

/**
 * For a large body that many readers share, as the whole list is: a reader that sleeps keeps it in memory, also when
 * everyone else has a newer one. One body on its way to many readers counts once.
 */
export function createSlowReaderLimit({ perOwner, total }: SlowReaderLimits = defaultLimits) {
  const owners = new Map<string, PendingBodies>()
  const totalPending = createPendingBodies(total)

  const pendingFor = (owner: string) => owners.get(owner) ?? createPendingBodies(perOwner)

  return {
    /** Throws `busy` where there is no room for one more reader of `body`. */
    requireCapacity(owner: string, body: Buffer): void {
      if (totalPending.isEmpty()) return
      if (!pendingFor(owner).hasCapacityFor(body) || !totalPending.hasCapacityFor(body)) {
        throw new AppError('busy', { retryAfterSeconds: 5 })
      }
    },

    /** Counts a `body` that has just been sent, until it is read or its line is closed; most are gone at once. */
    trackUntilRead(owner: string, body: Buffer, { raw }: FastifyReply): void {
      if (raw.writableLength === 0) return
      const pending = pendingFor(owner)
      owners.set(owner, pending)
      pending.add(body)
      totalPending.add(body)
      raw.once('close', () => {
        pending.remove(body)
        totalPending.remove(body)
        if (pending.isEmpty()) owners.delete(owner)
      })
    },
  }
}

type PendingBodies = ReturnType<typeof createPendingBodies>

/** Bodies, each with how many read it. */
function createPendingBodies(limit: BufferLimit) {
  const readerCounts = new Map<Buffer, number>()
  let totalBytes = 0

  return {
    hasCapacityFor: (body: Buffer) =>
      readerCounts.has(body) ||
      totalBytes + body.length <= Math.max(limit.maxBytes, limit.maxBodies * body.length),
    add(body: Buffer) {
      if (!readerCounts.has(body)) totalBytes += body.length
      readerCounts.set(body, (readerCounts.get(body) ?? 0) + 1)
    },
    remove(body: Buffer) {
      const remainingReaders = (readerCounts.get(body) ?? 0) - 1
      if (remainingReaders > 0) readerCounts.set(body, remainingReaders)
      else if (readerCounts.delete(body)) totalBytes -= body.length
    },
    isEmpty: () => readerCounts.size === 0,
  }
}
