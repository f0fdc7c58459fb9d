import { Readable } from 'node:stream'
import type { preParsingAsyncHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'

export interface BodyQueueLimits {
  /** Number of bodies that are parsed and handled at the same time. Others wait. */
  maxConcurrent: number
  /** Total size of all bodies in memory. Beyond it, requests fail with `busy`. */
  maxBytes: number
}

/**
 * Limits memory for a route whose bodies are expensive to parse. A body enters the queue when it has arrived completely, so
 * slow clients do not block others.
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

/** Reads a whole body. Calls `onChunk` with the length of each chunk; it may throw an `AppError`. */
async function readBody(payload: Readable, onChunk: (length: number) => void): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  try {
    // Keep the connection open so that the client can read the error response.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      onChunk(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof AppError ? error : createIncompleteBodyError()
  }
  return chunks
}

const createIncompleteBodyError = () =>
  new AppError('invalid-request', { message: 'The request body is incomplete.' })

/** Grants slots in the order of the requests for them. */
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
