import { isEmail, parseEmail } from '../../../../../../contract/employees.ts'
import { hasEmail } from './choose-dialect.ts'

const splitLines = (text: string) => text.split(/\r{0,2}\n|\r/)
const isFilled = (line: string) => line.trim() !== ''
const isEmailLine = (line: string) => isEmail(parseEmail(line).email)

/** What stands before each line of a list that was written by hand, copied from a letter or a chat, or of mutt. */
const markers = [
  /^\s*(?:[-*] \[[ x]\]|[-*+•·▪▫‣◦●○–—☐☑✓✔])\s+/u,
  /^\s*\d{1,6}[.)]\s+/,
  /^alias\s+\S{1,100}\s+/,
]

/** Removes the bullets or the numbers from the lines of a list, if all lines have them; of numbers only such as follow one another. */
export function removeMarkers(text: string): string {
  const lines = splitLines(text)
  const filled = lines.filter(isFilled)
  const marker = markers.find((pattern) => pattern.test(filled[0] ?? ''))
  if (!marker || filled.length < 2 || !filled.every((line) => marker.test(line))) return text
  const numbers = filled.map((line) => Number.parseInt(line.trim(), 10))
  const [first = Number.NaN] = numbers
  const isCounted = Number.isNaN(first) || numbers.every((number, i) => number === first + i)
  return isCounted ? lines.map((line) => line.replace(marker, '')).join('\n') : text
}

/** The number of cells that a person writes into a line or below one another, at most. */
const maxWidth = 20
const maxHeight = 6

/**
 * Joins lines with a field each by tabs, where the emails come in the same distance. Undefined for other texts, as all functions
 * below: a record has at least a name or a password besides.
 */
export function joinFields(text: string): string | undefined {
  if (text.includes('\t')) return undefined
  const filled = splitLines(text).filter(isFilled)
  const start = filled.slice(0, maxHeight).findIndex(isEmailLine)
  const height = filled.slice(start + 1, start + 1 + maxHeight).findIndex(isEmailLine) + 1
  if (start === -1 || height < 2 || start >= height || filled.length % height > 0) return undefined
  if (!filled.every((line, i) => isEmailLine(line) === (i % height === start))) return undefined
  return Array.from({ length: filled.length / height }, (_, i) =>
    filled.slice(i * height, (i + 1) * height).join('\t'),
  ).join('\n')
}

const signs = [' - ', ' – ', ' — ', ' / ', ' · ', ' • ', ' → ', ' -> ', ' = ', ' : ']

/**
 * Replaces signs with spaces around them by tabs, where all lines have the same number of them and an email of its own between
 * them: `Ada - ada@example.com - secret`.
 */
export function separateSigns(text: string): string | undefined {
  if (text.includes('\t')) return undefined
  const lines = splitLines(text)
  const filled = lines.filter(isFilled)
  const [first = ''] = filled
  for (const sign of signs) {
    const width = first.split(sign).length
    if (width < 2 || width > maxWidth) continue
    const isRow = (line: string, i: number) => {
      const cells = line.split(sign)
      return cells.length === width && (hasEmail(cells) || (i === 0 && filled.length > 1))
    }
    if (filled.every(isRow)) return lines.map((line) => line.split(sign).join('\t')).join('\n')
  }
  return undefined
}

/** Puts tabs around the only email of each line, of several: `Ada Lovelace ada@example.com secret`, `Ada (ada@example.com)`. */
export function separateEmails(text: string): string | undefined {
  if (/[\t,;|]/.test(text)) return undefined
  const filled = splitLines(text).filter(isFilled)
  if (filled.length < 2) return undefined
  const rows: string[] = []
  for (const line of filled) {
    const words = line.trim().split(/ +/)
    const emails = words.map((word) => word.replace(/^[([<](.*)[)\]>]$/, '$1')).map(parseEmail)
    const at = emails.findIndex(({ email }) => isEmail(email))
    if (at < 1 || emails.findLastIndex(({ email }) => isEmail(email)) > at) return undefined
    rows.push(
      [
        words
          .slice(0, at)
          .join(' ')
          .replace(/ ?[:=–—-]$/, ''),
        emails[at]?.email,
        words.slice(at + 1).join(' '),
      ]
        .join('\t')
        .trimEnd(),
    )
  }
  return rows.join('\n')
}
