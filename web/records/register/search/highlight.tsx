import { normalizeSpelledOut, normalizeText, separators } from '../../../lib/texts/normalize-text.ts'

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
  // Each with its combining marks, so that a segment never ends between a letter and its accent.
  const letters = text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []
  const withoutSeparators = (letter: string) => normalizeText(letter).replace(separators, '')
  const spellings = [normalizeText, normalizeSpelledOut, withoutSeparators]
  const matching = new Set(spellings.flatMap((spell) => findMatching(letters.map(spell), terms)))
  const segments: TextSegment[] = []
  for (const [index, letter] of letters.entries()) {
    const last = segments.at(-1)
    // What is ignored does not divide a match.
    const isMatch = normalizeText(letter) === '' ? (last?.isMatch ?? false) : matching.has(index)
    if (last?.isMatch === isMatch) last.text += letter
    else segments.push({ text: letter, isMatch })
  }
  return segments
}

/** The indices of the letters that a term covers. A normalized letter can have several characters (ß) or none. */
function findMatching(normalized: readonly string[], terms: readonly string[]): number[] {
  const joined = normalized.join('')
  const covered = new Uint8Array(joined.length)
  for (const term of terms) {
    for (let at = joined.indexOf(term); at >= 0; at = joined.indexOf(term, at + 1)) {
      covered.fill(1, at, at + term.length)
    }
  }
  let end = 0
  return normalized.flatMap((letter, index) => {
    const start = end
    end += letter.length
    return covered.subarray(start, end).includes(1) ? [index] : []
  })
}
