import { maxBatchSize } from '../../../../../../contract/batches.ts'
import { createDamagedListError, maxColumns, type Sheet, type SheetRow } from '../sheet.ts'

interface Field {
  name: Uint8Array
  type: string
  start: number
  length: number
}

const versions = new Set([0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8b, 0x8e, 0xf5, 0xfb])

/** The fields of a table of dBASE or FoxPro; undefined for another file. */
function readFields(file: Uint8Array): Field[] | undefined {
  const [version = 0, , month = 0, day = 0] = file
  if (file.length < 65 || !versions.has(version) || month < 1 || month > 12 || day < 1 || day > 31)
    return undefined
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const [headerLength, recordLength] = [view.getUint16(8, true), view.getUint16(10, true)]
  const fields: Field[] = []
  // Each record begins with a sign of whether it was deleted.
  let start = 1
  for (let at = 32; at + 32 < headerLength && at + 32 < file.length && file[at] !== 0x0d; at += 32) {
    const [type, length] = [String.fromCharCode(file[at + 11] ?? 0), file[at + 16] ?? 0]
    fields.push({ name: cutAtZero(file.subarray(at, at + 11)), type, start, length })
    start += length
  }
  return fields.length > 0 && start === recordLength ? fields : undefined
}

const cutAtZero = (bytes: Uint8Array) => {
  const end = bytes.indexOf(0)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

const [space, deleted] = [0x20, 0x2a]

/** Stand behind a field and behind a record, and for themselves in a text, which has none of those. They are in no letter of any encoding. */
const [fieldEnd, recordEnd, tab, lineFeed] = [0x09, 0x0a, 0x1f, 0x1e]

/**
 * Returns the records of a table of dBASE or FoxPro as one text in the same encoding, which `splitRecords` reads when it is decoded;
 * null for another file. Texts that the table keeps in a second file are missing. `driver`: the number that names the encoding.
 */
export function readDbf(
  file: Uint8Array,
): { bytes: Uint8Array<ArrayBuffer>; driver: number | undefined } | null {
  const fields = readFields(file)
  if (!fields) return null
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const [count, headerLength, recordLength] = [
    view.getUint32(4, true),
    view.getUint16(8, true),
    view.getUint16(10, true),
  ]
  if (headerLength + count * recordLength > file.length) throw createDamagedListError()
  const bytes = new Uint8Array(measure(fields, count))
  let end = 0
  const write = (cells: Iterable<Uint8Array>) => {
    for (const cell of cells) {
      if (cell.includes(tab) || cell.includes(lineFeed)) throw createDamagedListError()
      for (const byte of cell) bytes[end++] = byte === fieldEnd ? tab : byte === recordEnd ? lineFeed : byte
      bytes[end++] = fieldEnd
    }
    bytes[end - 1] = recordEnd
  }
  write(fields.map(({ name }) => name))
  for (let i = 0; i < count; i++) {
    const record = file.subarray(headerLength + i * recordLength, headerLength + (i + 1) * recordLength)
    if (record[0] !== deleted) write(fields.map((field) => readField(record, field)))
  }
  return { bytes: bytes.subarray(0, end), driver: file[29] }
}

/** The rows of the text that `readDbf` has returned, the first one with the names of the fields. */
export function splitRecords(text: string): Sheet {
  const rows: SheetRow[] = []
  let start = 0
  for (let number = 1; start < text.length && rows.length <= maxBatchSize + 1; number++) {
    const end = text.indexOf('\n', start)
    const record = text.slice(start, end).split('\t', maxColumns)
    const cells = record.map((cell) => cell.replaceAll('\x1f', '\t').replaceAll('\x1e', '\n'))
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ number, cells })
    start = end + 1
  }
  const isTruncated = rows.length > maxBatchSize + 1
  return { rows: rows.slice(0, maxBatchSize + 1), isTruncated, hasUnclosedQuote: false }
}

/** The most bytes that the records need: a number or a date is longer than its field. */
const measure = (fields: readonly Field[], count: number) =>
  (count + 1) * fields.reduce((sum, { length }) => sum + Math.max(length, 12) + 1, 0)

const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** The text of a field, without the spaces that fill it. */
function readField(record: Uint8Array, { type, start, length }: Field): Uint8Array {
  const bytes = cutAtZero(record.subarray(start, start + length))
  if (type === 'I' && length === 4)
    return toBytes(String(new DataView(record.buffer, record.byteOffset + start, 4).getInt32(0, true)))
  if (!'CNFDL'.includes(type)) return toBytes('')
  let [from, to] = [0, bytes.length]
  while (to > 0 && bytes[to - 1] === space) to--
  while (type !== 'C' && from < to && bytes[from] === space) from++
  const text = bytes.subarray(from, to)
  if (type !== 'D' || text.length !== 8) return text
  const date = String.fromCharCode(...text)
  return toBytes(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`)
}
