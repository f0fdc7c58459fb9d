import { maxBatchSize } from '../../../../../contract/batches.ts'
import { isEmail, maxFieldLength, parseEmail } from '../../../../../contract/employees.ts'
import { type Message, msg } from '../../../../language/translate.ts'
import { isEscapedFormula } from '../../../model/spreadsheet/escape-formulas.ts'
import type { ImportSource } from '../../../model/view.ts'
import { isArchive, readArchive, readMarkup, unpackGnumeric } from './archive/read-archive.ts'
import { readDbf, splitRecords } from './archive/read-dbf.ts'
import { isNoise, noList, program, recognizeContent } from './archive/recognize-content.ts'
import type { WorkbookSheet } from './archive/sheets.ts'
import { findConstant, isErrorText } from './cell-text.ts'
import {
  detectColumns,
  isHeader,
  isSecretHeader,
  joinLastNames,
  type SheetLayout,
  skipPreamble,
  turnNames,
} from './detect-columns.ts'
import { decodeText, isUtf8 } from './encodings/decode.ts'
import { toAscii } from './encodings/decode-bytes.ts'
import { type Encoding, encodings } from './encodings/encodings.ts'
import { encodingByDriver } from './encodings/table-drivers.ts'
import { recognizeFormat } from './formats.ts'
import { type HeldFile, type HeldSource, holdSource } from './held-source.ts'
import {
  codesDoubt,
  columnsDoubt,
  LockedError,
  type Sheet,
  type SheetRow,
  SourceError,
  toSourceError,
  unreadableList,
} from './sheet.ts'
import { findWidth, isFilled, isRectangular } from './text/choose-dialect.ts'
import { recognizeChat } from './text/notes/recognize-chat.ts'
import { parseText } from './text/parse-text.ts'
import { recognizeText } from './text/recognize-text.ts'
import { readSql } from './text/sql/read-sql.ts'
import { linesDoubt, signsDoubt } from './text/to-list.ts'
import { turnSheet } from './turn-sheet.ts'
import { readCsvVault } from './vaults/csv-vaults.ts'
import { joinCards } from './vaults/join-cards.ts'
import { parseJsonVault } from './vaults/json-vaults.ts'
import { parseKasperskyText } from './vaults/kaspersky-text.ts'
import { parseKeePassXml } from './vaults/keepass-xml.ts'
import type { ProgramSheet } from './vaults/vault-items.ts'
import { parseXmlVault } from './vaults/xml-vaults.ts'

/** The encoding of a text file, or the index of a sheet. */
export type SourceChoice = Encoding | number

export interface ParsedSource extends Sheet {
  /** Null for pasted rows. */
  name: string | null
  /** Null if there is nothing to choose. */
  encoding: Encoding | null
  /** Whether the encoding was guessed and others are as likely. */
  isEncodingUnsure: boolean
  /** The sheets of a workbook that have rows; `sheet` is the index of the one that was read. */
  workbook: {
    sheets: readonly Pick<WorkbookSheet, 'name' | 'isHidden'>[]
    sheet: number
    hiddenRowCount: number
    hiddenColumnCount: number
  } | null
  /** The name of the program that has written it; null if it is not known. */
  program: string | null
  /** Number of cells that `escapeFormula` may have escaped. */
  escapedCellCount: number
  /** The indices of the columns with any text. */
  usedColumns: number[]
  layout: SheetLayout
}

/** How to read a source: differently than it was, or with the password that a file is protected with. */
export interface ParseOptions {
  choice?: SourceChoice | undefined
  password?: string | undefined
}

