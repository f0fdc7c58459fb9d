import { fold } from './normalize-text.ts'

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string
  isMatch: boolean
}

/** Cuts a text into pieces so that what the terms match can be marked. The pieces put together are the text. */
export function piecesOf(text: string, terms: readonly string[]): Piece[] {
  if (terms.length === 0) return [{ text, isMatch: false }]
  const letters = lettersOf(text)
  const isMatch = matched(letters.map(fold), terms)
  const pieces: Piece[] = []
  for (const [index, letter] of letters.entries()) {
    const last = pieces.at(-1)
    if (last && last.isMatch === isMatch[index]) last.text += letter
    else pieces.push({ text: letter, isMatch: isMatch[index] ?? false })
  }
  return pieces
}

/** Code points, each with the accents that follow it: a mark must not come between a letter and its accent. */
function lettersOf(text: string): string[] {
  return text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []
}

/** For each letter, whether it has a part in a match; a letter may fold to several (ß) or to none. */
function matched(folded: string[], terms: readonly string[]): boolean[] {
  const whole = folded.join('')
  const starts: number[] = []
  let length = 0
  for (const part of folded) {
    starts.push(length)
    length += part.length
  }
  const covered = new Uint8Array(length)
  for (const term of terms) {
    for (let at = whole.indexOf(term); at >= 0; at = whole.indexOf(term, at + 1)) {
      covered.fill(1, at, at + term.length)
    }
  }
  return folded.map((part, index) => {
    const start = starts[index] ?? 0
    return covered.subarray(start, start + part.length).includes(1)
  })
}
