import { maxBatchSize } from '../../../../../../contract/batches.ts'
import { type Message, msg } from '../../../../../language/translate.ts'
import { maxColumns, type Sheet } from '../sheet.ts'

/** Limits the cells of all items, also empty ones: each new name or label makes every item wider. */
export const maxCells = 8_000_000

/** Asks about what a person or a format writes around the text of a cell. */
export const signsDoubt = msg(
  'Texts such as “# old”, “**” or “Password:” may be no part of some cells. Check the passwords.',
)

/** Asks about lines that are read as something else, or as nothing. */
export const linesDoubt = msg(
  'Below some passwords stand lines that may be part of them. Check the passwords.',
)

/** Asks about quotation marks that may be text, as they enclose some cells only. */
export const quotesDoubt = msg('Quotation marks around some cells are left out. Check the passwords.')

/** Asks about what stands above a record, or before it. */
export const titlesDoubt = msg('The titles of the records are read as their names. Check the names.')

export interface ListItem {
  cells: string[]
  skipReason?: Message | undefined
}

/** A sheet of rows that are numbered by their position. */
export const toRows = (rows: readonly string[][]): Sheet => ({
  rows: rows
    .slice(0, maxBatchSize + 1)
    .map((cells, i) => ({ number: i + 1, cells: cells.slice(0, maxColumns) })),
  isTruncated: rows.length > maxBatchSize + 1,
  hasUnclosedQuote: false,
})

/** A sheet of the items, with a header. Rows are numbered by the position of their items. */
export function toList(header: readonly string[], items: readonly ListItem[]): Sheet {
  const rows = items.slice(0, maxBatchSize).map(({ cells, skipReason }, index) => ({
    number: index + 1,
    cells: cells.length > maxColumns ? cells.slice(0, maxColumns) : cells,
    ...(skipReason ? { skipReason } : {}),
  }))
  return {
    rows: rows.length > 0 ? [{ number: 0, cells: header.slice(0, maxColumns) }, ...rows] : [],
    isTruncated: items.length > maxBatchSize,
    hasUnclosedQuote: false,
  }
}