/** Reads and parses a source, in this encoding or the detected one. Rejects with a `SourceError`. */
export async function parseSource(
  origin: ImportSource | HeldFile,
  { choice, password }: ParseOptions = {},
  onProgress?: (progress: number) => void,
): Promise<ParsedSource> {
  const source = await holdSource(origin)
  if (typeof source === 'string') {
    const sheets = await readSheets(source)
    if (sheets) return chooseSheet(null, sheets, typeof choice === 'number' ? choice : undefined)
    return readSourceText(source, { ...noInfo, name: null })
  }
  const { name, bytes } = source
  const info = { ...noInfo, name }
  if (isArchive(bytes)) {
    const content = await readArchive(bytes, maxBatchSize + 1, onProgress)
    if (typeof content === 'string') return readSourceText(content, info, password)
    return chooseSheet(name, content, typeof choice === 'number' ? choice : undefined)
  }
  if (kdbxSignature.every((byte, i) => bytes[i] === byte))
    throw new SourceError(msg('This is a KeePass database. Export it as XML or CSV and import that.'))
  const gnumeric = await unpackGnumeric(bytes)
  if (gnumeric !== null) {
    const sheets = (await readMarkup(gnumeric, maxBatchSize + 1)) ?? []
    return chooseSheet(name, sheets, typeof choice === 'number' ? choice : undefined)
  }
  const chosen = typeof choice === 'string' ? choice : undefined
  const table = readDbf(bytes)
  if (table) {
    const named = isUtf8(table.bytes) ? 'utf-8' : encodingByDriver.get(table.driver)
    const { text, encoding, isSure } = await decodeText(table.bytes, chosen ?? named)
    // Programs name an encoding that others of their letters are in.
    const isEncodingUnsure =
      !isSure || (chosen === undefined && encoding !== 'utf-8' && /[^\0-\x7f]/.test(text))
    return describeSheet(requireRows(splitRecords(text), info), { ...info, encoding, isEncodingUnsure })
  }
  const foreign = recognizeContent(bytes)
  if (foreign) throw new SourceError(foreign === program && hasListedEmails(bytes) ? unreadableList : foreign)
  const known = chosen ?? findDeclaredEncoding(bytes)
  const { text, encoding, isSure } = await decodeText(bytes, known)
  const kind = recognizeText(text)
  if (kind) throw new SourceError(kind)
  const sheets = await readSheets(text)
  if (sheets) {
    const sheet = chooseSheet(name, sheets, typeof choice === 'number' ? choice : undefined)
    // One thing can be chosen: which sheet is read, or how the only one is.
    const isChoice = sheets.length === 1 && (!isSure || chosen !== undefined)
    return { ...sheet, encoding: isChoice ? encoding : null, isEncodingUnsure: !isSure }
  }
  const list = await readSourceText(text, { ...info, encoding, isEncodingUnsure: !isSure }, password)
  if (!isList(list, text)) throw new SourceError(hasSeveralEmails(text) ? unreadableList : noList)
  return list
}

/** Reads the tables of a text that may have several; null if it is of another kind. */
async function readSheets(text: string): Promise<WorkbookSheet[] | null> {
  const sheets = await readMarkup(text, maxBatchSize + 1)
  return sheets ? joinCards(sheets) : readSql(text)
}

/** The encodings that dumps of databases call by other names. */
const databaseEncodings: Readonly<Record<string, Encoding>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  latin1: 'windows-1252',
}

/** The encoding that a web page, an XML file or a dump of a database names. */
function findDeclaredEncoding(bytes: Uint8Array): Encoding | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 4_096))
  const label = /<(?:meta|\?xml)\s[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?([\w-]{1,40})/i.exec(start)?.[1]
  const set = /^(?:\/\*!\d{5} )?set (?:names|client_encoding =) '?(\w{1,20})/im
    .exec(start)?.[1]
    ?.toLowerCase()
  if (set !== undefined && /^(--|\/\*)/.test(start)) return databaseEncodings[set]
  return encodings.find(({ encoding }) => encoding === label?.toLowerCase())?.encoding
}

/** Whether a text is a list, of whatever columns, and not a letter, code or noise. */
function isList({ program, rows, layout }: ParsedSource, text: string): boolean {
  const { email, ...others } = layout.columns
  const isNamed = layout.hasHeader && Object.values(others).some((column) => column !== null)
  if (program || (email !== null && isNamed)) return true
  if (isNoise(text)) return false
  const sample = rows.slice(0, 200)
  const hasEmail = ({ cells }: SheetRow) => cells.some((cell) => isEmail(parseEmail(cell).email))
  if (sample.filter(hasEmail).length >= sample.length / 2) return true
  const widths = Map.groupBy(sample, ({ cells }) => cells.length)
  const [usual = 0, same = []] = [...widths].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  return usual > 1 && same.length >= sample.length * 0.9 && !isProse(text)
}

/** Whether a text has several emails, so that it may be a list in another form. */
const hasSeveralEmails = (text: string) =>
  (text.slice(0, 100_000).match(/[^\s@]@[\w-][\w.-]{0,200}\.[a-z]{2}/gi) ?? []).length > 1

/** Whether a program is text with several emails. */
function hasListedEmails(bytes: Uint8Array): boolean {
  const start = toAscii(bytes.subarray(0, 100_000))
  return !isNoise(start) && hasSeveralEmails(start)
}

/** Whether white space follows every sign that may separate cells, as in sentences. */
const isProse = (text: string) => !/[,;|](?=\S)|\t/.test(text)

