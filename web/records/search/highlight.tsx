import { splitByMatches } from './highlight-ranges.ts'

/** A text with what was searched for marked in it. */
export function Highlight({ text, terms }: { text: string; terms: readonly string[] }) {
  if (terms.length === 0) return text
  let endOffset = 0
  return splitByMatches(text, terms).map((segment) => {
    endOffset += segment.text.length
    return segment.isMatch ? <mark key={endOffset}>{segment.text}</mark> : segment.text
  })
}
