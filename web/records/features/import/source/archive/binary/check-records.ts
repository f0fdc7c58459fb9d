import { msg } from '../../../../../../language/translate.ts'
import { maxColumns, SourceError } from '../../sheet.ts'
import { createTooBigError } from '../open-zip.ts'

const lockedProblem = msg('This workbook is locked with a password. Remove the password and import it again.')

const types = {
  formula: 0x06,
  end: 0x0a,
  password: 0x2f,
  continuation: 0x3c,
  columns: 0x7d,
  merges: 0xe5,
  /** A picture's, which the library skips without a word. */
  skipped: 0xec,
  texts: 0xfc,
  begin: 0x809,
}

/** Records of cells, rows, columns and formats, and what they need: all that is read of a workbook. */
const knownTypes = new Set([
  ...[0x00, 0x06, 0x0a, 0x22, 0x2f, 0x3c, 0x42, 0x7d, 0x85, 0xbd, 0xbe, 0xd6, 0xe0, 0xe5, 0xfc, 0xfd],
  ...[0x200, 0x201, 0x203, 0x204, 0x205, 0x207, 0x208, 0x27e, 0x41e, 0x809],
])

/** Where records with one text have the count of its characters, and in how many bytes: names of sheets, cells, results and formats. */
const textCounts = new Map<number, readonly [at: number, bytes: number]>([
  [0x85, [6, 1]],
  [0xd6, [6, 2]],
  [0x204, [6, 2]],
  [0x207, [0, 2]],
  [0x41e, [2, 2]],
])

/** The version that all parts of a workbook of Excel 97 to 2003 have. */
const version = 0x600

/** Limits what may repeat in a sheet; programs write far less. The library takes time for each, or for each of those before it. */
const maxMergeRecords = 5_000
const maxDescribedColumns = 16 * maxColumns

/**
 * Changes the stream of a workbook so that the library can read it: it believes all counts and lengths, and fills the memory or does
 * not end if one is damaged. Skips records that are not read, and formulas. Counts are cut to what a record holds, but a text that is
 * cut off is damage: part of a password is none. Returns the stream up to the end of its last sheet.
 */
export function checkRecords(stream: Uint8Array): Uint8Array {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  let [depth, mergeRecords, columns, at, hasTexts] = [0, 0, 0, 0, false]
  for (; at + 4 <= stream.length; at += 4 + view.getUint16(at + 2, true)) {
    const type = view.getUint16(at, true)
    const skip = () => view.setUint16(at, types.skipped, true)
    if (type === types.begin) {
      checkVersion(view, at)
      depth++
      mergeRecords = columns = 0
    } else if (depth === 0) break
    else if (type === types.end) depth--
    else if (type === types.password) throw new SourceError(lockedProblem)
    else if (!knownTypes.has(type)) skip()
    else if (type === types.formula && !hideFormula(view, at)) skip()
    else if (type === types.texts) {
      // A workbook has one such table; a damaged record may look like another, which would replace it.
      if (hasTexts || !limitTexts(view, at)) skip()
      else hasTexts = true
    } else if (type === types.merges) {
      if (!limitMerges(view, at)) skip()
      if (++mergeRecords > maxMergeRecords) throw createTooBigError()
    } else if (type === types.columns) {
      columns += limitColumns(view, at)
      if (columns > maxDescribedColumns) skip()
    } else checkText(view, at, textCounts.get(type))
  }
  if (at === 0) throw new Error('The workbook does not begin.')
  return stream.subarray(0, at)
}

/** The library reads other versions in other ways, with lengths elsewhere. */
function checkVersion(view: DataView, at: number) {
  if (at + 6 > view.byteLength || view.getUint16(at + 2, true) < 2) throw new Error('A sheet has no version.')
  if (at === 0 && view.getUint16(4, true) !== version) throw new Error('The workbook has another version.')
  view.setUint16(at + 4, version, true)
}

/** Leaves the result of a formula alone, unless the formula is a text: programs write those to keep zeros, some without the result. */
function hideFormula(view: DataView, at: number): boolean {
  const [sizeAt, length, textToken] = [at + 24, view.getUint16(at + 2, true), 0x17]
  if (length < 22 || at + 4 + length > view.byteLength) return false
  const size = view.getUint16(sizeAt, true)
  const isText = size > 4 && 22 + size <= length && view.getUint8(sizeAt + 2) === textToken
  const letterBytes = isText && view.getUint8(sizeAt + 4) === 1 ? 2 : 1
  if (!isText || size !== 3 + view.getUint8(sizeAt + 3) * letterBytes) view.setUint16(sizeAt, 0xffff, true)
  return true
}

