import { type Message, msg } from '../../../../../language/translate.ts'
import { chooseDialect, findPadding, findWidth, hasEmail, isFilled, isRectangular } from './choose-dialect.ts'
import { type Dialect, type ReadLimits, type ReadResult, readRows, type TextRow } from './read-rows.ts'
import { quotesDoubt } from './to-list.ts'

export interface TextList extends ReadResult {
  /** What may be wrong with it. */
  doubts: Message[]
  /** The rows that a line break within a cell may have cut. */
  cutRows: ReadonlySet<TextRow>
}

/** Reads a list in CSV, or the rows of a spreadsheet, in whatever dialect. `declared`: the delimiter that the text declares. */
export function readText(text: string, limits: ReadLimits, declared?: string): TextList {
  const dialect = chooseDialect(text, declared)
  const padding = findPadding(text, dialect, limits)
  const read = readQuotes(readLineEnds(text, { ...dialect, padding }, limits), limits)
  return { ...read, cutRows: findCutRows(read.rows) }
}

interface Reading {
  /** As it was read: without doubled CRs. */
  text: string
  original: string
  dialect: Dialect
  result: ReadResult
  doubts: Message[]
}

const breaksDoubt = msg(
  'Line breaks in cells are written in another way than those between rows. Check the passwords.',
)

/** Unicode's line ends are such if whole rows are between them. Python on Windows doubles the CR of each line end, also in cells. */
function readLineEnds(text: string, dialect: Dialect, limits: ReadLimits): Reading {
  const result = readRows(text, dialect, limits)
  const plain = { text, original: text, dialect, result, doubts: [] }
  if (/[\u0085\u2028\u2029]/.test(text)) {
    const withUnicode = { ...dialect, hasUnicodeLineEnds: true }
    const other = readRows(text, withUnicode, limits)
    if (other.rows.length > result.rows.length && isRectangular(other.rows))
      return { ...plain, dialect: withUnicode, result: other }
  }
  const isDoubled = result.rows.every(({ end }) => end === '\r\r\n' || end === '')
  if (!isDoubled || !text.includes('\r\r\n') || /[^\r]\n/.test(text)) return plain
  const undone = text.replaceAll('\r\n', '\n')
  // A single CR before an LF is one that was added, unless only the ends of rows have two.
  const doubts = /[^\r]\r\n/.test(text) ? [breaksDoubt] : []
  return { ...plain, text: undone, result: readRows(undone, dialect, limits), doubts }
}

const backslashDoubt = msg('Backslashes before quotation marks are left out. Check the passwords.')
const literalDoubt = msg('Quotation marks are read as part of the text. Check the passwords.')
const rowsDoubt = msg('Some cells in quotation marks contain what looks like rows of the list.')
const innerDoubt = msg('Quotation marks within cells are not doubled. Check the passwords.')

