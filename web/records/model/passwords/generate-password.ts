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

/** Returns a random password. All passwords that the options allow are equally likely. */
export function generatePassword({ length, characterSet }: PasswordOptions): string {
  const characterClasses = characterSets[characterSet]
  const characters = characterClasses.join('')
  for (;;) {
    const password = Array.from({ length }, () => characters[randomBelow(characters.length)]).join('')
    // Generates the whole password again: inserting a missing class would make some passwords more likely.
    if (characterClasses.every((characters) => [...characters].some((one) => password.includes(one))))
      return password
  }
}

/** Returns a random integer from 0 to `end` - 1, from those below 2 ** 32. Rejects values that would cause a modulo bias. */
export function randomBelow(end: number, draw = drawRandom): number {
  const unbiasedLimit = 2 ** 32 - (2 ** 32 % end)
  for (;;) {
    const random = draw()
    if (random < unbiasedLimit) return random % end
  }
}

/** Numbers for later draws, because a call of `getRandomValues` for each takes ten times as long. */
const drawn = new Uint32Array(1024)
let rest = 0

function drawRandom(): number {
  if (rest === 0) rest = crypto.getRandomValues(drawn).length
  rest -= 1
  const random = drawn[rest] ?? 0
  drawn[rest] = 0
  return random
}
