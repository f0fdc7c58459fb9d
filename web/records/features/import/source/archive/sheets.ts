import type { Message } from '../../../../../language/translate.ts'
import { maxColumns, type SheetRow } from '../sheet.ts'
import { createTooBigError } from './open-zip.ts'

/** Limits the characters and cells of all sheets: a small file may repeat a long cell a million times. */
const maxUnits = 64 * 1024 * 1024

/** Limits the sheets that have rows: the page has an option for each. */
const maxSheets = 2_000

export interface WorkbookRow extends SheetRow {
  isHidden: boolean
}

export interface WorkbookSheet {
  name: string
  isHidden: boolean
  /** The rows that are not empty, at most `maxRows`. */
  rows: WorkbookRow[]
  isTruncated: boolean
  hiddenColumns: ReadonlySet<number>
  /** Cells beyond `maxColumns` have been dropped. */
  hasMoreColumns: boolean
  /** Some texts in the workbook look like escapes of characters that no program escapes, or have characters that hardly any text has. */
  hasDoubtfulEscapes?: boolean
  /** Nothing tells which of its texts are formulas. */
  hasFormulasAsText?: boolean
  /** Some cells have text that may be hidden, or is a link behind other text. */
  mayHaveOtherText?: boolean
  /** Some cells have comments, which are not read. */
  hasComments?: boolean
  /** What else may be wrong with it. */
  doubts?: Message[]
  /** A text, or a part of one, is struck out. */
  hasStruckText?: boolean
}

/** A cell as its sheet shows it. */
export interface Cell {
  text: string
  hasFailed?: boolean
  isLocal?: boolean
  isStruck?: boolean
}

export interface SheetLimits {
  maxRows: number
  onProgress(progress: number): void
}

const noColumns: ReadonlySet<number> = new Set()

/** Collects the sheets of one file, within limits. Throws a `SourceError` if they are exceeded. */
export class SheetCollector {
  readonly sheets: WorkbookSheet[] = []
  readonly #maxRows: number
  readonly #onProgress: (progress: number) => void
  #row: WorkbookRow = { number: 0, cells: [], isHidden: false }
  #units = 0

  constructor({ maxRows, onProgress }: SheetLimits) {
    this.#maxRows = maxRows
    this.#onProgress = onProgress
  }

  addSheet(name: string, isHidden: boolean, hiddenColumns = noColumns) {
    const sheet: WorkbookSheet = {
      name,
      isHidden,
      rows: [],
      isTruncated: false,
      hiddenColumns,
      hasMoreColumns: false,
    }
    this.sheets.push(sheet)
    return sheet
  }

  /** Tells something of the last sheet. */
  markSheet(marks: Partial<WorkbookSheet>) {
    Object.assign(this.sheets.at(-1) ?? {}, marks)
  }

  beginRow(number: number, isHidden: boolean) {
    this.#row = { number, cells: [], isHidden }
  }

  /** Adds a cell, from left to right. */
  addCell(column: number, { text, hasFailed, isLocal, isStruck }: Cell, count = 1) {
    const sheet = this.sheets.at(-1)
    if (!sheet || (text === '' && !hasFailed)) return
    if (column + count > maxColumns) sheet.hasMoreColumns = true
    if (isStruck) sheet.hasStruckText = true
    for (let i = column; i < Math.min(column + count, maxColumns); i++) {
      const row = this.#row
      row.cells[i] = text
      if (hasFailed) row.failedColumns = [...(row.failedColumns ?? []), i]
      if (isLocal) row.localColumns = [...(row.localColumns ?? []), i]
    }
  }

  /** Adds the row, once or several times. Returns false if the sheet has as many rows as are read. */
  endRow(count = 1): boolean {
    const sheet = this.sheets.at(-1)
    const row = this.#row
    if (!sheet) return true
    row.cells = Array.from(row.cells, (cell) => cell ?? '')
    if (!row.failedColumns && !row.cells.some((cell) => cell.trim() !== '')) return true
    const units = row.cells.reduce((sum, { length }) => sum + length, row.cells.length + 1)
    for (let i = 0; i < count; i++) {
      sheet.isTruncated = sheet.rows.length === this.#maxRows
      if (sheet.isTruncated) return false
      this.#units += units
      if (this.#units > maxUnits) throw createTooBigError()
      sheet.rows.push(i === 0 ? row : { ...row, number: row.number + i })
      if (sheet.rows.length % rowsPerReport === 0) this.#onProgress(sheet.rows.length / this.#maxRows)
    }
    return true
  }

  /** Empties the cells of the last sheet that a merged one covers: all but the first. Rows are numbered from 1, columns from 0. */
  coverCells({ top, left, bottom, right }: Area) {
    const rows = this.sheets.at(-1)?.rows ?? []
    let index = findFirst(rows, top)
    for (let row = rows[index]; row && row.number <= bottom; row = rows[++index]) {
      const end = Math.min(right, row.cells.length - 1)
      this.#units += 1 + Math.max(0, end - left)
      if (this.#units > maxUnits) throw createTooBigError()
      for (let column = left; column <= end; column++)
        if (row.number > top || column > left) row.cells[column] = ''
    }
  }

  /** Returns the sheets that have rows. */
  finish(): WorkbookSheet[] {
    for (const sheet of this.sheets)
      sheet.rows = sheet.rows.filter((row) => row.failedColumns || row.cells.some((cell) => cell !== ''))
    const found = this.sheets.filter(({ rows }) => rows.length > 0)
    if (found.length > maxSheets) throw createTooBigError()
    return found
  }
}

/** Calls a function for each of these columns that is read, numbered from 0. A file may name any numbers. */
export function forEachColumn(first: number, last: number, use: (column: number) => void) {
  const end = Math.min(Math.trunc(last), maxColumns - 1)
  for (let column = Math.max(0, Math.trunc(first)); column <= end; column++) use(column)
}

interface Area {
  top: number
  left: number
  bottom: number
  right: number
}

/** The area of a reference such as `A1:B8`, or of the name of one cell; undefined if it is none. */
export function parseArea(reference: string): Area | undefined {
  const [start = '', end = start] = reference.split(':')
  const [left, right] = [toColumnIndex(start), toColumnIndex(end)]
  if (left === undefined || right === undefined) return undefined
  return { top: toRowNumber(start), left, bottom: toRowNumber(end), right }
}

const toRowNumber = (reference: string) => Number(/\d+$/.exec(reference)?.[0] ?? 0)

/** The 0-based column of a reference such as `AB12`; undefined if it is none. */
export function toColumnIndex(reference: string): number | undefined {
  const letters = /^([a-z]{1,3})\d/i.exec(reference)?.[1]?.toUpperCase()
  if (letters === undefined) return undefined
  let index = 0
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}

/** The index of the first row with this number or a higher one. */
function findFirst(rows: readonly WorkbookRow[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

const rowsPerReport = 2_000
