import { weaknesses } from './words.ts'

/** How hard a password is to guess for somebody who knows the name and the email of the record. */
export interface PasswordStrength {
  /** The estimated entropy. */
  bits: number
  level: 'very weak' | 'weak' | 'fair' | 'strong'
  /** The most significant weakness; null for a strong password. */
  because: string | null
}

/** Characters beyond this length are ignored. */
const maxScoredLength = 128

/** Characters that people choose are not random: they have about this fraction of the entropy of random ones. */
const humanChoiceFactor = 0.8

interface Pattern {
  because: string
  /** The entropy of a match, in bits. */
  bits: number
  /** Returns the length of the match at this index; 0 for none. */
  lengthAt(text: string, index: number): number
}

/**
 * Estimates the strength as zxcvbn does, but with a very small dictionary: known words, repetitions and sequences count
 * little, and every other character counts by the size of its character pool. The result is a hint, not a guarantee.
 */
export function estimateStrength(password: string, userInputs: readonly string[]): PasswordStrength {
  const text = password.slice(0, maxScoredLength).toLowerCase()
  const patterns = [createUserInputPattern(userInputs), commonWords, repeats, sequences, years]
  const bitsPerCharacter = humanChoiceFactor * Math.log2(getPoolSize(password))
  let bits = 0
  let longestMatch: { because: string; length: number } | null = null
  for (let index = 0; index < text.length; ) {
    const match = findLongestMatch(patterns, text, index)
    bits += match ? match.bits : bitsPerCharacter
    if (match && match.length > (longestMatch?.length ?? 0)) longestMatch = match
    index += match?.length ?? 1
  }
  const level = toLevel(bits)
  return { bits, level, because: level === 'strong' ? null : (longestMatch?.because ?? null) }
}

function toLevel(bits: number): PasswordStrength['level'] {
  if (bits < 28) return 'very weak'
  if (bits < 45) return 'weak'
  return bits < 64 ? 'fair' : 'strong'
}

/** The first of the longest matches. */
function findLongestMatch(patterns: readonly Pattern[], text: string, index: number) {
  let longest: { because: string; bits: number; length: number } | undefined
  for (const { because, bits, lengthAt } of patterns) {
    const length = lengthAt(text, index)
    if (length > (longest?.length ?? 0)) longest = { because, bits, length }
  }
  return longest
}

const characterPools: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 100],
]

/** The number of characters to try for each character of the password. */
function getPoolSize(password: string): number {
  return characterPools.reduce((sum, [pattern, size]) => sum + (pattern.test(password) ? size : 0), 0) || 1
}

/** Words of the name and of the email, of three characters or more. */
function createUserInputPattern(userInputs: readonly string[]): Pattern {
  const words = userInputs.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return createWordPattern(weaknesses.userInput, 4, words)
}

const commonWords = createWordPattern(
  weaknesses.commonWord,
  6,
  // The most frequent words in published lists of leaked passwords, without sequences of keys and digits.
  `password passwort passw0rd p@ssw0rd p@ssword pass welcome willkommen admin login letmein master secret geheim hello
  hallo monkey dragon sunshine princess football baseball superman batman shadow michael jordan iloveyou love test
  guest user root default changeme summer winter spring autumn sommer monday office company shop mail trustno1 starwars
  freedom whatever computer internet google charlie pokemon killer pepper ginger cheese banana chocolate flower`.split(
    /\s+/,
  ),
)

function createWordPattern(because: string, bits: number, words: readonly string[]): Pattern {
  const usable = Map.groupBy(
    words.filter((word) => word.length >= 3),
    (word) => word[0],
  )
  return {
    because,
    bits,
    lengthAt: (text, index) =>
      longestOf(usable.get(text[index]), (word) => (text.startsWith(word, index) ? word.length : 0)),
  }
}

function longestOf(
  candidates: readonly string[] | undefined,
  measure: (candidate: string) => number,
): number {
  let longest = 0
  for (const candidate of candidates ?? []) longest = Math.max(longest, measure(candidate))
  return longest
}

const repetition = /(.{1,4}?)\1+/suy

/** Repetitions of one to four characters. */
const repeats: Pattern = {
  because: weaknesses.repeat,
  bits: 7,
  lengthAt(text, index) {
    repetition.lastIndex = index
    const length = repetition.test(text) ? repetition.lastIndex - index : 0
    return length >= 3 ? length : 0
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
const allSequences = forwardSequences.flatMap((sequence) => [sequence, [...sequence].reverse().join('')])

/** What can follow in a sequence from each of its characters, which it begins with. */
const sequenceEnds = Map.groupBy(
  allSequences.flatMap((sequence) => [...sequence].map((_, start) => sequence.slice(start))),
  (end) => end[0],
)

const sequences: Pattern = {
  because: weaknesses.sequence,
  bits: 5,
  lengthAt(text, index) {
    const length = longestOf(sequenceEnds.get(text[index]), (end) => countCommon(text, index, end))
    return length >= 3 ? length : 0
  },
}

/** Returns how many characters of the text, from the index, are those that the other text begins with. */
function countCommon(text: string, index: number, other: string): number {
  let length = 0
  while (length < other.length && text[index + length] === other[length]) length++
  return length
}

const year = /(?:19|20)\d\d/y

const years: Pattern = {
  because: weaknesses.year,
  bits: 6,
  lengthAt(text, index) {
    year.lastIndex = index
    return year.test(text) ? 4 : 0
  },
}
