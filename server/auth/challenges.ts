import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AnsweredChallenge } from '../storage/storage.ts'

const nonceBytes = 16
const headBytes = nonceBytes + 6

export type Challenges = ReturnType<typeof createChallenges>

/**
 * Issues and recognizes challenges. A challenge states its own expiry and is recognized by its signature, so that nothing is stored
 * for visitors. `purpose` includes a secret of the browser that asked for it. `now`: milliseconds since 1970.
 */
export function createChallenges(readKey: () => Promise<string>, now: () => number) {
  return {
    async issue(purpose: string, ttlMs: number): Promise<string> {
      const head = Buffer.alloc(headBytes)
      randomBytes(nonceBytes).copy(head)
      head.writeUIntBE(now() + ttlMs, nonceBytes, 6)
      return Buffer.concat([head, sign(await readKey(), purpose, head)]).toString('base64url')
    },

    /** `answered` returns the challenge of this purpose that `isChallenge` has recognized. */
    async expect(purpose: string) {
      const key = await readKey()
      let answered: AnsweredChallenge | undefined
      return {
        answered: () => answered,
        isChallenge(challenge: string) {
          answered = recognize(key, purpose, challenge, now())
          return answered !== undefined
        },
      }
    },
  }
}

/** Returns undefined for a challenge that was made with another key or purpose, or has expired. */
function recognize(key: string, purpose: string, challenge: string, now: number) {
  const bytes = Buffer.from(challenge, 'base64url')
  const [head, signature] = [bytes.subarray(0, headBytes), bytes.subarray(headBytes)]
  const expected = sign(key, purpose, head)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return
  const expiresAt = head.readUIntBE(nonceBytes, 6)
  return expiresAt > now ? { nonce: head.toString('base64url', 0, nonceBytes), expiresAt } : undefined
}

const sign = (key: string, purpose: string, head: Buffer) =>
  createHmac('sha256', key).update(`${purpose}\n`).update(head).digest()
