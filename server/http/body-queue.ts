import { Readable } from 'node:stream'
import type { preParsingAsyncHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'

export interface BodyQueueLimits {
  /** Bodies that are unpacked, read and carried out at the same time; the others wait. */
  maxConcurrent: number
  /** Bytes of all bodies that are there or on their way; beyond, a sender is asked to come again. */
  maxBytes: number
}

/**
 * For a route whose bodies take much memory while they are read: only so many go on at a time, and each only once all of
 * it is there, so that a slow sender is in nobody's way.
 */
export function createBodyQueue({ maxConcurrent, maxBytes }: BodyQueueLimits): preParsingAsyncHookHandler {
  const semaphore = createSemaphore(maxConcurrent)
  let totalBytes = 0

  return async ({ headers, routeOptions }, reply, payload) => {
    const declaredBytes = Number(headers['content-length'] ?? 0)
    let requestBytes = 0
    let isClosed = false
    let hasSlot = false
    reply.raw.once('close', () => {
      isClosed = true
      totalBytes -= requestBytes
      if (hasSlot) semaphore.release()
    })

    const chunks = await readBody(payload as Readable, (length) => {
      requestBytes += length
      totalBytes += length
      if (Math.max(requestBytes, declaredBytes) > routeOptions.bodyLimit) throw new AppError('too-large')
      if (totalBytes > maxBytes) throw new AppError('busy', { retryAfterSeconds: 5 })
    })
    await semaphore.acquire()
    if (isClosed) {
      semaphore.release()
      throw createIncompleteBodyError()
    }
    hasSlot = true
    return Readable.from(chunks, { objectMode: false })
  }
}

/** Resolves with all of a body; `onPiece` hears of each piece's length and may throw. */
async function readBody(payload: Readable, onChunk: (length: number) => void): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  try {
    // Who is refused amid a body must still hear of it, so the connection stays.
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      onChunk(piece.length)
      chunks.push(piece)
    }
  } catch (error) {
    throw error instanceof AppError ? error : createIncompleteBodyError()
  }
  return chunks
}

const createIncompleteBodyError = () =>
  new AppError('invalid-request', { message: 'The request did not come whole.' })

/** So many may go at once; the others go in the order in which they came. */
function createSemaphore(maxConcurrent: number) {
  const waiters: (() => void)[] = []
  let freeSlots = maxConcurrent

  return {
    async acquire() {
      if (freeSlots > 0) freeSlots -= 1
      else await new Promise<void>((resolve) => waiters.push(resolve))
    },
    release() {
      const next = waiters.shift()
      if (next) next()
      else freeSlots += 1
    },
  }
}