type SourceInfo = Pick<ParsedSource, 'name' | 'encoding' | 'isEncodingUnsure' | 'workbook'>
const noInfo = { encoding: null, isEncodingUnsure: false, workbook: null }

async function readSourceText(text: string, info: SourceInfo, password?: string): Promise<ParsedSource> {
  const vault =
    (await parseJsonVault(text, password)) ??
    parseKeePassXml(text) ??
    parseXmlVault(text) ??
    parseKasperskyText(text)
  const foreign = vault ? undefined : recognizeChat(text)
  if (foreign) throw new SourceError(foreign)
  const sheet = vault ?? turnText(parseText(text))
  return describeSheet(requireRows(sheet, info), vault ? { ...noInfo, name: info.name } : info)
}

function requireRows(sheet: Sheet, { name }: SourceInfo): Sheet {
  if (sheet.rows.length > 0) return sheet
  throw new SourceError(name === null ? msg('There are no rows in this text.') : msg('The file is empty.'))
}

/** Where a cell is missing in a text, it is not clear whose it is; in a workbook those at the end are empty. */
function turnText(sheet: Sheet): Sheet {
  if (!isRectangular(sheet.rows)) return sheet
  const turned = turnSheet(sheet)
  if (turned === sheet || !hasLineOfSecret(sheet.rows)) return turned
  return { ...turned, doubts: [...(turned.doubts ?? []), linesDoubt] }
}

/** Whether a line without a known label stands below the secret of the only person: it may be a line of the secret. */
const hasLineOfSecret = (rows: readonly SheetRow[]) =>
  rows.every(({ cells }) => cells.length <= 2) &&
  rows.some(
    ({ cells: [label = '', value] }, i) =>
      value !== undefined && !isHeader(label) && isSecretHeader(rows[i - 1]?.cells[0] ?? ''),
  )

type DescribedSheet = Sheet &
  Pick<WorkbookSheet, 'hasFormulasAsText'> &
  Partial<Pick<ProgramSheet, 'program' | 'hasLinesOfSecrets'>>

function describeSheet(sheet: DescribedSheet, info: SourceInfo): ParsedSource {
  limitCells(sheet.rows)
  const {
    program,
    hasFixedWidth,
    rows: listed,
    doubts: known = [],
  }: Recognized = sheet.program
    ? {
        program: sheet.program,
        hasFixedWidth: false,
        rows: sheet.rows,
        doubts: sheet.hasLinesOfSecrets ? [linesDoubt] : [],
      }
    : recognize(sheet.rows)
  // What known programs write is the text itself; a workbook tells which cells are formulas.
  const rows = program || (info.workbook && !sheet.hasFormulasAsText) ? listed : listed.map(showResults)
  // Known programs escape no formulas: an apostrophe is part of the text.
  const escapable = program ? [] : rows
  const isEscaped = (cell: string) => cell.includes("'") && isEscapedFormula(cell)
  const escapedCellCount = escapable.reduce((sum, { cells }) => sum + cells.filter(isEscaped).length, 0)
  const layout = detectColumns(rows)
  if (hasFixedWidth && !info.workbook) markWideRows(rows, layout.hasHeader)
  if (!program && layout.hasHeader) markOtherTables(rows, layout)
  const usedColumns = findUsedColumns(rows)
  const isLong = ({ cells, problem }: SheetRow) => !problem && cells.length > countColumns(usedColumns)
  const areUneven =
    hasFixedWidth && !info.workbook && (rows.some(isLong) || (layout.hasHeader && hasStrays(rows)))
  const doubts = [
    ...(sheet.doubts ?? []),
    ...known,
    ...(rows !== listed && mayBeText(listed, layout.hasHeader) ? [formulaDoubt] : []),
    ...(areUneven ? [unevenDoubt] : []),
  ]
  return { ...sheet, ...info, doubts, rows, program, escapedCellCount, layout, usedColumns }
}

/** Whether a few rows have text where the header and the other rows end with empty cells: a cell may have a delimiter. */
function hasStrays([header, ...data]: readonly SheetRow[]): boolean {
  const width = (header?.cells.findLastIndex((cell) => cell.trim() !== '') ?? -1) + 1
  if (width === 0 || width === header?.cells.length) return false
  const strays = data.filter(
    ({ cells, problem }) => !problem && cells.slice(width).some((cell) => cell.trim() !== ''),
  )
  return strays.length > 0 && (data.length === 1 || strays.length < data.length)
}

