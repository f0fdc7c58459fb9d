import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { PasswordPool } from './password-pool.ts'

export interface HashCost {
  /** Memory in KiB. */
  memory: number
  passes: number
}

/** Minimum that OWASP and RFC 9106 recommend for argon2id with one lane. */
export const recommendedHashCost: HashCost = { memory: 19_456, passes: 2 }

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

export function createPasswordHasher(pool: PasswordPool, cost: HashCost = recommendedHashCost) {
  const dummyHash = formatPhc(randomBytes(16), randomBytes(32), cost)

  const hashWith = (password: string, nonce: Buffer, { memory, passes }: HashCost) =>
    pool.hash({ message: password.normalize('NFC'), nonce, parallelism: 1, tagLength: 32, memory, passes })

  return {
    isCommon: pool.isCommon,
    /** Returns a PHC string: the hash with its salt and cost. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16)
      return formatPhc(salt, Buffer.from(await hashWith(password, salt, cost)), cost)
    },
    isOutdated(stored: string): boolean {
      const { memory, passes } = parsePhc(stored).cost
      return memory !== cost.memory || passes !== cost.passes
    },
    /** Does the same work without a stored hash, and returns false. */
    async verify(password: string, stored: string | undefined): Promise<boolean> {
      const { salt, hash, cost } = parsePhc(stored ?? dummyHash)
      const isMatch = timingSafeEqual(await hashWith(password, salt, cost), hash)
      return isMatch && stored !== undefined
    },
  }
}

/** Returns a hash that no password matches. Signing in with it takes as long as with any other and always fails. */
export function createUnusableHash(): string {
  return formatPhc(randomBytes(16), Buffer.alloc(32), recommendedHashCost)
}

/** Whether the hash is of a password, not from `createUnusableHash`. */
export function hasPassword(stored: string): boolean {
  return parsePhc(stored).hash.some((byte) => byte !== 0)
}

export function formatPhc(salt: Buffer, hash: Buffer, { memory, passes }: HashCost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(hash)}`
}

const toUnpaddedBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/

/** Parses a stored hash. Throws if it is not argon2id with one lane. */
export function parsePhc(text: string) {
  const [, memory, passes, salt = '', hash = ''] = phcPattern.exec(text) ?? []
  if (!hash) throw new Error('A stored password hash is not argon2id with one lane.')
  const bytes = (base64: string) => Buffer.from(base64, 'base64')
  return { cost: { memory: Number(memory), passes: Number(passes) }, salt: bytes(salt), hash: bytes(hash) }
}
