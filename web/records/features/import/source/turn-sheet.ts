import { isHeader } from './detect-columns.ts'
import { isEmailCell } from './first-email.ts'
import type { Sheet } from './sheet.ts'

/** How many fields a person may have. */
const maxFields = 100

/** Makes rows of the columns of a sheet with a column for each person, whose fields stand below one another; others are unchanged. */
export function turnSheet<Turnable extends Sheet>(sheet: Turnable): Turnable | (Turnable & Sheet) {
  const { rows } = sheet
  const labels = rows.slice(0, maxFields + 1).map(({ cells }) => cells[0]?.trim() ?? '')
  if (labels.length > maxFields || labels.filter(isHeader).length < 2 || labels.some(isEmailCell))
    return sheet
  const hasHeader = (rows[0]?.cells.slice(1) ?? []).some(isHeader)
  const emails = rows.map(({ cells }) => cells.slice(1).filter(isEmailCell).length)
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const isTurned = emails.filter((count) => count > 0).length === 1 && Math.max(...emails) > (width - 1) / 2
  if (hasHeader || !isTurned) return sheet
  // A row has the number of its column.
  const columns = Array.from({ length: width }, (_, column) => ({
    number: column + 1,
    cells: rows.map(({ cells }) => cells[column] ?? ''),
  }))
  return { ...sheet, rows: columns.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')) }
}
