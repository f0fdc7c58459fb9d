import { passwordLength } from './accounts.ts'
import { errors } from './errors.ts'

const rows = [
  '1234567890',
  '!@#$%^&*()',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
].flatMap((row) => [row, [...row].reverse().join('')])

/** What follows in the keyboard's rows from each of their characters, which it begins with. */
const runsByStart = Map.groupBy(
  rows.flatMap((row) => [...row].map((_, start) => row.slice(start))),
  (run) => run.charAt(0),
)

const repetition = /^(.+?)\1+/su

/** The start of a text: a run of at least 3 neighbouring letters, digits or keys, a repeated piece, or one character. */
export interface TextPart {
  kind: 'run' | 'repeat' | 'character'
  length: number
  /** What a repeat repeats; empty for the others. */
  piece: string
}

/** Returns the longest predictable part that a text begins with. The text is in lower case and not empty. */
export function findFirstPart(text: string): TextPart {
  const [repeat = '', piece = ''] = repetition.exec(text) ?? []
  const runLength = countRun(text)
  if (repeat.length > Math.max(2, runLength)) return { kind: 'repeat', length: repeat.length, piece }
  return runLength > 2
    ? { kind: 'run', length: runLength, piece: '' }
    : { kind: 'character', length: 1, piece: '' }
}

/** Counts the characters of a text that do not follow from those before them: a run counts as one, a repeated piece once. */
function countUnpredictable(text: string): number {
  let count = 0
  for (let rest = text.toLowerCase(); rest !== ''; ) {
    const { kind, length, piece } = findFirstPart(rest)
    count += kind === 'repeat' ? countUnpredictable(piece) : 1
    rest = rest.slice(length)
  }
  return count
}

/** The number of characters at the start of a text that are neighbours in one direction. */
function countRun(text: string): number {
  let longest = Math.max(countSteps(text, 1), countSteps(text, -1))
  for (const run of runsByStart.get(text.charAt(0)) ?? []) longest = Math.max(longest, countCommon(text, run))
  return longest
}

function countSteps(text: string, step: number): number {
  let length = 1
  while (text.charCodeAt(length) - text.charCodeAt(length - 1) === step) length++
  return length
}

function countCommon(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** An obvious guess, so it does not count towards a password's length. */
const productName = 'staffbook'

/** Repeats and rows are among the first guesses, as `12341234` or `qwertyui`. */
const minUnpredictable = 5

/** Returns the reason, as a message for the user, why an account may not use this password; undefined if it may. */
export function findPasswordProblem(password: string): string | undefined {
  const normalized = password.normalize('NFC')
  const length = countCodePoints(normalized)
  if (length < passwordLength.min || length > passwordLength.max || !normalized.isWellFormed()) {
    return errors['weak-password'].message
  }
  const lower = normalized.toLowerCase()
  if (
    lower.includes(productName) &&
    countCodePoints(lower.replaceAll(productName, '')) < passwordLength.min
  ) {
    return 'Choose a password that contains more than the name of this product.'
  }
  if (countUnpredictable(normalized) < minUnpredictable) {
    return 'Choose a password that isn’t just repeats or keyboard or alphabet sequences.'
  }
  return
}

const countCodePoints = (text: string) => [...text].length
