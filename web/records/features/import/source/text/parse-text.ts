import { maxBatchSize } from '../../../../../../contract/batches.ts'
import { msg } from '../../../../../language/translate.ts'
import { columnsDoubt, maxColumns, type Sheet, type SheetRow } from '../parse-sheet.ts'
import { isFilled } from './choose-dialect.ts'
import { readLdif, readVCards } from './read-contacts.ts'
import { readJson } from './read-json.ts'
import { readRecipients } from './read-recipients.ts'
import { readText } from './read-text.ts'

/** Reads a list in any format of text that is of no known program. Throws a `SourceError` if it is damaged. */
export const parseText = (text: string): Sheet =>
  readVCards(text) ?? readLdif(text) ?? readJson(text) ?? readRecipients(text) ?? parseSheet(text)

/** Parses CSV, or rows copied from a spreadsheet, in whatever dialect. */
export function parseSheet(text: string): Sheet {
  const separatorLine = /^\ufeff?"?sep=(.)"?(?:\r{0,2}\n|\r)/i.exec(text)
  const body = doubleEscapedQuotes(text.slice(separatorLine?.[0].length ?? 0))
  const limits = { maxRows: maxBatchSize + 2, maxCells: maxColumns }
  const list = readText(body, limits, separatorLine?.[1])
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
    doubts: list.isTooWide ? [...list.doubts, columnsDoubt] : list.doubts,
  }
}

const cutRow = msg('A line break has cut this row.')

/** KeePass escapes quotes and backslashes with a backslash. Returns such text as RFC 4180, other text unchanged. */
function doubleEscapedQuotes(text: string): string {
  if (!/^[^\r\n]*"Login Name","Password","Web Site","Comments"/.test(text)) return text
  return text.replace(/\\(.)/gs, (_, character) => (character === '"' ? '""' : character))
}
