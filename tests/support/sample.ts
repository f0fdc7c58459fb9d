import { isNightly, settings } from './nightly.ts'
import { createRandom } from './random.ts'

/** The day, as a number like 20261231. `TEST_SEED` replaces it, to repeat the choice of another day. */
export const seed = Number(settings.TEST_SEED || new Date().toISOString().slice(0, 10).replaceAll('-', ''))

/**
 * Chooses some cases of a test that takes long with all of them, in their order; all of them nightly. Each day has others.
 * `salt` distinguishes tests that choose from the same cases.
 */
export const sample = <Case>(cases: readonly Case[], count: number, salt?: string): Case[] =>
  isNightly ? [...cases] : createSample(seed)(cases, count, salt)

export function createSample(seed: number) {
  return <Case>(cases: readonly Case[], count: number, salt = ''): Case[] => {
    const random = createRandom(
      [...salt].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed),
    )
    const left = [...cases]
    while (left.length > count) left.splice(random(left.length), 1)
    return left
  }
}