/** Reads the text again if its quotation marks do not enclose cells as in RFC 4180. */
function readQuotes({ text, original, dialect, result, doubts }: Reading, limits: ReadLimits) {
  const { hasUnclosedQuote, brokenQuoteCount } = result
  const isBroken = hasUnclosedQuote || brokenQuoteCount > 0
  if (text.includes('\\"') && (isBroken || !isRectangular(result.rows))) {
    const other = readLineEnds(original, { ...dialect, hasBackslashes: true }, limits)
    const isWhole = !other.result.hasUnclosedQuote && other.result.brokenQuoteCount === 0
    if (isWhole && (isBroken || isRectangular(other.result.rows)))
      return withDoubts(other.result, other.doubts, /\\[^"]/.test(text) && backslashDoubt)
  }
  const containsRows = result.rows.some((row) => containsRow(row, dialect.delimiter))
  const mayBeText =
    hasUnclosedQuote || containsRows || (dialect.delimiter === '\t' && areNeedless(result.rows))
  if (mayBeText && areFewQuoted(result.rows)) {
    const other = readRows(text, { ...dialect, quotes: null }, limits)
    if (isRectangular(other.rows)) return withDoubts(other, doubts, literalDoubt)
  }
  if (containsRows) return withDoubts(result, doubts, rowsDoubt)
  if (brokenQuoteCount > 0) return withDoubts(result, doubts, innerDoubt)
  if (areSomeQuoted(result.rows)) return withDoubts(result, doubts, quotesDoubt)
  if (areOthersLiteral(result.rows)) return withDoubts(result, doubts, literalDoubt)
  return withDoubts(result, doubts, areBackslashesDoubled(result.rows) && doubledDoubt)
}

/** Whether other quotation marks enclose a whole cell: the program may enclose those that need it. */
const areOthersLiteral = (rows: readonly TextRow[]) =>
  rows.some(({ cells, areQuoted }) =>
    cells.some((cell, i) => !areQuoted[i] && /^('.+'|“.+”|„.+[“”]|«.+»|».+«|‘.+’|‚.+‘)$/s.test(cell)),
  )

const withDoubts = (result: ReadResult, doubts: Message[], doubt: Message | false) => ({
  ...result,
  doubts: doubt ? [...doubts, doubt] : doubts,
})

const doubledDoubt = msg('All backslashes are doubled, and are read as they stand. Check the passwords.')

/** Whether there are backslashes in quoted cells, and all come in pairs: the program may double them. */
function areBackslashesDoubled(rows: readonly TextRow[]): boolean {
  let pairs = 0
  for (const { cells, areQuoted } of rows)
    for (const [i, cell] of cells.entries()) {
      if (!cell.includes('\\')) continue
      const runs = cell.match(/\\+/g) ?? []
      if (runs.some((run) => run.length % 2 === 1)) return false
      if (areQuoted[i]) pairs += runs.length
    }
  return pairs > 0
}

/** Whether a quoted cell has a line end and an email between delimiters, as if its quotation marks were of different rows. */
function containsRow({ cells, areQuoted }: TextRow, delimiter: string): boolean {
  const looksLikeRow = (parts: string[], line: number) =>
    parts.length > 1 && hasEmail(line === 0 ? parts.slice(1) : parts)
  const looksLikeRows = (cell: string) =>
    /[\r\n]/.test(cell) &&
    cell.split(/[\r\n]+/).some((text, line) => looksLikeRow(text.split(delimiter), line))
  return cells.some((cell, i) => areQuoted[i] && looksLikeRows(cell))
}

/** Whether no quoted cell has to be quoted: spreadsheets copy quotation marks like this that are text. */
const areNeedless = (rows: readonly TextRow[]) =>
  rows.every(({ cells, areQuoted }) => cells.every((cell, i) => !areQuoted[i] || !/["\t\r\n]/.test(cell)))

/**
 * Whether quotation marks enclose a cell without need, or with spaces behind them, where they do not enclose others of its column:
 * they may be text. Programs may enclose all but numbers, or what has a space or a sign that is special somewhere.
 */
function areSomeQuoted(rows: readonly TextRow[]): boolean {
  if (!areFewQuoted(rows)) return false
  const data = rows.filter(isFilled).slice(1)
  const isNeedless = ({ cells, areQuoted, spacedColumns }: TextRow, column: number) =>
    spacedColumns.includes(column) ||
    (areQuoted[column] === true && /^[^\s",;|\\'#]+$/.test(cells[column] ?? ''))
  const isBare = ({ cells, areQuoted }: TextRow, column: number) =>
    !areQuoted[column] && /[^\d.,eE+-]/.test(cells[column] ?? '')
  const columns = [...(data[0]?.cells.keys() ?? [])]
  return columns.some(
    (column) =>
      data.some((row) => isNeedless(row, column)) &&
      (data.length === 1 || data.some((row) => isBare(row, column))),
  )
}

function areFewQuoted(rows: readonly TextRow[]): boolean {
  const quoted = rows.reduce((sum, { areQuoted }) => sum + areQuoted.filter(Boolean).length, 0)
  const filled = rows.reduce((sum, { cells }) => sum + cells.filter(Boolean).length, 0)
  return quoted > 0 && quoted < filled / 2
}

/**
 * The rows before and behind a line end that most rows do not have, if one of them is too short and without an email: the line
 * end is probably within a cell.
 */
function findCutRows(rows: readonly TextRow[]): ReadonlySet<TextRow> {
  const counts = new Map<string, number>()
  for (const { end } of rows) counts.set(end, (counts.get(end) ?? 0) + 1)
  const [usual] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? []
  const cut = new Set<TextRow>()
  if (counts.size < 2) return cut
  const width = findWidth(rows)
  const isPart = (row: TextRow) => row.cells.length < width && !hasEmail(row.cells) && isFilled(row)
  for (const [i, row] of rows.entries()) {
    const next = rows[i + 1]
    if (row.end === usual || !next || !(isPart(row) || isPart(next))) continue
    cut.add(row).add(next)
  }
  return cut
}