const countColumns = (used: readonly number[]) => (used.at(-1) ?? -1) + 1

/**
 * What is too long stays too long, and does not make the page slow; nor do the columns behind the last one with any text. Of those
 * a row keeps one that others lack: one of its cells may have an unquoted delimiter.
 */
function limitCells(rows: readonly SheetRow[]) {
  const maxLength = 2 * maxFieldLength
  const width = countColumns(findUsedColumns(rows))
  let least = Infinity
  for (const row of rows) if (row.cells.length > 1 && isFilled(row)) least = Math.min(least, row.cells.length)
  for (const row of rows) {
    const rowWidth = width + Number(row.cells.length > least)
    if (row.cells.length > rowWidth) row.cells.length = rowWidth
    if (row.cells.some(({ length }) => length > maxLength))
      row.cells = row.cells.map((cell) => cell.slice(0, maxLength))
  }
}

const unevenDoubt = msg(
  'Some rows end with an empty cell that others lack, so something may be in the wrong column. Check the passwords.',
)

/** A row with more cells than the header has an unquoted delimiter in one of them, unless all rows end with a delimiter. */
function markWideRows(rows: SheetRow[], hasHeader: boolean) {
  const width = hasHeader ? (rows[0]?.cells.length ?? 0) : findWidth(rows)
  const [first, ...others] = hasHeader ? rows.slice(1) : rows
  const isEven = others.every(({ cells }) => cells.length === first?.cells.length)
  for (const row of rows)
    if (row.cells.length > width && (!isEven || row.cells.slice(width).some((cell) => cell.trim() !== '')))
      row.problem ??= msg('This row has more cells than the others.')
}

/** The rows below another header are of another table, whose columns may be others. */
function markOtherTables(rows: SheetRow[], { columns }: SheetLayout) {
  const [header, ...data] = rows
  const toKey = ({ cells }: SheetRow) => cells.map((cell) => cell.trim().toLowerCase()).join('\n')
  const used = Object.values(columns).filter((column) => column !== null)
  const isHeaderRow = ({ cells }: SheetRow) =>
    !cells.some((cell) => cell.includes('@')) &&
    used.some((column) => isHeader(cells[column] ?? '')) &&
    cells.filter(isHeader).length > 1
  let isOther = false
  for (const row of data) {
    if (isHeaderRow(row)) isOther = header !== undefined && toKey(row) !== toKey(header)
    if (isOther) row.problem ??= msg('This row doesn’t fit the columns of the table.')
  }
}

/** The indices of the columns with any text. */
function findUsedColumns(rows: readonly SheetRow[]): number[] {
  const used: boolean[] = []
  for (const { cells } of rows) for (let i = 0; i < cells.length; i++) used[i] ||= cells[i]?.trim() !== ''
  return [...used.keys()].filter((i) => used[i])
}

/** Returns a row of a spreadsheet's text with the results of formulas such as `="00123"`, and no cell that failed. */
function showResults(row: SheetRow): SheetRow {
  const failedColumns: number[] = []
  const cells = row.cells.map((cell, column) => {
    if (cell === '') return cell
    if (!isErrorText(cell)) return findResult(cell) ?? cell
    failedColumns.push(column)
    return ''
  })
  return failedColumns.length > 0 ? { ...row, cells, failedColumns } : { ...row, cells }
}

const formulaDoubt = msg('Texts such as ="abc" are read as abc. Check the passwords.')

/** Whether formulas such as `="abc"`, which keep no zeros, are in some cells of a column only, or in its only one: they may be text. */
function mayBeText(rows: readonly SheetRow[], hasHeader: boolean): boolean {
  const results = new Map<number, { odd: number; others: number; all: number }>()
  for (const { cells } of hasHeader ? rows.slice(1) : rows)
    for (const [column, cell] of cells.entries()) {
      if (cell === '') continue
      const result = findResult(cell)
      const counts = results.get(column) ?? { odd: 0, others: 0, all: 0 }
      counts.all++
      if (result === undefined) counts.others++
      else if (needsNoFormula(result)) counts.odd++
      results.set(column, counts)
    }
  return [...results.values()].some(({ odd, others, all }) => odd > 0 && (others > 0 || all === 1))
}

/** Whether a spreadsheet shows a text as it is without a formula too: it is no number, or one without zeros or signs to keep. */
const needsNoFormula = (text: string) => /[^\d\s.,+/()-]|^[1-9]\d{0,10}$/.test(text)

