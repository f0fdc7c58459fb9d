import { piecesOf } from './highlight-ranges.ts'

/** A text with what was searched for marked in it. */
export function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  if (terms.length === 0) return text
  let at = 0
  return piecesOf(text, terms).map((piece) => {
    at += piece.text.length
    return piece.isMatch ? <mark key={at}>{piece.text}</mark> : piece.text
  })
}
