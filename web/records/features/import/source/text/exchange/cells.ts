import { maxBatchSize } from '../../../../../../../contract/batches.ts'
import { msg } from '../../../../../../language/translate.ts'
import { columnsDoubt, maxColumns, type Sheet, type SheetRow, SourceError } from '../../sheet.ts'

export const createDamagedError = () =>
  new SourceError(msg('This file is damaged or incomplete. Export the list as CSV and import that.'))

/** Limits the cells of all rows, also empty ones before others. */
const maxCells = 8_000_000

/** Collects the cells of a sheet. */
export class Cells {
  readonly #rows = new Map<number, SheetRow>()
  #count = 0
  hasMoreColumns = false

  /** `isNumber`: nothing tells how its sheet shows it. Rows are numbered from 1, columns from 0. */
  set(number: number, column: number, text: string, isNumber: boolean) {
    if (column >= maxColumns) {
      this.hasMoreColumns = true
      return
    }
    const row = this.#rows.get(number) ?? { number, cells: [] }
    this.#rows.set(number, row)
    for (; row.cells.length <= column; this.#count++) row.cells.push('')
    if (this.#count > maxCells) throw createDamagedError()
    row.cells[column] = text
    if (isNumber) row.localColumns = [...new Set([...(row.localColumns ?? []), column])]
  }

  toSheet(doubts: Sheet['doubts'] = []): Sheet {
    const rows = [...this.#rows.values()].sort((a, b) => a.number - b.number)
    return {
      rows: rows.slice(0, maxBatchSize + 1),
      isTruncated: rows.length > maxBatchSize + 1,
      hasUnclosedQuote: false,
      doubts: [...doubts, ...(this.hasMoreColumns ? [columnsDoubt] : [])],
    }
  }
}
