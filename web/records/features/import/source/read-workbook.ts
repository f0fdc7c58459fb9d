import { Unzip, UnzipInflate } from 'fflate'
import { Parser } from 'saxen'

export interface WorkbookRow {
  /** 1-based. */
  number: number
  cells: string[]
  isHidden: boolean
}

export interface WorkbookSheet {
  name: string
  /** The rows that are not empty, at most `maxRows`. */
  rows: WorkbookRow[]
  isTruncated: boolean
}

/** Why a workbook cannot be read. */
export class WorkbookError extends Error {
  override name = 'WorkbookError'
  readonly reason: 'broken' | 'locked' | 'old' | 'too big' | 'other'

  constructor(reason: WorkbookError['reason'], options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** Unpacked, the parts that are read may have so many bytes. 100,000 rows of three fields have 30 million. */
const maxUnpackedBytes = 128 * 1024 * 1024

/** What is to the right of so many columns is left out: a row may name a cell in column 16,384 alone. */
const maxColumns = 256

/** Reads the sheets of an .xlsx workbook that have rows. Calls `onProgress` with the part that is done, from 0 to 1. */
export function readWorkbook(
  file: Uint8Array,
  maxRows: number,
  onProgress: (progress: number) => void = () => {},
): WorkbookSheet[] {
  const files = unpack(file, (progress) => onProgress(progress / 4))
  const workbook = files.get('xl/workbook.xml')
  if (workbook === undefined) throw new WorkbookError('other')
  const targets = new Map<string, string>()
  walk(files.get('xl/_rels/workbook.xml.rels') ?? '', {
    Relationship: ({ Id = '', Target = '' }) => targets.set(Id, Target.replace(/^\/xl\/|^\.\//, '')),
  })
  const found: { name: string; xml: string }[] = []
  walk(workbook, {
    sheet: (attributes) => {
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const xml = files.get(`xl/${targets.get(id)}`)
      if (xml !== undefined) found.push({ name: decodeAttribute(attributes.name ?? ''), xml })
    },
  })
  const strings = readSharedStrings(files.get('xl/sharedStrings.xml') ?? '')
  const formats = readFormats(files.get('xl/styles.xml') ?? '')
  const total = found.reduce((sum, { xml }) => sum + xml.length, 1)
  let done = 0
  return found
    .map(({ name, xml }) => {
      const report = (part: number) => onProgress(0.25 + (0.75 * (done + part * xml.length)) / total)
      const sheet = readSheet(xml, strings, formats, maxRows, report)
      done += xml.length
      return { name, ...sheet }
    })
    .filter(({ rows }) => rows.length > 0)
}

const wantedParts =
  /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/
const sliceBytes = 16 * 1024

/** Unpacks the parts that are read, and stops at `maxUnpackedBytes`. The size that a part declares may be wrong. */
function unpack(file: Uint8Array, onProgress: (progress: number) => void): Map<string, string> {
  if (isCompoundFile(file)) throw new WorkbookError(isLocked(file) ? 'locked' : 'old')
  if (!hasDirectory(file)) throw new WorkbookError('broken')
  const files = new Map<string, string>()
  let unpackedBytes = 0
  const unzip = new Unzip((part) => {
    if (!wantedParts.test(part.name)) return
    if ((part.originalSize ?? 0) > maxUnpackedBytes - unpackedBytes) throw new WorkbookError('too big')
    const decoder = new TextDecoder()
    let text = ''
    part.ondata = (error, bytes, isFinal) => {
      if (error) throw error
      unpackedBytes += bytes.length
      if (unpackedBytes > maxUnpackedBytes) throw new WorkbookError('too big')
      text += decoder.decode(bytes, { stream: !isFinal })
      if (isFinal) files.set(part.name, text)
    }
    part.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let start = 0; start < file.length; start += sliceBytes) {
      const end = Math.min(start + sliceBytes, file.length)
      unzip.push(file.subarray(start, end), end === file.length)
      onProgress(end / file.length)
    }
  } catch (cause) {
    throw cause instanceof WorkbookError ? cause : new WorkbookError('broken', { cause })
  }
  return files
}

/** The container of old .xls workbooks, and of workbooks that are encrypted with a password. */
const isCompoundFile = (file: Uint8Array) =>
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].every((byte, i) => file[i] === byte)

/** Whether the directory of a compound file names an `EncryptedPackage`, in UTF-16 LE. */
const isLocked = (file: Uint8Array) =>
  new TextDecoder('latin1').decode(file).includes([...'EncryptedPackage'].join('\0'))

/** Whether the central directory, the last part of a ZIP file, is there. */
function hasDirectory(file: Uint8Array): boolean {
  const tail = file.subarray(-66_000)
  for (let i = tail.length - 22; i >= 0; i--)
    if (tail[i] === 0x50 && tail[i + 1] === 0x4b && tail[i + 2] === 5 && tail[i + 3] === 6) return true
  return false
}

type Attributes = Record<string, string | undefined>

/** Calls a function for each element whose local name it has. `onText` and `onClose` are called for all. */
function walk(
  xml: string,
  onOpen: Record<string, (attributes: Attributes) => void>,
  onText?: (text: string) => void,
  onClose?: (name: string) => void,
) {
  if (xml === '') return
  const handlers = new Map(Object.entries(onOpen))
  const parser = new Parser()
    .on('openTag', (name, getAttributes) => handlers.get(toLocalName(name))?.(getAttributes()))
    .on('error', (cause) => {
      throw new WorkbookError('broken', { cause })
    })
    .on('warn', () => {})
  if (onText) parser.on('text', (text, decode) => onText(decode(decodeAstral(text)))).on('cdata', onText)
  if (onClose) parser.on('closeTag', (name) => onClose(toLocalName(name)))
  parser.parse(xml)
}

/** saxen decodes a reference to a character above U+FFFF as another character. */
const decodeAstral = (text: string) =>
  text.replace(/&#(?:x0*([\da-f]{5})|(\d{6}));/gi, (_, hex: string, decimal: string) =>
    String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )

const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1)

/** saxen returns attributes as they are in the file. */
const decodeAttribute = (text: string) =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: 'lt') => entities[name])

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const unescapeText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function readSharedStrings(xml: string): string[] {
  const strings: string[] = []
  let text = ''
  let isInText = false
  let isPhonetic = false
  walk(
    xml,
    {
      si: () => {
        text = ''
      },
      t: () => {
        isInText = !isPhonetic
      },
      rPh: () => {
        isPhonetic = true
      },
    },
    (part) => {
      if (isInText) text += part
    },
    (name) => {
      if (name === 't') isInText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'si') strings.push(unescapeText(text))
    },
  )
  return strings
}

