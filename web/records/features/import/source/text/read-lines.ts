import { isEmail, parseEmail } from '../../../../../../contract/employees.ts'
import { isEmailHeader, isHeader, isSecretHeader } from '../detect-columns.ts'
import { hasEmail } from './choose-dialect.ts'
import { splitLines } from './split-lines.ts'

const isFilled = (line: string) => line.trim() !== ''
const isEmailLine = (line: string) => isEmail(parseEmail(line).email)

/** What stands before each line of a list that was written by hand, copied from a letter or a chat, of mutt, or quoted in an answer. */
const markers = [
  /^\s*(?:[-*] \[[ x]\]|[-*+•·▪▫‣◦●○–—☐☑✓✔])\s+/u,
  /^\s*\d{1,6}[.)]\s+/,
  /^alias\s+\S{1,100}\s+/,
  /^(?:> ?)+/,
]

/**
 * Removes the bullets or the numbers from the lines of a list, if all lines but a header have them; of numbers only such as follow
 * one another, or the same one, as Markdown allows.
 */
export function removeMarkers(text: string): string {
  const lines = splitLines(text)
  const listed = lines.filter(isFilled)
  const titles = (listed[0] ?? '').slice(0, 2_000).split(/[,;|]| [-–—/] /)
  const hasHeader = titles.filter((cell) => isHeader(cell)).length > 1
  // What would be a marker may begin the secrets.
  if (hasHeader && isSecretHeader(titles[0] ?? '')) return text
  const filled = listed.slice(hasHeader && !markers.some((pattern) => pattern.test(listed[0] ?? '')) ? 1 : 0)
  const marker = markers.find((pattern) => pattern.test(filled[0] ?? ''))
  if (!marker || listed.length < 2 || !filled.every((line) => marker.test(line))) return text
  const numbers = filled.map((line) => Number.parseInt(line.trim(), 10))
  const [first = Number.NaN] = numbers
  const isCounted = [0, 1].some((step) => numbers.every((number, i) => number === first + i * step))
  return Number.isNaN(first) || isCounted ? lines.map((line) => line.replace(marker, '')).join('\n') : text
}

/** The number of cells that a person writes into a line or below one another, at most. */
const maxWidth = 20
const maxHeight = 6

/**
 * Joins lines with a field each by tabs, where the emails come in the same distance. A record has at least a name or a
 * password besides. Returns undefined for other texts, as the functions below do.
 */
export function joinFields(text: string): string | undefined {
  if (text.includes('\t')) return undefined
  const lines = splitLines(text.trim())
  const filled = lines.filter(isFilled)
  const first = filled.slice(0, 2 * maxHeight).findIndex(isEmailLine)
  const height = filled.slice(first + 1, first + 1 + maxHeight).findIndex(isEmailLine) + 1
  const start = first % height
  const hasHeader = first >= height && isEmailHeader(filled[start] ?? '')
  if (first === -1 || height < 2 || filled.length % height > 0) return undefined
  const rowsStart = hasHeader ? height : 0
  const hasEmailAt = (i: number) => i >= rowsStart && i % height === start
  if (!filled.every((line, i) => isEmailLine(line) === hasEmailAt(i))) return undefined
  if (lines.length < filled.length * 2 - 1 && areCutBetween(lines, height)) return undefined
  return Array.from({ length: filled.length / height }, (_, i) =>
    filled.slice(i * height, (i + 1) * height).join('\t'),
  ).join('\n')
}

/** Whether blank lines are elsewhere than between groups of this many lines. */
function areCutBetween(lines: readonly string[], height: number): boolean {
  let count = 0
  return lines.some((line) => {
    if (isFilled(line)) count++
    return !isFilled(line) && count % height !== 0
  })
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
  const [top = '', ...others] = splitLines(text).filter(isFilled)
  if (others.length === 0) return undefined
  const header = splitHeader(top)
  const rows = (header ? others : [top, ...others]).map((line) => splitAtEmail(line, !header))
  const separators = new Set(rows.map((row) => row?.separator))
  if (rows.includes(undefined) || separators.size > 1) return undefined
  // Spaces that not all lines have are of the text, unless they make a column.
  const texts = rows.filter((row) => row !== undefined && row.rest !== '')
  const starts = new Set(texts.map((row) => row?.restStart))
  const least = Math.min(...texts.map((row) => row?.spaceCount ?? 0))
  const spaces = ({ spaceCount }: SplitLine) => (starts.size > 1 ? ' '.repeat(spaceCount - least) : '')
  const toText = (row: SplitLine) =>
    [row.name, row.email, ...(row.rest === '' ? [] : [spaces(row) + row.rest])].join('\t')
  return [...(header ? [header.join('\t')] : []), ...rows.map((row) => row && toText(row))].join('\n')
}

/** The headers before, of and behind the emails, of words with spaces between them; undefined if that of the emails is not known. */
function splitHeader(line: string): string[] | undefined {
  const words = line.slice(0, 200).split(/ +/).filter(Boolean)
  if (words.some((word) => word.includes('@'))) return undefined
  const join = (start: number, end?: number) => words.slice(start, end).join(' ')
  for (const length of [2, 1])
    for (let at = 1; at + length <= words.length; at++)
      if (isEmailHeader(join(at, at + length)) && isHeader(join(0, at)))
        return [join(0, at), join(at, at + length), join(at + length)].filter(Boolean)
  return undefined
}

interface SplitLine {
  name: string
  email: string
  separator: string
  rest: string
  restStart: number
  /** The number of spaces before the rest. */
  spaceCount: number
}

/** The texts before, in and behind the only email of a line; if it `hasSigns`, one alone separates them, and is no part of them. */
function splitAtEmail(line: string, hasSigns: boolean): SplitLine | undefined {
  const words = [...line.matchAll(/[^ ]+/g)]
  const emails = words.map(({ 0: word }) => parseEmail(word.replace(/^[([<](.*)[)\]>]$/, '$1')).email)
  const at = emails.findIndex(isEmail)
  const word = words[at]
  if (!word || at < 1 || emails.findLastIndex(isEmail) > at) return undefined
  const before = line.slice(0, word.index).trim()
  const name = hasSigns ? before.replace(/ ?[:=–—-]$/, '') : before
  const behind = line.slice(word.index + word[0].length)
  const separator = (hasSigns && /^ *([:=/–—-])(?= )/.exec(behind)?.[1]) || ''
  const rest = behind.replace(/^ +/, '').slice(separator.length).replace(/^ +/, '')
  const restStart = line.length - rest.length
  const spaceCount = restStart - line.slice(0, restStart).trimEnd().length
  return { name, email: emails[at] ?? '', separator, rest, restStart, spaceCount }
}
