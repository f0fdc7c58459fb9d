import { maxBatchSize } from '../../../../../../contract/batches.ts'
import { msg } from '../../../../../language/translate.ts'
import { isHeader, isSecretHeader } from '../detect-columns.ts'
import { columnsDoubt, maxColumns, type Sheet, type SheetRow } from '../sheet.ts'
import { findWidth, isFilled, isRectangular } from './choose-dialect.ts'
import { readDrawnTable } from './drawn/read-drawn-table.ts'
import { readDif } from './exchange/read-dif.ts'
import { readSylk } from './exchange/read-sylk.ts'
import { readTuples } from './notes/read-tuples.ts'
import { readWiki } from './notes/read-wiki.ts'
import { labelColumns, unfoldNotes } from './notes/unfold-notes.ts'
import { readBlocks } from './read-blocks.ts'
import { readLdif, readVCards } from './read-contacts.ts'
import { readFlow } from './read-flow.ts'
import { readJson } from './read-json.ts'
import { joinFields, removeMarkers, separateEmails, separateSigns } from './read-lines.ts'
import { readRecipients } from './read-recipients.ts'
import type { ReadLimits, TextRow } from './read-rows.ts'
import { readText, type TextList } from './read-text.ts'
import { readXml } from './read-xml.ts'
import { lineEnd } from './split-lines.ts'
import { linesDoubt } from './to-list.ts'

/** Reads a list in any format of text that is of no known program. Throws a `SourceError` if it is damaged. */
export function parseText(original: string): Sheet {
  // DOS marks the end of a text.
  const ended = original.endsWith('\x1a') ? original.slice(0, -1) : original
  const text = unfoldNotes(ended) ?? labelColumns(ended) ?? ended
  const known =
    readVCards(text) ??
    readLdif(text) ??
    readDif(text) ??
    readSylk(text) ??
    readBlocks(text) ??
    readFlow(text) ??
    readTuples(text) ??
    readWiki(text) ??
    readJson(text) ??
    readXml(text) ??
    readDrawnTable(text)
  if (known) return known
  const lines = removeMarkers(text)
  return (
    readRecipients(lines) ??
    parseSheet(joinFields(lines) ?? separateSigns(lines) ?? separateEmails(lines) ?? lines)
  )
}

/** Parses CSV, or rows copied from a spreadsheet, in whatever dialect. */
export function parseSheet(text: string): Sheet {
  const separatorLine = /^\ufeff?"?sep=(.)"?(?:\r{0,2}\n|\r)/i.exec(text)
  const body = dropTrailers(doubleEscapedQuotes(text.slice(separatorLine?.[0].length ?? 0)))
  const limits = { maxRows: maxBatchSize + 2, maxCells: maxColumns }
  const list = readLines(body, limits, separatorLine?.[1])
  const firstRowNumber = separatorLine ? 2 : 1
  const rows = list.rows.flatMap((row, index): SheetRow[] => {
    if (!isFilled(row)) return []
    const problem = list.cutRows.has(row) ? { problem: cutRow } : {}
    return [{ number: index + firstRowNumber, cells: row.cells, ...problem }]
  })
  return {
    rows: rows.slice(0, maxBatchSize + 1),
    isTruncated: rows.length > maxBatchSize + 1,
    hasUnclosedQuote: list.hasUnclosedQuote,
    doubts: [
      ...list.doubts,
      ...(list.isTooWide ? [columnsDoubt] : []),
      ...(mayHaveEmptyLines(list.rows) ? [linesDoubt] : []),
    ],
  }
}

/**
 * Whether a line of nothing but separators may be a line of a cell: it has fewer or more of them than rows have, or is below the
 * label of a secret.
 */
function mayHaveEmptyLines(rows: readonly TextRow[]): boolean {
  const width = findWidth(rows)
  const isBelowSecret = (index: number) => index > 1 && isSecretHeader(rows[index - 1]?.cells[0] ?? '')
  return rows.some(
    (row, i) =>
      row.cells.length > 1 && !isFilled(row) && i > 0 && (row.cells.length !== width || isBelowSecret(i)),
  )
}

/** Reads a list, also one whose lines are enclosed as a whole, as spreadsheets write lines that they have shown in one cell. */
function readLines(text: string, limits: ReadLimits, declared?: string): TextList {
  const list = readText(text, limits, declared)
  const filled = list.rows.filter(isFilled)
  if (filled.length < 2 || filled.some(({ cells, areQuoted }) => cells.length > 1 || !areQuoted[0]))
    return list
  const unclosed = readText(list.rows.map(({ cells }) => cells[0]).join('\n'), limits, declared)
  return isRectangular(unclosed.rows) ? unclosed : list
}

const cutRow = msg('A line break has cut this row.')

/** KeePass escapes quotes and backslashes with a backslash. Returns such text as RFC 4180, other text unchanged. */
function doubleEscapedQuotes(text: string): string {
  if (!/^[^\r\n]*"Login Name","Password","Web Site","Comments"/.test(text)) return text
  return text.replace(/\\(.)/gs, (_, character) => (character === '"' ? '""' : character))
}

/**
 * Removes separators of another kind from the ends of all lines: a spreadsheet that has shown a whole line as one cell writes those
 * of its empty columns behind it. Only if the last header has them too.
 */
function dropTrailers(text: string): string {
  const [header = ''] = /^[^\r\n]*/.exec(text) ?? []
  const separator = /[;,\t|]$/.exec(header)?.[0] ?? ''
  // Not by one expression, which would look at each run of separators once per separator.
  let end = header.length
  while (separator !== '' && header[end - 1] === separator) end--
  const [cells, trailer] = [header.slice(0, end), header.slice(end)]
  if (trailer === '' || cells.includes(separator)) return text
  const last = cells.split(/[,;\t|]/)
  if (last.length < 2 || !isHeader(last.at(-1) ?? '')) return text
  const lines = text.split(new RegExp(`(${lineEnd.source})`))
  const isEnded = (line: string) => line.trim() === '' || line.endsWith(trailer)
  if (!lines.every(isEnded)) return text
  return lines.map((line) => (line.trim() === '' ? line : line.slice(0, -trailer.length))).join('')
}