/** The format code of each style of a cell. */
function readFormats(xml: string): string[] {
  const codes = new Map([
    ['1', '0'],
    ['2', '0.00'],
    ['14', 'yyyy-mm-dd'],
    ['15', 'yyyy-mm-dd'],
    ['16', 'yyyy-mm-dd'],
    ['17', 'yyyy-mm-dd'],
    ['22', 'yyyy-mm-dd'],
  ])
  const formats: string[] = []
  let isInCells = false
  walk(
    xml,
    {
      numFmt: ({ numFmtId = '', formatCode = '' }) => codes.set(numFmtId, decodeAttribute(formatCode)),
      cellXfs: () => {
        isInCells = true
      },
      xf: ({ numFmtId = '' }) => isInCells && formats.push(codes.get(numFmtId) ?? ''),
    },
    undefined,
    (name) => {
      if (name === 'cellXfs') isInCells = false
    },
  )
  return formats
}

const millisecondsPerDay = 86_400_000

/** A number as the sheet shows it, in the formats that a list may have: leading zeros, decimals, dates (as ISO 8601). */
function formatNumber(value: string, format = ''): string {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  if (/^0+$/.test(format)) return number.toFixed(0).padStart(format.length, '0')
  const decimals = /^0+\.(0+)$/.exec(format)?.[1]
  if (decimals) return number.toFixed(decimals.length)
  if (/[dy]/i.test(format.replace(/\[.*?\]|".*?"|\\./g, ''))) {
    const date = new Date(Date.UTC(1899, 11, 30) + Math.round(number * millisecondsPerDay))
    return Number.isNaN(date.getTime()) ? value : date.toISOString().slice(0, 10)
  }
  // A file has up to 17 digits, a sheet shows at most 15.
  const rounded = Number(number.toPrecision(15))
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e21 ? BigInt(rounded).toString() : String(rounded)
}

const rowsPerReport = 2_000

function readSheet(
  xml: string,
  strings: string[],
  formats: string[],
  maxRows: number,
  onProgress: (progress: number) => void,
): Omit<WorkbookSheet, 'name'> {
  const rows: WorkbookRow[] = []
  let isTruncated = false
  let row: WorkbookRow = { number: 0, cells: [], isHidden: false }
  let column = -1
  let type: string | undefined
  let style = 0
  let value = ''
  let isInValue = false
  let isPhonetic = false

  function closeCell() {
    const text = toCellText(value, type, strings, formats[style])
    if (column >= 0 && column < maxColumns && text !== '') row.cells[column] = text
  }

  function closeRow() {
    row.cells = Array.from(row.cells, (cell) => cell ?? '')
    if (!row.cells.some((cell) => cell.trim() !== '')) return
    if (rows.length < maxRows) rows.push(row)
    else isTruncated = true
    if (rows.length % rowsPerReport === 0) onProgress(Math.min(1, rows.length / maxRows))
  }

  walk(
    xml,
    {
      row: ({ r, hidden }) => {
        row = {
          number: r ? Number(r) : row.number + 1,
          cells: [],
          isHidden: hidden === '1' || hidden === 'true',
        }
        column = -1
      },
      c: ({ r, t, s }) => {
        column = r ? toColumnIndex(r) : column + 1
        type = t
        style = Number(s ?? 0)
        value = ''
      },
      v: () => {
        isInValue = true
      },
      t: () => {
        isInValue = !isPhonetic
      },
      rPh: () => {
        isPhonetic = true
      },
    },
    (text) => {
      if (isInValue) value += text
    },
    (name) => {
      if (name === 'v' || name === 't') isInValue = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c') closeCell()
      else if (name === 'row') closeRow()
    },
  )
  return { rows, isTruncated }
}

function toCellText(value: string, type: string | undefined, strings: string[], format?: string): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'inlineStr' || type === 'str') return unescapeText(value)
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return type === 'e' || type === 'd' ? value : formatNumber(value, format)
}

/** The 0-based column of a reference such as `AB12`. */
function toColumnIndex(reference: string): number {
  let index = 0
  for (const letter of reference.replace(/\d/g, '')) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}
