const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz'
const figures = '23456789'

/**
 * What a password can be made of: kinds of signs, each of which is in it at least once. None looks like another one:
 * no 0 and O and o, no 1 and l and I, no | and quotes. Figures alone can't be mistaken, so all ten are used.
 */
export const characterSets = {
  symbols: [letters, figures, '!#$%&*+-=?@^_~'],
  letters: [letters, figures],
  figures: ['0123456789'],
} as const

export type CharacterSet = keyof typeof characterSets

export interface PasswordOptions {
  /** In signs, at least as many as the alphabet has kinds. */
  length: number
  characterSet: CharacterSet
}

export const defaultPasswordOptions: PasswordOptions = { length: 20, characterSet: 'symbols' }

/** Fills the array with random numbers, as `crypto.getRandomValues` does. */
export type FillRandom = (array: Uint32Array<ArrayBuffer>) => unknown

/** A random password; every one that the recipe allows is as likely as any other. */
export function generatePassword(
  { length, characterSet }: PasswordOptions,
  fill: FillRandom = (array) => crypto.getRandomValues(array),
): string {
  const characterClasses = characterSets[characterSet]
  const characters = characterClasses.join('')
  for (;;) {
    const password = Array.from({ length }, () => characters[randomBelow(characters.length, fill)]).join('')
    // Drawn again as a whole: to put the missing kind in afterwards would make some passwords likelier.
    if (characterClasses.every((kind) => [...kind].some((sign) => password.includes(sign)))) return password
  }
}

/** A random whole number below `end`. What is left over beyond the last full round is drawn again: no modulo bias. */
export function randomBelow(end: number, fill: FillRandom): number {
  const unbiasedLimit = 2 ** 32 - (2 ** 32 % end)
  const drawn = new Uint32Array(1)
  do fill(drawn)
  while ((drawn[0] ?? 0) >= unbiasedLimit)
  return (drawn[0] ?? 0) % end
}
