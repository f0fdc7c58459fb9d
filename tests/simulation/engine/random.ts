import { createRandom } from '../../support/random.ts'

/** Random choices of one part of a simulation. A part's choices stay the same when others make more or fewer. */
export class Random {
  readonly #next: (below: number) => number

  constructor(seed: number, part: string) {
    this.#next = createRandom(mix(seed, part))
    // The first number of neighbouring seeds is similar.
    this.#next(2)
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return this.#next(limit)
  }

  /** A number from 0 to 1, without 1. */
  fraction(): number {
    return this.#next(2 ** 32) / 2 ** 32
  }

  between(min: number, max: number): number {
    return min + this.fraction() * (max - min)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  fill<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.below(256)
    return bytes
  }
}

/** FNV-1a over the seed and the name. */
function mix(seed: number, part: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (const character of part) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
}
