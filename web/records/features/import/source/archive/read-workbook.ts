import { maxColumns } from '../parse-sheet.ts'
import { type Attributes, decodeAttribute, stop, walkXml } from './walk-xml.ts'

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

export const workbookParts =
  /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/

/** Reads the sheets of an .xlsx workbook that have rows. Calls `onProgress` with the part that is done, from 0 to 1. */
export function readWorkbook(
  files: ReadonlyMap<string, string>,
  maxRows: number,
  onProgress: (progress: number) => void,
): WorkbookSheet[] {
  const targets = new Map<string, string>()
  walkXml(files.get('xl/_rels/workbook.xml.rels') ?? '', {
    Relationship: ({ Id = '', Target = '' }) => targets.set(Id, Target.replace(/^\/xl\/|^\.\//, '')),
  })
  const found: { name: string; xml: string }[] = []
  walkXml(files.get('xl/workbook.xml') ?? '', {
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
      const report = (part: number) => onProgress((done + part * xml.length) / total)
      const sheet = readSheet(xml, strings, formats, maxRows, report)
      done += xml.length
      return { name, ...sheet }
    })
    .filter(({ rows }) => rows.length > 0)
}

const unescapeText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Reads the text in each of these elements, strings or cells, without phonetic guides. */
function readTexts(
  xml: string,
  element: 'si' | 'c',
  onText: (text: string, attributes: Attributes) => void,
  row?: { onOpen(attributes: Attributes): void; onClose(): unknown },
) {
  let attributes: Attributes = {}
  let content = ''
  let isPhonetic = false
  const open = {
    row: (attributes: Attributes) => row?.onOpen(attributes),
    [element]: (own: Attributes) => {
      attributes = own
      content = ''
    },
    rPh: () => {
      isPhonetic = true
    },
  }
  walkXml(xml, open, (name, text) => {
    if (name === 'row') return row?.onClose()
    if (name === 'rPh') isPhonetic = false
    else if (name === element) onText(content, attributes)
    else if ((name === 't' || name === 'v') && !isPhonetic) content += text
  })
}

function readSharedStrings(xml: string): string[] {
  const strings: string[] = []
  readTexts(xml, 'si', (text) => strings.push(unescapeText(text)))
  return strings
}

/** The format code of each style of a cell. */
function readFormats(xml: string): string[] {
  const date = 'yyyy-mm-dd'
  const builtIn = { 1: '0', 2: '0.00', 14: date, 15: date, 16: date, 17: date, 22: date }
  const codes = new Map(Object.entries(builtIn))
  const formats: string[] = []
  // Other lists of styles are before and behind this one.
  const cellStyles = /<(\w+:)?cellXfs[\s>].*?<\/(\w+:)?cellXfs>/s.exec(xml)?.[0] ?? ''
  walkXml(xml, {
    numFmt: ({ numFmtId = '', formatCode = '' }) => codes.set(numFmtId, decodeAttribute(formatCode)),
  })
  walkXml(cellStyles, { xf: ({ numFmtId = '' }) => formats.push(codes.get(numFmtId) ?? '') })
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

  function addCell(value: string, { r, t, s }: Attributes) {
    column = r ? toColumnIndex(r) : column + 1
    const text = toCellText(value, t, strings, formats[Number(s ?? 0)])
    if (column >= 0 && column < maxColumns && text !== '') row.cells[column] = text
  }

  readTexts(xml, 'c', addCell, {
    onOpen({ r, hidden }) {
      const number = r ? Number(r) : row.number + 1
      row = { number, cells: [], isHidden: hidden === '1' || hidden === 'true' }
      column = -1
    },
    onClose() {
      row.cells = Array.from(row.cells, (cell) => cell ?? '')
      if (!row.cells.some((cell) => cell.trim() !== '')) return
      isTruncated = rows.length === maxRows
      if (isTruncated) return stop
      rows.push(row)
      if (rows.length % rowsPerReport === 0) onProgress(rows.length / maxRows)
    },
  })
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
