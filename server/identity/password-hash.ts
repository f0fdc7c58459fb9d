import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../http/refusal.ts'

export interface HashCost {
  /** KiB */
  memory: number
  passes: number
}

/** OWASP's and the RFC's smallest advice for argon2id with one lane. */
export const recommendedCost: HashCost = { memory: 19_456, passes: 2 }

export interface HashLimits {
  /** Hashes at once; each holds `memory` and one of libuv's threads, which files and compression need too. */
  atOnce?: number
  /** Further ones that may wait; beyond, a request is refused as `busy`. */
  waiting?: number
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

const derive = promisify(argon2)

export function createPasswordHasher(
  cost: HashCost = recommendedCost,
  { atOnce = 2, waiting = 100 }: HashLimits = {},
) {
  const inTurn = createTurns(atOnce, waiting)

  async function hashWith(password: string, salt: Buffer, { memory, passes }: HashCost) {
    const parameters: Argon2Parameters = {
      message: password.normalize('NFC'),
      nonce: salt,
      parallelism: 1,
      tagLength: 32,
      memory,
      passes,
    }
    return inTurn(() => derive('argon2id', parameters))
  }

  const nobody = phc(randomBytes(16), randomBytes(32), cost)

  return {
    /** A PHC string: the hash with its salt and cost. */
    async hash(password: string): Promise<string> {
      const salt = randomBytes(16)
      return phc(salt, await hashWith(password, salt, cost), cost)
    },
    /** Where there is no hash to compare with, the same work is done, and the answer is no. */
    async verify(password: string, stored: string | undefined): Promise<boolean> {
      const { salt, hash, cost } = parsePhc(stored ?? nobody)
      const same = timingSafeEqual(await hashWith(password, salt, cost), hash)
      return same && stored !== undefined
    },
  }
}

/** Lets so many run at once and so many wait. */
function createTurns(atOnce: number, maxWaiting: number) {
  const queue: (() => void)[] = []
  let running = 0

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running++
    else if (queue.length >= maxWaiting) throw new Refusal('busy', { retryAfter: 2 })
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}

function phc(salt: Buffer, hash: Buffer, { memory, passes }: HashCost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${unpadded(salt)}$${unpadded(hash)}`
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/

function parsePhc(text: string) {
  const [, memory, passes, salt = '', hash = ''] = phcPattern.exec(text) ?? []
  if (!hash) throw new Error('A stored password hash is not argon2id with one lane.')
  const bytes = (base64: string) => Buffer.from(base64, 'base64')
  return { cost: { memory: Number(memory), passes: Number(passes) }, salt: bytes(salt), hash: bytes(hash) }
}
