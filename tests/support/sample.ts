import { isNightly } from './nightly.ts'
import { createRandom } from './random.ts'

/** The day, as a number like 20261231. `TEST_SEED` replaces it, to repeat the choice of another day. */
export const seed = Number(process.env.TEST_SEED || new Date().toISOString().slice(0, 10).replaceAll('-', ''))

/**
 * Some cases of a test that takes long with all of them, in their order; all of them nightly. Each day has others. `salt`
 * distinguishes tests that choose from the same cases.
 */
export function sample<Case>(cases: readonly Case[], count: number, salt = ''): Case[] {
  if (isNightly) return [...cases]
  const random = createRandom([...salt].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed) | 0)
  const left = [...cases]
  while (left.length > count) left.splice(random(left.length), 1)
  return left
}
