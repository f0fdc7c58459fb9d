import { normalizeText } from './normalize-text.ts'

/** A piece of a text, and whether it is what was searched for. */
export interface TextSegment {
  text: string
  isMatch: boolean
}

/** Cuts a text into pieces so that what the terms match can be marked. The pieces put together are the text. */
export function splitByMatches(text: string, terms: readonly string[]): TextSegment[] {
  if (terms.length === 0) return [{ text, isMatch: false }]
  const letters = splitLetters(text)
  const matches = findMatchedLetters(letters.map(normalizeText), terms)
  const segments: TextSegment[] = []
  for (const [index, letter] of letters.entries()) {
    const last = segments.at(-1)
    if (last && last.isMatch === matches[index]) last.text += letter
    else segments.push({ text: letter, isMatch: matches[index] ?? false })
  }
  return segments
}

/** Code points, each with the accents that follow it: a mark must not come between a letter and its accent. */
function splitLetters(text: string): string[] {
  return text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []
}

/** For each letter, whether it has a part in a match; a letter may fold to several (ß) or to none. */
function findMatchedLetters(normalized: string[], terms: readonly string[]): boolean[] {
  const joined = normalized.join('')
  const starts: number[] = []
  let length = 0
  for (const part of normalized) {
    starts.push(length)
    length += part.length
  }
  const covered = new Uint8Array(length)
  for (const term of terms) {
    for (let at = joined.indexOf(term); at >= 0; at = joined.indexOf(term, at + 1)) {
      covered.fill(1, at, at + term.length)
    }
  }
  return normalized.map((part, index) => {
    const start = starts[index] ?? 0
    return covered.subarray(start, start + part.length).includes(1)
  })
}
