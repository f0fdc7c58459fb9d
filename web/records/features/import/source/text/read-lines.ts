import { hasEmail } from './choose-dialect.ts'

/** What stands before each line of a list that was written by hand, or copied from a letter or a chat. */
const bullet = /^\s*(?:[-*+•·▪▫‣◦●○–—☐☑✓✔]|[-*] \[[ x]\])\s+/u
const ordinal = /^\s*(\d{1,6})[.)]\s+/

/** Removes the bullets or the numbers from the lines of a list, if all lines have them; of numbers only such as follow one another. */
export function removeMarkers(text: string): string {
  const [first = ''] = /^.*/.exec(text.trimStart()) ?? []
  const marker = [bullet, ordinal].find((pattern) => pattern.test(first))
  if (!marker) return text
  const lines = text.split(/\r{0,2}\n|\r/)
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length < 2 || !filled.every((line) => marker.test(line))) return text
  const numbers = filled.map((line) => Number(ordinal.exec(line)?.[1]))
  const isCounted = numbers.every((number, i) => number === (numbers[0] ?? 0) + i)
  if (marker === ordinal && !isCounted) return text
  return lines.map((line) => line.replace(marker, '')).join('\n')
}

/** The number of cells that a person writes into a line, at most. */
const maxWidth = 20

const separators = [' - ', ' – ', ' — ', ' / ', ' · ', ' • ', ' → ', ' -> ', ' = ', ' : ']

/**
 * Replaces signs with spaces around them by tabs, where all lines have the same number of them and an email of its own between
 * them: `Ada - ada@example.com - secret`.
 */
export function replaceSeparators(text: string): string {
  if (text.includes('\t')) return text
  const lines = text.split(/\r{0,2}\n|\r/)
  const filled = lines.filter((line) => line.trim() !== '')
  const [first = ''] = filled
  for (const separator of separators) {
    const width = first.split(separator).length
    const isRow = (line: string, i: number) => {
      const cells = line.split(separator)
      return cells.length === width && (hasEmail(cells) || i === 0)
    }
    if (
      width > 1 &&
      width <= maxWidth &&
      filled.every(isRow) &&
      hasEmail(filled.at(-1)?.split(separator) ?? [])
    )
      return lines.map((line) => line.split(separator).join('\t')).join('\n')
  }
  return text
}
