import { msg } from '../../../../../language/translate.ts'
import { loadPart, SourceError } from '../sheet.ts'
import { isZip, openZip, type Zip } from './open-zip.ts'
import { readOds } from './read-ods.ts'
import { recognizeCompoundFile, recognizeZip } from './recognize-content.ts'
import type { SheetLimits, WorkbookSheet } from './sheets.ts'

/** Whether a text is of Gnumeric, by its beginning. */
const isGnumeric = (start: string) => /<(\w+:)?Workbook\s[^>]*gnumeric/.test(start)

const isGzip = (file: Uint8Array) => file[0] === 0x1f && file[1] === 0x8b

/** The part of a 1PUX file with its items. */
const vaultPart = 'export.data'

/** Recognises ZIP files, such as .xlsx, and the compound files that older and encrypted workbooks are. */
export const isArchive = (file: Uint8Array) => isZip(file) || isCompoundFile(file)

const isCompoundFile = (file: Uint8Array) =>
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1].every((byte, i) => file[i] === byte)

const lockedProblem = msg('This workbook is locked with a password. Remove the password and import it again.')

/**
 * Reads the sheets of a workbook that have rows, or the JSON of a 1PUX file. Numbers and dates that look different on other
 * computers are as in `language`. Throws a `SourceError` for anything else.
 */
export async function readArchive(
  file: Uint8Array,
  maxRows: number,
  onProgress: (progress: number) => void = () => {},
  language = navigator.language,
): Promise<WorkbookSheet[] | string> {
  const limits = { maxRows, onProgress: (progress: number) => onProgress(0.25 + 0.75 * progress) }
  try {
    if (!isCompoundFile(file)) return await readParts(openZip(file), language, limits)
    const foreign = recognizeCompoundFile(file)
    if (foreign) throw new SourceError(foreign)
    const { readBinaryWorkbook } = await loadPart(import('./binary/read-binary-workbook.ts'))
    return readBinaryWorkbook(file, language, limits)
  } catch (cause) {
    throw cause instanceof SourceError ? cause : createDamagedError(cause)
  }
}

async function readParts(zip: Zip, language: string, limits: SheetLimits) {
  const vault = zip.paths.has(vaultPart) && zip.read([vaultPart]).get(vaultPart)
  if (typeof vault === 'string') return vault
  const { findRecords, findWorkbook, readWorkbook } = await loadPart(import('./read-workbook.ts'))
  const workbook = findWorkbook(zip)
  if (workbook !== undefined) return readWorkbook(zip, workbook, language, limits)
  const records = findRecords(zip)
  if (records !== undefined) {
    const { readXlsb } = await loadPart(import('./binary/read-xlsb.ts'))
    return readXlsb(zip, records, language, limits)
  }
  const [contentPart, stylesPart, manifestPart] = ['content.xml', 'styles.xml', 'meta-inf/manifest.xml']
  if (zip.read([manifestPart]).get(manifestPart)?.includes('encryption-data'))
    throw new SourceError(lockedProblem)
  const content = zip.read([contentPart]).get(contentPart)
  if (content?.includes('<office:spreadsheet'))
    return readOds(content, limits, zip.read([stylesPart]).get(stylesPart))
  throw new SourceError(recognizeZip(zip.paths, content))
}

/** Unpacks what gzip has compressed if it is a workbook of Gnumeric. Null if it is anything else. */
export async function unpackGnumeric(file: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (!isGzip(file)) return null
  const { unpackGzip } = await loadPart(import('./unpack-gzip.ts'))
  try {
    return await unpackGzip(file, isGnumeric)
  } catch (cause) {
    throw cause instanceof SourceError ? cause : createDamagedError(cause)
  }
}

/**
 * Reads the sheets of a text that is a spreadsheet: a flat OpenDocument, the XML of Excel 2003, that of Gnumeric, or the tables of a
 * web page. Returns null for other text. Throws a `SourceError` for a web page without a table.
 */
export async function readMarkup(
  text: string,
  maxRows: number,
  language = navigator.language,
): Promise<WorkbookSheet[] | null> {
  const start = text.slice(0, maxPrologLength)
  const root =
    /^\s*(?:<(?:\?|!(?!--))[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*<([\w:-]+)(?=[\s/>]|$)/
      .exec(start)?.[1]
      ?.toLowerCase() ?? ''
  const limits = { maxRows, onProgress: () => {} }
  try {
    if (root === 'office:document') {
      if (text.includes('<office:spreadsheet')) return readOds(text, limits)
      throw new SourceError(recognizeZip(new Set(), text))
    }
    if (/^(ss:)?workbook$/.test(root) && start.includes('urn:schemas-microsoft-com:office:spreadsheet')) {
      const { readXmlSheets } = await loadPart(import('./read-xml-sheets.ts'))
      return readXmlSheets(text, language, limits)
    }
    if (/^(\w+:)?workbook$/.test(root) && isGnumeric(start)) {
      const { readGnumeric } = await loadPart(import('./read-gnumeric.ts'))
      return readGnumeric(text, language, limits)
    }
  } catch (cause) {
    throw cause instanceof SourceError ? cause : createDamagedError(cause)
  }
  // SQLite's shell writes no table around the rows.
  const isBare = /^t([rdh]|head|body)$/.test(root)
  if (!isBare && !webElements.has(root) && !/^\s*<!doctype html\b/i.test(start)) return null
  const { readWebTables } = await loadPart(import('./read-web-tables.ts'))
  const sheets = readWebTables(isBare ? `<table>${text}</table>` : text, limits)
  if (sheets.length === 0) throw new SourceError(msg('This is a web page without a table.'))
  return sheets
}

const maxPrologLength = 4_096

/** The elements with which a web page, or a part of one, may begin. */
const webElements = new Set(
  'html head body meta link title style script table div center font p h1 h2 h3 span br figure google-sheets-html-origin'.split(
    ' ',
  ),
)

const createDamagedError = (cause: unknown) =>
  new SourceError(msg('This workbook is damaged or incomplete. Save it again, or export it as CSV.'), {
    cause,
  })
