import { createFormatter, findBuiltInCode } from '../format-cell.ts'
import type { Zip } from '../open-zip.ts'
import { createCommentFinder, readRelationships } from '../read-workbook.ts'
import { type Cell, forEachColumn, SheetCollector, type SheetLimits, type WorkbookSheet } from '../sheets.ts'

/** The kinds of records that are read ([MS-XLSB], 2.3). */
const types = {
  row: 0,
  sharedText: 19,
  font: 43,
  format: 44,
  style: 47,
  column: 60,
  richText: 62,
  settings: 153,
  sheet: 156,
  endOfRows: 146,
  merge: 176,
  styles: 617,
  endOfStyles: 618,
}

/** Cells: those from 1 on name their column, those from 12 on are behind the one before; formulas have the result first. */
const cellKinds = [
  'blank',
  'packed',
  'error',
  'boolean',
  'number',
  'text',
  'shared',
  'text',
  'number',
  'boolean',
  'error',
] as const
type CellKind = (typeof cellKinds)[number]
const firstShort = 12
const lastShort = 18

/** Reads the sheets of an .xlsb workbook that have rows. Throws if it is damaged. */
export function readXlsb(zip: Zip, path: string, language: string, limits: SheetLimits): WorkbookSheet[] {
  const parts = readRelationships(zip, path)
  const pathOf = (name: string) =>
    [...parts.values()].find(({ type }) => type.endsWith(`/${name}`))?.path ?? ''
  const [stringsPath, stylesPath] = [pathOf('sharedStrings'), pathOf('styles')]
  const { found, is1904 } = readSheetList(new Records(zip.readBytes([path]).get(path)))
  const sheetPaths = found.map(({ id }) => parts.get(id)?.path ?? '')
  const files = zip.readBytes([stringsPath, stylesPath, ...sheetPaths])
  const styles = readStyles(new Records(files.get(stylesPath)))
  const reader = {
    strings: readSharedTexts(new Records(files.get(stringsPath)), styles.struckFonts),
    ...styles,
    formatter: createFormatter(language, is1904),
  }
  const collector = new SheetCollector(limits)
  const hasComments = createCommentFinder(zip, sheetPaths.length)
  const read = new Set<string>()
  for (const [i, { name, isHidden }] of found.entries()) {
    const part = sheetPaths[i] ?? ''
    const bytes = files.get(part)
    // Several sheets may name one part, which is read once.
    if (bytes === undefined || read.has(part)) continue
    read.add(part)
    collector.addSheet(name, isHidden, findHiddenColumns(new Records(bytes)))
    readSheet(new Records(bytes), reader, collector)
    if (hasComments(part)) collector.markSheet({ hasComments: true })
  }
  return collector.finish()
}

/** The records of a part: each has a type and a length, in groups of seven bits. */
class Records {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #next = 0
  #start = 0
  type = -1

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Goes to the next record; false behind the last one. */
  next(): boolean {
    if (this.#next >= this.#bytes.length) return false
    this.type = this.#readGroups(2)
    const length = this.#readGroups(4)
    this.#start = this.#next
    this.#next += length
    if (this.#next > this.#bytes.length) throw new RangeError('A record is longer than its part.')
    return true
  }

  #readGroups(maxCount: number): number {
    let value = 0
    for (let i = 0; i < maxCount; i++) {
      const byte = this.#view.getUint8(this.#next++)
      value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) break
    }
    return value
  }

  #place(at: number, size: number): number {
    if (this.#start + at + size > this.#next) throw new RangeError('A record is too short.')
    return this.#start + at
  }

  byte = (at: number) => this.#view.getUint8(this.#place(at, 1))
  short = (at: number) => this.#view.getUint16(this.#place(at, 2), true)
  long = (at: number) => this.#view.getUint32(this.#place(at, 4), true)
  double = (at: number) => this.#view.getFloat64(this.#place(at, 8), true)

