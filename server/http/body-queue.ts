import { Readable } from 'node:stream'
import type { preParsingAsyncHookHandler } from 'fastify'
import { Refusal } from '../app-error.ts'

export interface IntakeLimits {
  /** Bodies that are unpacked, read and carried out at the same time; the others wait. */
  atOnce: number
  /** Bytes of all bodies that are there or on their way; beyond, a sender is asked to come again. */
  bytes: number
}

/**
 * For a route whose bodies take much memory while they are read: only so many go on at a time, and each only once all of
 * it is there, so that a slow sender is in nobody's way.
 */
export function createIntake({ atOnce, bytes }: IntakeLimits): preParsingAsyncHookHandler {
  const turns = createTurns(atOnce)
  let held = 0

  return async ({ headers, routeOptions }, reply, payload) => {
    const declared = Number(headers['content-length'] ?? 0)
    let own = 0
    let isOver = false
    let hasTurn = false
    reply.raw.once('close', () => {
      isOver = true
      held -= own
      if (hasTurn) turns.end()
    })

    const pieces = await collect(payload as Readable, (length) => {
      own += length
      held += length
      if (Math.max(own, declared) > routeOptions.bodyLimit) throw new Refusal('too-large')
      if (held > bytes) throw new Refusal('busy', { retryAfter: 5 })
    })
    await turns.begin()
    if (isOver) {
      turns.end()
      throw cutShort()
    }
    hasTurn = true
    return Readable.from(pieces, { objectMode: false })
  }
}

/** Resolves with all of a body; `onPiece` hears of each piece's length and may throw. */
async function collect(payload: Readable, onPiece: (length: number) => void): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  try {
    // Who is refused amid a body must still hear of it, so the connection stays.
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      onPiece(piece.length)
      pieces.push(piece)
    }
  } catch (error) {
    throw error instanceof Refusal ? error : cutShort()
  }
  return pieces
}

const cutShort = () => new Refusal('invalid-request', { message: 'The request did not come whole.' })

/** So many may go at once; the others go in the order in which they came. */
function createTurns(atOnce: number) {
  const waiting: (() => void)[] = []
  let free = atOnce

  return {
    async begin() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    end() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}
