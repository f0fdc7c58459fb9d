const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz'
const digits = '23456789'

/**
 * The character classes of a password; it has at least one character of each. Similar characters are left out: 0 O o,
 * 1 l I, | and quotes. `numbers` uses all ten digits, because there are no letters to confuse them with.
 */
export const characterSets = {
  symbols: [letters, digits, '!#$%&*+-=?@^_~'],
  letters: [letters, digits],
  numbers: ['0123456789'],
} as const

export type CharacterSet = keyof typeof characterSets

export interface PasswordOptions {
  /** Counts characters; at least the number of character classes. */
  length: number
  characterSet: CharacterSet
}

export const defaultPasswordOptions: PasswordOptions = { length: 20, characterSet: 'symbols' }

/** Fills an array as `crypto.getRandomValues` does. */
export type FillRandom = (array: Uint32Array<ArrayBuffer>) => unknown

/** Returns a random password. All passwords that the options allow are equally likely. */
export function generatePassword(
  { length, characterSet }: PasswordOptions,
  fill: FillRandom = (array) => crypto.getRandomValues(array),
): string {
  const characterClasses = characterSets[characterSet]
  const characters = characterClasses.join('')
  for (;;) {
    const password = Array.from({ length }, () => characters[randomBelow(characters.length, fill)]).join('')
    // Generates the whole password again: inserting a missing class would make some passwords more likely.
    if (characterClasses.every((characters) => [...characters].some((one) => password.includes(one))))
      return password
  }
}

/** Returns a random integer from 0 to `end` - 1. Rejects values that would cause a modulo bias. */
export function randomBelow(end: number, fill: FillRandom): number {
  const unbiasedLimit = 2 ** 32 - (2 ** 32 % end)
  const random = new Uint32Array(1)
  do fill(random)
  while ((random[0] ?? 0) >= unbiasedLimit)
  return (random[0] ?? 0) % end
}