  /** A text behind its length; and where it ends. */
  text(at: number): [text: string, end: number] {
    const length = this.long(at)
    if (length === 0xffffffff) return ['', at + 4]
    const start = this.#place(at + 4, 2 * length)
    return [utf16.decode(this.#bytes.subarray(start, start + 2 * length)), at + 4 + 2 * length]
  }
}

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

function readSheetList(records: Records) {
  const found: { id: string; name: string; isHidden: boolean }[] = []
  let is1904 = false
  while (records.next()) {
    if (records.type === types.settings) is1904 = (records.byte(0) & 1) === 1
    if (records.type !== types.sheet) continue
    const [id, end] = records.text(8)
    found.push({ id, name: records.text(end)[0], isHidden: records.long(0) !== 0 })
  }
  return { found, is1904 }
}

interface SharedText {
  text: string
  isStruck: boolean
}

function readSharedTexts(records: Records, struckFonts: ReadonlySet<number>): SharedText[] {
  const texts: SharedText[] = []
  while (records.next())
    if (records.type === types.sharedText) texts.push(readRichText(records, 0, struckFonts))
  return texts
}

/** A text behind its flags; the fonts of its parts follow it. */
function readRichText(records: Records, at: number, struckFonts: ReadonlySet<number>): SharedText {
  const [text, end] = records.text(at + 1)
  const hasFonts = struckFonts.size > 0 && (records.byte(at) & 1) === 1
  let isStruck = false
  for (let left = hasFonts ? records.long(end) : 0, next = end + 4; left > 0 && !isStruck; left--, next += 4)
    isStruck = struckFonts.has(records.short(next + 2))
  return { text, isStruck }
}

/** The format code of each style of a cell, and which fonts and styles strike the text out. */
function readStyles(records: Records) {
  const own = new Map<number, string>()
  const ids: number[] = []
  const struckFonts = new Set<number>()
  const struckStyles = new Set<number>()
  let fonts = 0
  // Other lists of styles are before and behind this one.
  let isOfCells = false
  while (records.next()) {
    if (records.type === types.format) own.set(records.short(0), records.text(2)[0])
    if (records.type === types.font) {
      if (records.short(2) & struckFlag) struckFonts.add(fonts)
      fonts++
    }
    if (records.type === types.styles) isOfCells = true
    if (records.type === types.endOfStyles) isOfCells = false
    if (records.type !== types.style || !isOfCells) continue
    if (struckFonts.size > 0 && struckFonts.has(records.short(4))) struckStyles.add(ids.length)
    ids.push(records.short(2))
  }
  return { codes: ids.map((id) => own.get(id) ?? findBuiltInCode(id)), struckFonts, struckStyles }
}

const struckFlag = 8

function findHiddenColumns(records: Records): Set<number> {
  const hidden = new Set<number>()
  while (records.next() && records.type !== types.row)
    if (records.type === types.column && records.short(16) & 1)
      forEachColumn(records.long(0), records.long(4), (column) => hidden.add(column))
  return hidden
}

interface CellReader {
  strings: SharedText[]
  codes: string[]
  struckFonts: ReadonlySet<number>
  struckStyles: ReadonlySet<number>
  formatter: ReturnType<typeof createFormatter>
}

function readSheet(records: Records, reader: CellReader, collector: SheetCollector) {
  let [isOpen, isFull, column] = [false, false, -1]
  while (records.next()) {
    const { type } = records
    if (isOpen && (type === types.row || type === types.endOfRows)) {
      isFull = !collector.endRow()
      isOpen = false
    }
    if (type === types.row && !isFull) {
      collector.beginRow(records.long(0) + 1, (records.byte(11) & 0x10) !== 0)
      ;[isOpen, column] = [true, -1]
    } else if (type === types.merge) coverCells(records, collector)
    else if (isOpen) column = addCell(records, column, reader, collector)
  }
  // Without its end a sheet may lack rows.
  if (isOpen) throw new RangeError('The sheet does not end.')
}

function coverCells(records: Records, collector: SheetCollector) {
  const [top, bottom, left, right] = [0, 4, 8, 12].map((at) => records.long(at)) as [
    number,
    number,
    number,
    number,
  ]
  collector.coverCells({ top: top + 1, left, bottom: bottom + 1, right })
}

/** Adds the cell of a record, if it is one; returns the last column of its row so far. */
function addCell(records: Records, last: number, reader: CellReader, collector: SheetCollector): number {
  const { type } = records
  const isShort = type >= firstShort && type <= lastShort
  const kind = type === types.richText ? 'rich' : cellKinds[isShort ? type - firstShort : type - 1]
  if (kind === undefined) return last
  const column = isShort ? last + 1 : records.long(0)
  if (column <= last) throw new RangeError('Cells are not in the order of their columns.')
  const cell = readCell(records, kind, isShort ? 0 : 4, reader)
  if (cell) collector.addCell(column, cell)
  return column
}

/** `at`: where the style is, which the value follows. */
function readCell(
  records: Records,
  kind: CellKind | 'rich',
  at: number,
  reader: CellReader,
): Cell | undefined {
  const style = records.short(at) + 65536 * records.byte(at + 2)
  const cell = readValue(records, kind, at, reader.codes[style] ?? '', reader)
  return cell && reader.struckStyles.has(style) ? { ...cell, isStruck: true } : cell
}

function readValue(
  records: Records,
  kind: CellKind | 'rich',
  at: number,
  code: string,
  { strings, formatter, struckFonts }: CellReader,
): Cell | undefined {
  const value = at + 4
  if (kind === 'blank') return undefined
  if (kind === 'error') return { text: '', hasFailed: true }
  // Its words are those of the language.
  if (kind === 'boolean') return { text: records.byte(value) ? 'TRUE' : 'FALSE', isLocal: true }
  if (kind === 'number') return formatter.number(String(records.double(value)), code)
  if (kind === 'packed') return formatter.number(String(unpack(records.long(value))), code)
  if (kind === 'text') return formatter.text(records.text(value)[0], code)
  const found = kind === 'rich' ? readRichText(records, value, struckFonts) : strings[records.long(value)]
  const cell = formatter.text(found?.text ?? '', code)
  return found?.isStruck ? { ...cell, isStruck: true } : cell
}

/** A number of 30 bits: an integer or the upper bits of a fraction, perhaps a hundredth of it. */
function unpack(packed: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(4, packed & ~3, true)
  const value = packed & 2 ? packed >> 2 : view.getFloat64(0, true)
  return packed & 1 ? value / 100 : value
}
