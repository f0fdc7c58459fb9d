import { createHash, randomBytes } from 'node:crypto'

export const idempotencyKeySchema = { type: 'string', pattern: '^[!-~]{1,128}$' } as const

/** Derives the id from account and key, so that a retry finds its record. 20 characters. */
export function idFromKey(uid: string, key: string): string {
  return createHash('sha256').update(`${uid}\n${key}`).digest('base64url').slice(0, 20)
}

/** Creates an id of 20 characters: 48 bits of time, so that inserts into the index are adjacent, and 72 random bits. */
export function createId(): string {
  const bytes = randomBytes(15)
  bytes.writeUIntBE(Date.now(), 0, 6)
  return bytes.toString('base64url')
}