/** The result of a formula such as `="00123"`; of white space alone no program makes one. */
function findResult(cell: string): string | undefined {
  const result = cell.startsWith('=') ? findConstant(cell.slice(1)) : undefined
  return result === '' || result?.trim() ? result : undefined
}

interface Recognized extends Pick<Sheet, 'rows' | 'doubts'> {
  program: string | null
  hasFixedWidth: boolean
}

function recognize(rows: SheetRow[]): Recognized {
  const list = skipPreamble(rows)
  const vault = readCsvVault(list)
  const { program, rows: recognized } = vault ?? recognizeFormat(list)
  const turned = turnNames(joinLastNames(recognized), program !== null)
  return {
    program,
    hasFixedWidth: vault === null,
    rows: turned,
    doubts: vault?.hasLinesOfSecrets ? [linesDoubt] : [],
  }
}

/**
 * Reads one sheet: by default the first one that has emails, or else the first one; a hidden one, or hidden columns, only if the
 * others have none.
 */
function chooseSheet(name: string | null, sheets: readonly WorkbookSheet[], choice?: number): ParsedSource {
  const hasEmails = ({ rows }: WorkbookSheet) => detectColumns(rows).columns.email !== null
  const order = [...sheets.filter(({ isHidden }) => !isHidden), ...sheets.filter(({ isHidden }) => isHidden)]
  const found = order.find(hasEmails) ?? order[0]
  const chosen = choice === undefined ? found : sheets[choice]
  if (!chosen) throw new SourceError(msg('The workbook is empty.'))
  const { rows, hiddenColumns, hasMoreColumns, hasDoubtfulEscapes, mayHaveOtherText, hasStruckText } = chosen
  // A hidden one is told where it is chosen.
  const isOther = (sheet: WorkbookSheet) => sheet !== chosen && !sheet.isHidden
  const doubts = [
    ...(chosen.doubts ?? []),
    ...(hasMoreColumns ? [columnsDoubt] : []),
    ...(hasDoubtfulEscapes ? [codesDoubt] : []),
    ...(mayHaveOtherText ? [signsDoubt] : []),
    ...(hasStruckText ? [struckDoubt] : []),
    ...(chosen.hasComments ? [commentsDoubt] : []),
    ...(choice === undefined && order.filter(hasEmails).some(isOther) ? [sheetsDoubt] : []),
  ]
  const workbook = {
    sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })),
    sheet: sheets.indexOf(chosen),
    hiddenRowCount: rows.filter(({ isHidden }) => isHidden).length,
    hiddenColumnCount: [...hiddenColumns].filter((column) => rows.some(({ cells }) => cells[column])).length,
  }
  const isWhole = workbook.hiddenRowCount + workbook.hiddenColumnCount === 0
  const sheet = { ...chosen, doubts, hasUnclosedQuote: false }
  const source = describeSheet(isWhole ? turnSheet(sheet) : sheet, { ...noInfo, name, workbook })
  if (workbook.hiddenColumnCount === 0) return source
  const shown = source.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, column) => (hiddenColumns.has(column) ? '' : cell)),
  }))
  const layout = detectColumns(shown)
  return layout.columns.email === null ? source : { ...source, layout }
}

const sheetsDoubt = msg(
  'Several sheets have emails. Only one of them is read: check that it is the right one.',
)

const struckDoubt = msg('Some text is struck out, so it may be old. Check the names and passwords.')

const commentsDoubt = msg('Some cells have comments, which are not read. Check the passwords.')

/** Begins the encrypted databases of KeePass, .kdb and .kdbx. */
const kdbxSignature = [0x03, 0xd9, 0xa2, 0x9a]

export type ParseRequest = ParseOptions & { source: HeldSource }

export type ParseMessage =
  | { progress: number }
  | { rows: SheetRow[] }
  /** All rows have been posted before. */
  | { parsed: Omit<ParsedSource, 'rows'> }
  | { problem: Message | ''; isLocked: boolean }

const rowsPerMessage = 1_000

const post = (message: ParseMessage) => postMessage(message)

/** Parses the source that was posted. Posts its rows in parts, because the page would freeze while it receives all of them. */
export async function answerRequest({ source, ...options }: ParseRequest): Promise<void> {
  try {
    const { rows, ...parsed } = await parseSource(source, options, (progress) => post({ progress }))
    for (let i = 0; i < rows.length; i += rowsPerMessage) post({ rows: rows.slice(i, i + rowsPerMessage) })
    post({ parsed })
  } catch (error) {
    post({ problem: toSourceError(error).problem, isLocked: error instanceof LockedError })
  }
}
