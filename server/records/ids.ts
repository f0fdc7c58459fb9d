import { createHash, randomBytes } from 'node:crypto'

/** JSON schema of the header `Idempotency-Key`. */
export const idempotencyKeySchema = { type: 'string', pattern: '^[!-~]{1,128}$' } as const

/** The same account and key always make the same id, so that a retry finds its record there. */
export function idFromKey(uid: string, key: string): string {
  return createHash('sha256').update(`${uid}\n${key}`).digest('base64url').slice(0, 20)
}

/** An id of 20 characters for a record without a key. Ids of one moment lie together in the index, which costs less. */
export function createId(): string {
  const bytes = randomBytes(15)
  bytes.writeUIntBE(Date.now(), 0, 6)
  return bytes.toString('base64url')
}
