import { maxBatchSize } from '../../../../../../../contract/batches.ts'
import { columnsDoubt, createDamagedListError, maxColumns, type Sheet } from '../../sheet.ts'

interface Row {
  cells: string[]
  numberColumns: Set<number>
}

/** Limits the cells of all rows, also empty ones before others. */
const maxCells = 8_000_000

/** Collects the cells of a sheet. */
export class Cells {
  readonly #rows = new Map<number, Row>()
  #count = 0
  hasMoreColumns = false

  /** `isNumber`: nothing tells how its sheet shows it. Rows are numbered from 1, columns from 0. */
  set(number: number, column: number, text: string, isNumber: boolean) {
    if (column >= maxColumns) {
      this.hasMoreColumns = true
      return
    }
    const row = this.#rows.get(number) ?? { cells: [], numberColumns: new Set() }
    this.#rows.set(number, row)
    for (; row.cells.length <= column; this.#count++) row.cells.push('')
    if (this.#count > maxCells) throw createDamagedListError()
    row.cells[column] = text
    if (isNumber) row.numberColumns.add(column)
  }

  toSheet(doubts: Sheet['doubts'] = []): Sheet {
    const rows = [...this.#rows].sort(([a], [b]) => a - b)
    return {
      rows: rows.slice(0, maxBatchSize + 1).map(([number, { cells, numberColumns }]) => ({
        ...{ number, cells },
        ...(numberColumns.size > 0 && { localColumns: [...numberColumns] }),
      })),
      isTruncated: rows.length > maxBatchSize + 1,
      hasUnclosedQuote: false,
      doubts: [...doubts, ...(this.hasMoreColumns ? [columnsDoubt] : [])],
    }
  }
}