/** Limits the merged cells to those that the record holds. */
function limitMerges(view: DataView, at: number): boolean {
  const { bytes } = readRecord(view, at)
  if (view.getUint16(at + 2, true) < 2 || bytes.length < 2) return false
  const count = Math.floor((bytes.length - 2) / 8)
  view.setUint16(at + 4, Math.min(count, view.getUint16(at + 4, true)), true)
  return true
}

/** Limits columns to those that a sheet has, and returns how many the record describes. */
function limitColumns(view: DataView, at: number): number {
  if (view.getUint16(at + 2, true) < 12 || at + 16 > view.byteLength) return Infinity
  const last = Math.min(maxColumns - 1, view.getUint16(at + 6, true))
  view.setUint16(at + 6, last, true)
  return Math.max(1, last + 1 - view.getUint16(at + 4, true))
}

/** Limits the shared texts to those that the record holds. */
function limitTexts(view: DataView, at: number): boolean {
  const record = readRecord(view, at)
  if (view.getUint16(at + 2, true) < 8 || record.bytes.length < 8) return false
  const declared = view.getUint32(at + 8, true)
  let count = 0
  for (let next = 8; count < declared && next < record.bytes.length; count++) {
    const end = skipRichText(record, next)
    if (end === undefined) break
    next = end
  }
  view.setUint32(at + 8, count, true)
  return true
}

/** A record with its continuations, and where those start. */
interface TextRecord {
  bytes: Uint8Array
  starts: ReadonlySet<number>
}

/** The library compares each character with all starts. */
const maxComparisons = 2e10

function readRecord(view: DataView, at: number): TextRecord {
  const parts: Uint8Array[] = []
  const starts = new Set<number>()
  let [next, length] = [at, 0]
  do {
    if (next > at) starts.add(length)
    const size = Math.min(view.getUint16(next + 2, true), view.byteLength - next - 4)
    parts.push(new Uint8Array(view.buffer, view.byteOffset + next + 4, size))
    next += 4 + size
    length += size
  } while (next + 4 <= view.byteLength && view.getUint16(next, true) === types.continuation)
  if (parts.length * length > maxComparisons) throw createTooBigError()
  const bytes = new Uint8Array(length)
  let filled = 0
  for (const part of parts) {
    bytes.set(part, filled)
    filled += part.length
  }
  return { bytes, starts }
}

function checkText(view: DataView, at: number, place: readonly [at: number, bytes: number] | undefined) {
  if (!place) return
  const record = readRecord(view, at)
  const [countAt, size] = place
  const [low = 0, high = 0] = record.bytes.subarray(countAt, countAt + size)
  const [count, flagsAt] = [low + 256 * high, countAt + size]
  const end = count === 0 ? flagsAt : skipCharacters(record, flagsAt + 1, count, record.bytes[flagsAt] !== 0)
  if (end === undefined || end > record.bytes.length) throw new Error('A text is longer than its record.')
}

/** Returns the numbers of the fonts that parts of the texts in the record have. */
export function findFonts(view: DataView, at: number): Set<number> {
  const fonts = new Set<number>()
  const record = readRecord(view, at)
  let next: number | undefined = 8
  while (next !== undefined && next < record.bytes.length)
    next = skipRichText(record, next, (font) => fonts.add(font))
  return fonts
}

/** Returns the end of a text with its formats, or undefined if the record ends before the text. */
function skipRichText(
  record: TextRecord,
  at: number,
  onFont: (font: number) => void = () => {},
): number | undefined {
  const view = new DataView(record.bytes.buffer)
  if (at + 3 > view.byteLength) return undefined
  const flags = view.getUint8(at + 2)
  const runsAt = at + 3
  const extensionAt = runsAt + (flags & 8 ? 2 : 0)
  const charactersAt = extensionAt + (flags & 4 ? 4 : 0)
  if (charactersAt > view.byteLength) return undefined
  const runs = flags & 8 ? view.getUint16(runsAt, true) : 0
  const extension = flags & 4 ? view.getUint32(extensionAt, true) : 0
  const end = skipCharacters(record, charactersAt, view.getUint16(at, true), (flags & 1) === 1)
  if (end === undefined) return undefined
  for (let i = 0, next = end + 2; i < runs && next + 2 <= view.byteLength; i++, next += 4)
    onFont(view.getUint16(next, true))
  return end + 4 * runs + extension
}

/** Returns the end of a text, or undefined if the record ends before. Each continuation tells anew how wide its characters are. */
function skipCharacters({ bytes, starts }: TextRecord, at: number, count: number, isWide: boolean) {
  let [end, width] = [at, isWide ? 2 : 1]
  for (let left = count; left > 0 && end < bytes.length; left--) {
    while (starts.has(end)) width = bytes[end++] === 0 ? 1 : 2
    end += width
    if (left === 1 && end <= bytes.length) return end
  }
  return count === 0 ? end : undefined
}
