import type { FastifyReply } from 'fastify'
import { Refusal } from '../app-error.ts'

/** What may be on its way at once: so many bytes or, where one body is large, so many bodies. */
interface Room {
  bytes: number
  bodies: number
}

export interface UnreadLimits {
  /** To one owner's (account's) readers; beyond, a reader is asked to come again. */
  perOwner: Room
  inAll: Room
}

const mega = 1024 * 1024
const usual: UnreadLimits = {
  perOwner: { bytes: 64 * mega, bodies: 4 },
  inAll: { bytes: 512 * mega, bodies: 8 },
}

/**
 * For a large body that many readers share, as the whole list is: a reader that sleeps keeps it in memory, also when
 * everyone else has a newer one. One body on its way to many readers counts once.
 */
export function createUnread({ perOwner, inAll }: UnreadLimits = usual) {
  const owners = new Map<string, Held>()
  const all = createHeld(inAll)

  const heldBy = (owner: string) => owners.get(owner) ?? createHeld(perOwner)

  return {
    /** Throws `busy` where there is no room for one more reader of `body`. */
    requireRoom(owner: string, body: Buffer): void {
      if (all.isEmpty()) return
      if (!heldBy(owner).hasRoomFor(body) || !all.hasRoomFor(body)) {
        throw new Refusal('busy', { retryAfter: 5 })
      }
    },

    /** Counts a `body` that has just been sent, until it is read or its line is closed; most are gone at once. */
    hold(owner: string, body: Buffer, { raw }: FastifyReply): void {
      if (raw.writableLength === 0) return
      const own = heldBy(owner)
      owners.set(owner, own)
      own.add(body)
      all.add(body)
      raw.once('close', () => {
        own.remove(body)
        all.remove(body)
        if (own.isEmpty()) owners.delete(owner)
      })
    },
  }
}

type Held = ReturnType<typeof createHeld>

/** Bodies, each with how many read it. */
function createHeld(room: Room) {
  const readers = new Map<Buffer, number>()
  let bytes = 0

  return {
    hasRoomFor: (body: Buffer) =>
      readers.has(body) || bytes + body.length <= Math.max(room.bytes, room.bodies * body.length),
    add(body: Buffer) {
      if (!readers.has(body)) bytes += body.length
      readers.set(body, (readers.get(body) ?? 0) + 1)
    },
    remove(body: Buffer) {
      const left = (readers.get(body) ?? 0) - 1
      if (left > 0) readers.set(body, left)
      else if (readers.delete(body)) bytes -= body.length
    },
    isEmpty: () => readers.size === 0,
  }
}
