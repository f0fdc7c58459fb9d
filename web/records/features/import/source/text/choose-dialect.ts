import { isEmail, parseEmail } from '../../../../../../contract/employees.ts'
import {
  type Dialect,
  type Padding,
  type ReadLimits,
  type ReadResult,
  readRows,
  type TextRow,
} from './read-rows.ts'

/** Those of programs first, then those of people, and of other scripts. */
const delimiters = [',', ';', '\t', '|', '~', '^', ':', '，', '；', '、', '،', '؛']

/** A colon is within many cells: in a text with other delimiters, or with addresses, it separates none. */
const isPossible = (delimiter: string, sample: string) =>
  delimiter === ',' ||
  (sample.includes(delimiter) && (delimiter !== ':' || !/[,;\t|]|mailto:|:\/\//i.test(sample)))

const straightQuotes = ['"', '"'] as const

/** What autocorrection, people and some databases write instead. */
const otherQuotes = ['“”', '„“', '„”', '””', '«»', '»«', '‘’', '‚‘', "''", '``'].map(
  ([open = '', close = '']) => [open, close] as const,
)

/** How much of a text is examined, in UTF-16 code units, and how many rows. */
const sampleLength = 200_000
const sampleRows = 200

type Cells = Pick<TextRow, 'cells'>

export const isFilled = ({ cells }: Cells) => cells.some((cell) => cell.trim() !== '')

export const hasEmail = (cells: readonly string[]) => cells.some((cell) => isEmail(parseEmail(cell).email))

/** The most frequent number of cells, if possible of several. */
export function findWidth(rows: readonly Cells[]): number {
  const counts = new Map<number, number>()
  for (const row of rows)
    if (isFilled(row)) counts.set(row.cells.length, (counts.get(row.cells.length) ?? 0) + 1)
  const widths = [...counts].sort(([a, m], [b, n]) => Number(b > 1) - Number(a > 1) || n - m || b - a)
  return widths[0]?.[0] ?? 1
}

/** Whether all rows that are not blank have the same number of cells, of several. */
export function isRectangular(rows: readonly Cells[]): boolean {
  const width = findWidth(rows)
  return width > 1 && rows.every((row) => row.cells.length === width || !isFilled(row))
}

/** How much rows look like a list: emails in cells of their own, and the same number of cells. */
function rate({ rows, hasUnclosedQuote, brokenQuoteCount }: ReadResult): number {
  const filled = rows.filter(isFilled)
  if (filled.length === 0) return 0
  const width = findWidth(filled)
  const share = (count: number) => Math.min(1, count / filled.length)
  const emails = share(filled.filter(({ cells }) => hasEmail(cells)).length)
  const even = width > 1 ? share(filled.filter(({ cells }) => cells.length === width).length) : 0
  const several = width > 1 ? 0.5 + Math.min(width, 9) / 100 : 0
  return 4 * emails + 2 * even + several - (hasUnclosedQuote ? 1 : share(brokenQuoteCount))
}

/** Whether the marks enclose all cells that are not empty, perhaps not those of the header. */
function areAllEnclosed({ rows }: ReadResult): boolean {
  const filled = rows.filter(isFilled)
  const data = filled.length > 1 ? filled.slice(1) : filled
  return data.every(({ cells, areQuoted }) => cells.every((cell, i) => cell === '' || areQuoted[i]))
}

/** The delimiter and the quotation marks with which the beginning of a text looks most like a list. */
export function chooseDialect(text: string, declared?: string): Dialect {
  const sample = text.slice(0, sampleLength)
  const isWhole = sample.length === text.length
  let best: { dialect: Dialect; rating: number } | undefined
  for (const delimiter of declared === undefined
    ? delimiters.filter((delimiter) => isPossible(delimiter, sample))
    : [declared]) {
    for (const quotes of [straightQuotes, ...otherQuotes]) {
      const isStraight = quotes === straightQuotes
      if (!isStraight && !sample.includes(quotes[0])) continue
      const dialect = { delimiter, quotes }
      const read = readRows(sample, dialect, { maxRows: sampleRows, maxCells: 256 })
      if (!isWhole) read.hasUnclosedQuote = false
      if (!isStraight && !areAllEnclosed(read)) continue
      if (delimiter === ':' && !isRectangular(read.rows)) continue
      const rating = rate(read) + (isStraight ? 0 : 0.1)
      if (!best || rating > best.rating) best = { dialect, rating }
    }
  }
  return best?.dialect ?? { delimiter: ',', quotes: straightQuotes }
}

/** The spaces around the delimiters of a text that every cell has. */
export function findPadding(text: string, dialect: Dialect, limits: ReadLimits): Padding | undefined {
  const { delimiter } = dialect
  const space = [' ', '\u00a0', '\t'].find(
    (space) => space !== delimiter && (text.includes(delimiter + space) || text.includes(space + delimiter)),
  )
  if (space === undefined) return undefined
  const any = { space, behind: Infinity, before: Infinity, indent: Infinity }
  for (const part of [text.slice(0, sampleLength), text]) {
    const { leastPadding } = readRows(part, { ...dialect, padding: any }, limits)
    const finite = (count: number) => (Number.isFinite(count) ? count : 0)
    const { behind, before, indent } = leastPadding
    const padding = { space, behind: finite(behind), before: finite(before), indent: finite(indent) }
    if (padding.behind + padding.before === 0) return undefined
    if (part === text) return padding
  }
  return undefined
}
