import { normalizeText } from './normalize-text.ts'

/** A text with the parts that match the search terms in `<mark>` elements. */
export function Highlight({ text, terms }: { text: string; terms: readonly string[] }) {
  if (terms.length === 0) return text
  let endOffset = 0
  return splitByMatches(text, terms).map((segment) => {
    endOffset += segment.text.length
    return segment.isMatch ? <mark key={endOffset}>{segment.text}</mark> : segment.text
  })
}

export interface TextSegment {
  text: string
  isMatch: boolean
}

/** Splits a text into matching and other segments. The segments joined are the text. `terms` are normalized. */
export function splitByMatches(text: string, terms: readonly string[]): TextSegment[] {
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

/** Splits into code points, each with its combining marks, so that a segment never ends between a letter and its accent. */
function splitLetters(text: string): string[] {
  return text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []
}

/** Says for each letter whether it is part of a match. A normalized letter can have several characters (ß) or none. */
function findMatchedLetters(normalized: string[], terms: readonly string[]): boolean[] {
  const joined = normalized.join('')
  const starts: number[] = []
  let length = 0
  for (const letter of normalized) {
    starts.push(length)
    length += letter.length
  }
  const covered = new Uint8Array(length)
  for (const term of terms) {
    for (let at = joined.indexOf(term); at >= 0; at = joined.indexOf(term, at + 1)) {
      covered.fill(1, at, at + term.length)
    }
  }
  return normalized.map((letter, index) => {
    const start = starts[index] ?? 0
    return covered.subarray(start, start + letter.length).includes(1)
  })
}
