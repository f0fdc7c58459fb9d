import { maxBatchSize } from '../../../contract/batches.ts'
import type { Employee } from '../../../contract/employees.ts'
import { unprotect } from '../export/escape-formulas.ts'
import type { Layout } from './detect-columns.ts'
import { type JudgedRow, mergeRows } from './match-rows.ts'
import type { OpenedSource } from './open-source.ts'

/** How a person wants a source to be read. */
export interface Reading extends Layout {
  /** Takes off the apostrophes that protect from formulas. */
  unprotects: boolean
}

export const kinds = ['new', 'changed', 'same', 'wrong'] as const
export type Kind = (typeof kinds)[number]

export interface Preview {
  rows: JudgedRow[]
  counts: Record<Kind, number>
  /** Why this can't be imported at all; null where it can. */
  problem: string | null
}

/** What an import of this source would do to the register as it is. */
export function previewOf(source: OpenedSource, reading: Reading, book: readonly Employee[]): Preview {
  const sheet = reading.hasHeader ? source.rows.slice(1) : source.rows
  const unprotects = reading.unprotects && source.protectedCells > 0
  const read = unprotects ? sheet.map((row) => ({ ...row, cells: row.cells.map(unprotect) })) : sheet
  const rows = mergeRows(read, reading.columns, book)
  const counts = { new: 0, changed: 0, same: 0, wrong: 0 }
  for (const { verdict } of rows) counts[verdict] += 1
  return { rows, counts, problem: problemOf(source, reading, rows.length) }
}

function problemOf({ isCut }: OpenedSource, { columns }: Reading, count: number): string | null {
  if (isCut || count > maxBatchSize) {
    return `These are more than ${maxBatchSize.toLocaleString()} rows. Please import them in parts.`
  }
  return columns.email === null ? 'Please choose the column with the emails.' : null
}

/** What stands beside a row: what would change, or why it can't be imported. Never a password. */
export function detailOf(row: JudgedRow): string {
  if (row.verdict === 'wrong') return row.reason
  if (row.verdict !== 'changed') return ''
  const { seen, fields } = row
  const changes = [
    seen.eName === fields.eName ? '' : `was ${seen.eName}`,
    seen.password === fields.password ? '' : 'new password',
  ]
  return changes.filter(Boolean).join(', ')
}

/** The columns by their names or, where they have none, by the letters of a spreadsheet. */
export function columnNames(source: OpenedSource, hasHeader: boolean): string[] {
  const width = source.rows.slice(0, 100).reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const header = hasHeader ? source.rows[0]?.cells : undefined
  return Array.from({ length: width }, (_, i) => header?.[i]?.trim().slice(0, 60) || `Column ${letters(i)}`)
}

function letters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}
