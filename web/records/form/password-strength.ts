/** How hard a password is to guess, for whoever knows the record's name and email. */
export interface PasswordStrength {
  /** About how many bits a guesser must go through. */
  bits: number
  level: 'very weak' | 'weak' | 'fair' | 'strong'
  /** What makes it easy to guess, if there is such a thing. */
  because: string | null
}

/** Letters beyond these say nothing more. */
const maxScoredLength = 128

/** Letters that a person chose are no dice: each is worth about so much of what it could be. */
const humanChoiceFactor = 0.8

interface Pattern {
  because: string
  /** What a guesser pays for it, in bits. */
  bits: number
  /** How many letters from here belong to it; 0: none. */
  lengthAt(text: string, at: number): number
}

/**
 * A small estimate, in the manner of zxcvbn but for its dictionaries: known words, runs and rows cost a guesser next to
 * nothing, every other letter what its alphabet is worth. A hint for people, not a proof.
 */
export function estimateStrength(password: string, userInputs: readonly string[]): PasswordStrength {
  const text = password.slice(0, maxScoredLength).toLowerCase()
  const patterns = [createUserInputPattern(userInputs), commonWords, repeats, sequences, years]
  const bitsPerCharacter = humanChoiceFactor * Math.log2(poolOf(password))
  let bits = 0
  let longestMatch: { because: string; length: number } | null = null
  for (let at = 0; at < text.length; ) {
    const found = findLongestMatch(patterns, text, at)
    bits += found ? found.bits : bitsPerCharacter
    if (found && found.length > (longestMatch?.length ?? 0)) longestMatch = found
    at += found?.length ?? 1
  }
  const level = levelOf(bits)
  return { bits, level, because: level === 'strong' ? null : (longestMatch?.because ?? null) }
}

function levelOf(bits: number): PasswordStrength['level'] {
  if (bits < 28) return 'very weak'
  if (bits < 45) return 'weak'
  return bits < 64 ? 'fair' : 'strong'
}

function findLongestMatch(patterns: readonly Pattern[], text: string, at: number) {
  return patterns
    .map(({ because, bits, lengthAt }) => ({ because, bits, length: lengthAt(text, at) }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length)[0]
}

/** How many signs a guesser has to try for one place. */
function poolOf(password: string): number {
  const pools: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ]
  return pools.reduce((sum, [pattern, size]) => sum + (pattern.test(password) ? size : 0), 0) || 1
}

/** Parts of the name and of the email, of three letters or more. */
function createUserInputPattern(userInputs: readonly string[]): Pattern {
  const words = userInputs.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return createWordPattern('it holds part of the name or the email', 4, words)
}

const commonWords = createWordPattern(
  'it holds a word that everybody tries',
  6,
  // The words that lead the published lists of leaked passwords, without the mere rows of keys and figures.
  `password passwort passw0rd p@ssw0rd p@ssword pass welcome willkommen admin login letmein master secret geheim hello
  hallo monkey dragon sunshine princess football baseball superman batman shadow michael jordan iloveyou love test
  guest user root default changeme summer winter spring autumn sommer monday office company shop mail trustno1 starwars
  freedom whatever computer internet google charlie pokemon killer pepper ginger cheese banana chocolate flower`.split(
    /\s+/,
  ),
)

function createWordPattern(because: string, bits: number, words: readonly string[]): Pattern {
  const usable = words.filter((word) => word.length >= 3)
  return {
    because,
    bits,
    lengthAt: (text, at) =>
      usable.reduce((most, word) => (text.startsWith(word, at) ? Math.max(most, word.length) : most), 0),
  }
}

/** The same letter, or the same two or three, again and again. */
const repeats: Pattern = {
  because: 'it repeats itself',
  bits: 7,
  lengthAt(text, at) {
    const found = /^(.{1,4}?)\1+/su.exec(text.slice(at))?.[0].length ?? 0
    return found >= 3 ? found : 0
  },
}

const forwardSequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]
const allSequences = forwardSequences.flatMap((row) => [row, [...row].reverse().join('')])

const sequences: Pattern = {
  because: 'it follows a row of letters, figures or keys',
  bits: 5,
  lengthAt(text, at) {
    return allSequences.reduce((most, row) => Math.max(most, getRunLength(text.slice(at), row)), 0)
  },
}

/** How far a text goes along a row, from anywhere in it; less than three letters are none. */
function getRunLength(text: string, row: string): number {
  const from = row.indexOf(text[0] ?? ' ')
  if (from < 0) return 0
  let length = 0
  while (from + length < row.length && text[length] === row[from + length]) length++
  return length >= 3 ? length : 0
}

const years: Pattern = {
  because: 'it holds a year',
  bits: 6,
  lengthAt: (text, at) => (/^(19|20)\d\d/.test(text.slice(at, at + 4)) ? 4 : 0),
}
