import { findFirstPart } from '../../../../contract/predictable-text.ts'
import { type Message, msg } from '../../../language/translate.ts'

/** Here, because this file is loaded alone when the page is idle. */
const weaknesses = {
  userInput: msg('is like the name or email'),
  commonPassword: msg('is among the most used'),
  commonWord: msg('contains a very common word'),
  run: msg('follows keyboard or alphabet'),
  year: msg('contains a year'),
  repeat: msg('repeats itself'),
} as const

/** How hard a password is to guess for somebody who knows the name and the email of the record. */
export interface PasswordStrength {
  /** The estimated entropy. */
  bits: number
  level: 'very weak' | 'weak' | 'fair' | 'strong'
  /** The most significant weakness; null for a strong password. */
  because: Message | null
}

/** Characters beyond this length are ignored. */
const maxScoredLength = 128

/** Characters that people choose are not random: they have about this fraction of the entropy of random ones. */
const humanChoiceFactor = 0.8

const year = /^(?:19|20)\d\d/

let commonPasswords: ReadonlySet<string> = new Set()

/** Sets the most used and breached passwords, in lower case, which `estimateStrength` knows from then on. */
export function setCommonPasswords(passwords: ReadonlySet<string>): void {
  commonPasswords = passwords
}

/** The entropy of a predictable part, in bits. A repeated piece adds these to its own. */
const partBits = { userInput: 4, commonWord: 6, run: 5, repeat: 2, year: 6 }

/**
 * Estimates the strength as zxcvbn does, but with a very small dictionary: known words, repetitions and sequences count
 * little, and every other character counts by the size of its character pool. The result is a hint, not a guarantee.
 * zxcvbn-ts would add 230 KB, and take minutes for 100,000 records: 4 ms for a password, 300 times as long.
 */
export function estimateStrength(password: string, userInputs: readonly string[]): PasswordStrength {
  if (commonPasswords.has(password.toLowerCase()))
    return { bits: partBits.commonWord, level: 'very weak', because: weaknesses.commonPassword }
  const userWords = groupWords(userInputs.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)))
  const bitsPerCharacter = humanChoiceFactor * Math.log2(getPoolSize(password))
  let because: Message | null = null
  let longest = 0

  /** Returns the bits of a part. Remembers the longest predictable part as the reason. */
  function score(kind: keyof typeof partBits, length: number): number {
    if (length > longest) [because, longest] = [weaknesses[kind], length]
    return partBits[kind]
  }

  function countBits(text: string): number {
    let bits = 0
    for (let rest = text; rest !== ''; ) {
      const part = findFirstPart(rest)
      const userWord = findLongestWord(rest, userWords)
      const commonWord = findLongestWord(rest, commonWords)
      const yearLength = year.test(rest) ? 4 : 0
      const length = Math.max(part.length, userWord, commonWord, yearLength)
      if (length === userWord) bits += score('userInput', length)
      else if (length === commonWord) bits += score('commonWord', length)
      else if (length === yearLength && length > part.length) bits += score('year', length)
      else if (part.kind === 'repeat') bits += score('repeat', length) + countBits(part.piece)
      else bits += part.kind === 'run' ? score('run', length) : bitsPerCharacter
      rest = rest.slice(length)
    }
    return bits
  }

  const bits = countBits(password.slice(0, maxScoredLength).toLowerCase())
  const level = toLevel(bits)
  return { bits, level, because: level === 'strong' ? null : because }
}

function toLevel(bits: number): PasswordStrength['level'] {
  if (bits < 28) return 'very weak'
  if (bits < 45) return 'weak'
  return bits < 64 ? 'fair' : 'strong'
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

/** Words of three characters or more, by their first character. */
type Words = Map<string, string[]>

const groupWords = (words: readonly string[]): Words =>
  Map.groupBy(
    words.filter((word) => word.length >= 3),
    (word) => word.charAt(0),
  )

/** The most frequent words in published lists of leaked passwords, without sequences of keys and digits. */
const commonWords = groupWords(
  `password passwort passw0rd p@ssw0rd p@ssword pass welcome willkommen admin login letmein master secret geheim hello
  hallo monkey dragon sunshine princess football baseball superman batman shadow michael jordan iloveyou love test
  guest user root default changeme summer winter spring autumn sommer monday office company shop mail trustno1 starwars
  freedom whatever computer internet google charlie pokemon killer pepper ginger cheese banana chocolate flower`.split(
    /\s+/,
  ),
)

/** The length of the longest word that the text begins with; 0 for none. */
function findLongestWord(text: string, words: Words): number {
  let longest = 0
  for (const word of words.get(text.charAt(0)) ?? []) {
    if (word.length > longest && text.startsWith(word)) longest = word.length
  }
  return longest
}
