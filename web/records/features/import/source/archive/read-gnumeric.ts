import { findConstant } from '../cell-text.ts'
import { createFormatter } from './format-cell.ts'
import { createTooBigError } from './open-zip.ts'
import {
  type Cell,
  forEachColumn,
  parseArea,
  SheetCollector,
  type SheetLimits,
  type WorkbookSheet,
} from './sheets.ts'
import { type Attributes, decodeAttribute, stop, walkXml } from './walk-xml.ts'

/** Limits the formats of all columns: a sheet has few areas with one of their own. */
const maxFormats = 1_000_000

/** What holds for ranges of rows, which do not overlap. */
class RowRanges<Value> {
  readonly #ranges: { first: number; last: number; value: Value }[] = []
  #next = 0

  add(first: number, last: number, value: Value) {
    this.#ranges.push({ first, last, value })
  }

  sort() {
    this.#ranges.sort((a, b) => a.first - b.first)
  }

  /** The value of a row, which must not be above the one before. */
  find(row: number): Value | undefined {
    while ((this.#ranges[this.#next]?.last ?? Infinity) < row) this.#next++
    const range = this.#ranges[this.#next]
    return range && range.first <= row ? range.value : undefined
  }
}

type Formatter = ReturnType<typeof createFormatter>

/** The kinds of values; a formula has none. */
const types = { boolean: '20', number: /^[34]0$/, error: '50' }

function toCell(attributes: Attributes, text: string, code: string, language: Formatter): Cell {
  const { ValueType: type, ValueFormat: valueFormat = '' } = attributes
  // The file has formulas without their results.
  if (type === undefined) {
    const result = text.startsWith('=') ? findConstant(text.slice(1)) : undefined
    return result === undefined ? { text: '', hasFailed: true } : { text: result }
  }
  if (type === types.error) return { text: '', hasFailed: true }
  if (type === types.boolean) return { text, isLocal: true }
  const ownCode = /^(General)?$/i.test(code) ? decodeAttribute(valueFormat) : code
  return types.number.test(type) ? language.number(text, ownCode) : language.text(text, code)
}

/** A part of a text has a look of its own. */
const dressCell = (attributes: Attributes, text: string, { code, isStruck }: Look, language: Formatter) => ({
  ...toCell(attributes, text, code, language),
  isStruck: isStruck || /\[strikethrough\b/.test(attributes.ValueFormat ?? ''),
})

const isRaised = ({ ValueFormat: format = '' }: Attributes) => /\[(superscript|rise)\b/.test(format)

function toIndex(text: string | undefined): number {
  const index = Number(text)
  if (text === undefined || !Number.isSafeInteger(index) || index < 0)
    throw new Error('No such row or column.')
  return index
}

/** How Gnumeric shows an area of a sheet. */
interface Look {
  code: string
  isStruck: boolean
}

const plainLook: Look = { code: '', isStruck: false }

/** Collects the formats of areas of a sheet, and finds the one of a cell, row by row. */
function createFormats() {
  const columns = new Map<number, RowRanges<Look>>()
  let area: Attributes | null = null
  let look: Look | null = null
  let count = 0
  const addArea = ({ startCol, endCol, startRow, endRow }: Attributes, added: Look) =>
    forEachColumn(toIndex(startCol), toIndex(endCol), (column) => {
      if (++count > maxFormats) throw createTooBigError()
      const ranges = columns.get(column) ?? new RowRanges()
      columns.set(column, ranges)
      ranges.add(toIndex(startRow), toIndex(endRow), added)
    })
  const open = {
    StyleRegion: (attributes: Attributes) => {
      area = attributes
      look = null
    },
    // Those that depend on a condition are below it.
    Style: ({ Format: code = '' }: Attributes) => {
      if (!area || look) return
      look = { code: code === 'General' ? '' : decodeAttribute(code), isStruck: false }
      if (look.code !== '') addArea(area, look)
    },
    // Perhaps that of a condition.
    Font: ({ StrikeThrough: strike = '0' }: Attributes) => {
      if (!area || !look || look.isStruck || strike === '0') return
      look.isStruck = true
      if (look.code === '') addArea(area, look)
    },
    Cells: () => {
      for (const ranges of columns.values()) ranges.sort()
    },
  }
  return { open, find: (row: number, column: number) => columns.get(column)?.find(row) ?? plainLook }
}

function coverArea(reference: string, collector: SheetCollector) {
  const area = parseArea(reference)
  if (area) collector.coverCells(area)
}

/** Reads the sheets of a workbook of Gnumeric that have rows. */
export function readGnumeric(xml: string, language: string, limits: SheetLimits): WorkbookSheet[] {
  const collector = new SheetCollector(limits)
  const formatter = createFormatter(language, /<(\w+:)?DateConvention>Apple:1904</.test(xml))
  const begin = () => ({
    sheet: null as WorkbookSheet | null,
    hiddenColumns: new Set<number>(),
    hiddenRows: new RowRanges<true>(),
    formats: createFormats(),
    row: -1,
    isFull: false,
  })
  let state = begin()
  let cell: Attributes = {}

  function endRow() {
    if (state.row >= 0 && !state.isFull) state.isFull = !collector.endRow()
  }

  const open = {
    Sheet: ({ Visibility: visibility = '' }: Attributes) => {
      state = begin()
      state.sheet = collector.addSheet('', /HIDDEN$/.test(visibility), state.hiddenColumns)
    },
    StyleRegion: (attributes: Attributes) => state.formats.open.StyleRegion(attributes),
    Style: (attributes: Attributes) => state.formats.open.Style(attributes),
    Font: (attributes: Attributes) => state.formats.open.Font(attributes),
    Cells: () => state.formats.open.Cells(),
    CellComment: () => collector.markSheet({ hasComments: true }),
    ColInfo: ({ No: first, Count: count = '1', Hidden: hidden }: Attributes) => {
      const end = toIndex(first) + toIndex(count) - 1
      if (hidden === '1') forEachColumn(toIndex(first), end, (column) => state.hiddenColumns.add(column))
    },
    RowInfo: ({ No: first, Count: count = '1', Hidden: hidden }: Attributes) => {
      if (hidden === '1') state.hiddenRows.add(toIndex(first), toIndex(first) + toIndex(count) - 1, true)
    },
    Cell: (attributes: Attributes) => {
      cell = attributes
      const row = toIndex(attributes.Row)
      if (row === state.row) return
      if (row < state.row) throw new Error('The rows are in no order.')
      endRow()
      state.row = row
      collector.beginRow(row + 1, state.hiddenRows.find(row) === true)
    },
  }
  function close(name: string, text: string) {
    if (name === 'Name' && state.sheet?.name === '') state.sheet.name = text
    else if (name === 'Cell' && !state.isFull) {
      const column = toIndex(cell.Col)
      collector.addCell(column, dressCell(cell, text, state.formats.find(state.row, column), formatter))
      if (isRaised(cell)) collector.markSheet({ mayHaveOtherText: true })
    } else if (name === 'Cells') endRow()
    else if (name === 'Merge') coverArea(text, collector)
    return name === 'Sheets' ? stop : undefined
  }
  walkXml(xml, open, close)
  return collector.finish()
}
