import { Readable } from 'node:stream'
import type { FastifyRequest, onSendHookHandler, preParsingAsyncHookHandler } from 'fastify'
import { AppError } from '../app-error.ts'

export interface BodyQueueLimits {
  /** Number of bodies that are parsed and handled at the same time. Others wait. */
  maxConcurrent: number
  /** Total size of all bodies in memory. Beyond it, requests fail with `busy`. */
  maxBytes: number
  /** The same for the bodies of one owner, so that nobody can use up the total alone. */
  maxBytesPerOwner: number
  getOwner(request: FastifyRequest): string
}

/**
 * Limits memory for a route whose bodies are expensive to parse. A body enters the queue when it has arrived completely and
 * leaves it when its response is ready, so slow clients do not block others.
 */
export function createBodyQueue(limits: BodyQueueLimits) {
  const slots = createSlots(limits.maxConcurrent)
  const leaveFunctions = new WeakMap<FastifyRequest, () => void>()
  const bytesByOwner = new Map<string, number>()
  let totalBytes = 0

  /** Returns the bytes of the owner. */
  function count(owner: string, bytes: number): number {
    const ownBytes = (bytesByOwner.get(owner) ?? 0) + bytes
    if (ownBytes > 0) bytesByOwner.set(owner, ownBytes)
    else bytesByOwner.delete(owner)
    totalBytes += bytes
    return ownBytes
  }

  return {
    async preParsing(request, reply, payload) {
      const owner = limits.getOwner(request)
      const declaredBytes = Number(request.headers['content-length'] ?? 0)
      let requestBytes = 0
      let hasLeft = false
      let hasSlot = false
      function leave() {
        if (hasLeft) return
        hasLeft = true
        count(owner, -requestBytes)
        if (hasSlot) slots.passOn()
      }
      leaveFunctions.set(request, leave)
      reply.raw.once('close', leave)

      // Keep the connection open so that the client can read the error response.
      const pieces = await readBody((payload as Readable).iterator({ destroyOnReturn: false }), (length) => {
        requestBytes += length
        const ownBytes = count(owner, length)
        if (Math.max(requestBytes, declaredBytes) > request.routeOptions.bodyLimit)
          throw new AppError('too-large')
        if (totalBytes > limits.maxBytes || ownBytes > limits.maxBytesPerOwner)
          throw new AppError('busy', { retryAfterSeconds: 5 })
      })
      await slots.take()
      if (hasLeft) {
        slots.passOn()
        throw createIncompleteBodyError()
      }
      hasSlot = true
      return Readable.from(pieces, { objectMode: false })
    },
    onSend(request, _reply, _payload, done) {
      leaveFunctions.get(request)?.()
      done()
    },
  } satisfies { preParsing: preParsingAsyncHookHandler; onSend: onSendHookHandler }
}

/** A number of slots. Who finds none free waits for one, in the order of arrival. */
function createSlots(free: number) {
  const waiters: (() => void)[] = []
  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiters.push(resolve))
    },
    passOn() {
      const next = waiters.shift()
      if (next) next()
      else free += 1
    },
  }
}

const maxPieces = 256
const smallPieceBytes = 1024

/**
 * Reads a whole body and returns its pieces. Joins small ones, because each takes about 500 bytes of memory beyond its own.
 * Calls `onPiece` with the length of each piece; it may throw an `AppError`. Throws `invalid-request` if the body is incomplete.
 */
export async function readBody(payload: AsyncIterable<Buffer>, onPiece: (length: number) => void) {
  const joined: Buffer[] = []
  let small: Buffer[] = []
  function join() {
    if (small.length > 0) joined.push(Buffer.concat(small))
    small = []
  }
  try {
    for await (const piece of payload) {
      onPiece(piece.length)
      if (piece.length < smallPieceBytes) small.push(piece)
      if (piece.length >= smallPieceBytes || small.length === maxPieces) join()
      if (piece.length >= smallPieceBytes) joined.push(piece)
    }
  } catch (error) {
    throw error instanceof AppError ? error : createIncompleteBodyError()
  }
  join()
  return joined
}

const createIncompleteBodyError = () =>
  new AppError('invalid-request', { message: 'The request body is incomplete.' })
