import { maxBatchSize } from '../../../../../../../contract/batches.ts'
import { msg } from '../../../../../../language/translate.ts'
import { isHeader } from '../../detect-columns.ts'
import { maxColumns, type Sheet, type SheetRow } from '../../sheet.ts'
import { hasEmail } from '../choose-dialect.ts'
import { signsDoubt } from '../to-list.ts'

export interface Line extends Pick<SheetRow, 'cells' | 'problem'> {
  /** The program had no room for all of a cell, which is empty here. */
  isCut?: boolean
  /** A cell goes on in the next line. */
  goesOn?: boolean
  /** The cells with the spaces around them, but for the one that is drawn before each. */
  drawn?: string[]
  hasSigns?: boolean
}

/** How the lines of a table become cells; null for a line that is not one of its rows. */
export type ReadLine = (line: string, index: number) => Line | null

const cutDoubt = msg('The program that wrote this table has cut some cells, at “…”. They count as empty.')
export const misfit = msg('This row doesn’t fit the columns of the table.')

/** What programs for data write below a header: the types of the columns, and lines. */
const columnType =
  /^(-{1,}|<\w{2,9}>|str|string|varchar|text|object|category|char|date|timestamp|(u?int|i|u|f|float)\d{1,3}|u?(big|small|tiny)?int|integer|double|dbl|decimal(\(\d+,\d+\))?|bool|boolean)?$/

export const isColumnType = (text: string) => columnType.test(text)

export function toSheet(
  lines: readonly string[],
  from: number,
  to: number,
  readLine: ReadLine,
  isBarred = false,
): Sheet | null {
  const rows: SheetRow[] = []
  const drawnRows: DrawnRow[] = []
  let [hasCuts, hasSigns, mayGoOn] = [false, false, false]
  for (let index = from; index <= to && rows.length <= maxBatchSize + 1; index++) {
    const text = lines[index] ?? ''
    const line = text.trim() === '' ? null : readLine(text, index)
    if (!line) continue
    if (rows.length > 0 && rows.length < 4 && line.cells.every(isColumnType)) continue
    const { isCut, goesOn, hasSigns: signs, cells, drawn, ...rest } = line
    const previous = rows.at(-1)
    if (previous && rows.length > 1 && mayGoOn && isRestOfRow(cells)) previous.problem = misfit
    const row: SheetRow = {
      number: index + 1,
      cells: cells.slice(0, maxColumns),
      ...rest,
      ...(goesOn && rows.length > 0 && { problem: misfit }),
    }
    // The header may be centered.
    if (drawn && rows.length > 0) drawnRows.push({ row, drawn })
    rows.push(row)
    mayGoOn = cells.length > 1
    hasCuts ||= isCut ?? false
    hasSigns ||= signs ?? false
  }
  const width = rows[0]?.cells.length ?? 0
  // Between lines it is one for sure, of which each row may be cut.
  const isNamed = isBarred && rows.length > 1 && (rows[0]?.cells.filter(isHeader).length ?? 0) > 1
  const isTable =
    width > 1 && (isNamed || rows.some(({ cells }) => cells.length === width && hasEmail(cells)))
  if (!isTable) return null
  for (const column of rows[0]?.cells.keys() ?? []) keepIndents(drawnRows, column)
  return {
    rows: rows.slice(0, maxBatchSize + 1),
    isTruncated: rows.length > maxBatchSize + 1,
    hasUnclosedQuote: false,
    doubts: [...(hasCuts ? [cutDoubt] : []), ...(hasSigns ? [signsDoubt] : [])],
  }
}

interface DrawnRow {
  row: SheetRow
  drawn: string[]
}

/** In a column whose cells begin at its edge, the spaces before a few of them are of their texts. */
function keepIndents(rows: readonly DrawnRow[], column: number) {
  const filled = rows.filter(({ row }) => row.cells[column])
  const indented = filled.filter(({ drawn }) => drawn[column]?.startsWith(' '))
  const hasEdge = filled.some(({ drawn }) => /^\S.* {2}$/.test(drawn[column] ?? ''))
  if (!hasEdge || indented.length === 0 || indented.length >= filled.length / 2) return
  for (const { row, drawn } of indented) row.cells[column] = drawn[column]?.trimEnd() ?? ''
}

/** Whether a line has what had no room in the row above it: it has no email, and no name or nothing else. */
function isRestOfRow(cells: readonly string[]): boolean {
  const filled = cells.filter(Boolean)
  return cells.length > 1 && (cells[0] === '' || filled.length === 1) && !hasEmail(cells)
}
