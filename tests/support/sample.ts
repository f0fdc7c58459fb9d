import { isNightly, settings } from './nightly.ts'
import { createRandom } from './random.ts'

/** The day, as a number like 20261231. `TEST_SEED` replaces it, to repeat the choice of another day. */
export const seed = Number(settings.TEST_SEED || new Date().toISOString().slice(0, 10).replaceAll('-', ''))

interface Choice<Case> {
  /** Distinguishes tests that choose from the same cases. */
  salt?: string
  /** The cases that each day has, besides the chosen ones. */
  isCorner?: (one: Case) => boolean
}

/**
 * Chooses so many cases of a test that takes long with all of them, and adds the corner cases; keeps their order. Each day has
 * others; nightly has all.
 */
export const sample = <Case>(cases: readonly Case[], count: number, choice?: Choice<Case>): Case[] =>
  isNightly ? [...cases] : createSample(seed)(cases, count, choice)

export function createSample(seed: number) {
  return <Case>(
    cases: readonly Case[],
    count: number,
    { salt = '', isCorner }: Choice<Case> = {},
  ): Case[] => {
    const random = createRandom(
      [...salt].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed),
    )
    const chosen = [...cases.keys()].filter((i) => !isCorner?.(cases[i] as Case))
    while (chosen.length > count) chosen.splice(random(chosen.length), 1)
    return cases.filter((one, i) => chosen.includes(i) || isCorner?.(one))
  }
}

/** Whether a day tries the test with this title, of several that are alike: about half of them. */
export const isTriedToday = (title: string): boolean => sample([true, false], 1, { salt: title })[0] === true
