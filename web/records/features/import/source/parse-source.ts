import { maxBatchBytes, maxBatchSize } from '../../../../../contract/batches.ts'
import { maxFieldLength } from '../../../../../contract/employees.ts'
import { isEscapedFormula } from '../../../model/spreadsheet/escape-formulas.ts'
import type { ImportSource } from '../../../model/view.ts'
import * as messages from '../messages.ts'
import { readArchive } from './archive/read-archive.ts'
import type { WorkbookSheet } from './archive/read-workbook.ts'
import { ArchiveError, isArchive } from './archive/unpack.ts'
import { decodeText } from './decode.ts'
import { detectColumns, type SheetLayout, skipPreamble, turnNames } from './detect-columns.ts'
import type { Encoding } from './encodings.ts'
import { recognizeFormat } from './formats.ts'
import { parseSheet, type Sheet, type SheetRow, SourceError } from './parse-sheet.ts'
import { readCsvVault } from './vaults/csv-vaults.ts'
import { parseJsonVault } from './vaults/json-vaults.ts'
import { parseKeePassXml } from './vaults/keepass-xml.ts'

/** The encoding of a text file, or the index of a sheet. */
export type SourceChoice = Encoding | number

export interface ParsedSource extends Sheet {
  name: string
  /** Null if there is nothing to choose. */
  encoding: Encoding | null
  /** Whether the encoding was guessed and others are as likely. */
  isEncodingUnsure: boolean
  /** The sheets of a workbook that have rows; `sheet` is the index of the one that was read. */
  workbook: { names: string[]; sheet: number; hiddenRowCount: number } | null
  /** The name of the program that has written it; null if it is not known. */
  program: string | null
  /** Number of cells that `escapeFormula` may have escaped. */
  escapedCellCount: number
  layout: SheetLayout
}

export interface ParseOptions {
  choice?: SourceChoice | undefined
  /** Of a file that is protected with one. */
  password?: string | undefined
  /** Is called with the part that is done, from 0 to 1. */
  onProgress?(progress: number): void
}

/**
 * Reads and parses a source of at most `maxBatchBytes`. Detects the encoding of a file if none is given. Rejects with a
 * `SourceError`.
 */
export async function parseSource(source: ImportSource, options: ParseOptions = {}): Promise<ParsedSource> {
  if (typeof source === 'string') return parseText(source, { ...noInfo, name: messages.pastedRows })
  const info = { ...noInfo, name: source.name }
  const bytes = await readFile(source)
  if (isArchive(bytes)) return parseArchive(bytes, info, options)
  if (isKeePassDatabase(bytes)) throw new SourceError(messages.isKeePassDatabase)
  const { choice, password } = options
  const { text, encoding, isSure } = await decodeText(bytes, typeof choice === 'string' ? choice : undefined)
  return parseText(text, { ...info, encoding, isEncodingUnsure: !isSure }, password)
}

type SourceInfo = Pick<ParsedSource, 'name' | 'encoding' | 'isEncodingUnsure' | 'workbook'>
const noInfo = { encoding: null, isEncodingUnsure: false, workbook: null }

async function parseText(text: string, info: SourceInfo, password?: string): Promise<ParsedSource> {
  const vault = (await parseJsonVault(text, password)) ?? parseKeePassXml(text)
  const sheet =
    vault ??
    (await parseSheet(text).catch((cause) => {
      throw new SourceError(messages.parserMissing, { cause })
    }))
  if (sheet.rows.length === 0)
    throw new SourceError(info.name === messages.pastedRows ? messages.noRowsInText : messages.fileEmpty)
  return describeSheet(sheet, vault ? { ...noInfo, name: info.name } : info)
}

/** Reads a workbook, or the JSON of a 1PUX file. */
async function parseArchive(
  bytes: Uint8Array,
  info: SourceInfo,
  options: ParseOptions,
): Promise<ParsedSource> {
  const { choice, password, onProgress } = options
  try {
    const content = readArchive(bytes, maxBatchSize + 1, onProgress)
    if (typeof content === 'string') return await parseText(content, info, password)
    return chooseSheet(info.name, content, typeof choice === 'number' ? choice : undefined)
  } catch (cause) {
    if (!(cause instanceof ArchiveError)) throw cause
    throw new SourceError(messages.unreadableWorkbooks[cause.reason], { cause })
  }
}

function describeSheet(sheet: Sheet & { program?: string }, info: SourceInfo): ParsedSource {
  // What is too long stays too long, and does not make the page slow.
  const maxLength = 2 * maxFieldLength
  for (const row of sheet.rows)
    if (row.cells.some(({ length }) => length > maxLength))
      row.cells = row.cells.map((cell) => cell.slice(0, maxLength))
  const { program, rows } = sheet.program
    ? { program: sheet.program, rows: sheet.rows }
    : recognize(sheet.rows)
  return {
    ...sheet,
    ...info,
    rows,
    program,
    // Known programs escape no formulas: an apostrophe is part of the text.
    escapedCellCount: program
      ? 0
      : rows.reduce((sum, { cells }) => sum + cells.filter(isEscapedFormula).length, 0),
    layout: detectColumns(rows),
  }
}

function recognize(rows: SheetRow[]): { program: string | null; rows: SheetRow[] } {
  const list = skipPreamble(rows)
  const { program, rows: recognized } = readCsvVault(list) ?? recognizeFormat(list)
  return { program, rows: turnNames(recognized, program !== null) }
}

/** Reads one sheet: by default the first one that has emails, or else the first one. */
function chooseSheet(name: string, sheets: readonly WorkbookSheet[], choice?: number): ParsedSource {
  const hasEmails = ({ rows }: WorkbookSheet) => detectColumns(rows).columns.email !== null
  const sheet = choice ?? Math.max(0, sheets.findIndex(hasEmails))
  const chosen = sheets[sheet]
  if (!chosen) throw new SourceError(messages.workbookEmpty)
  const hiddenRowCount = chosen.rows.filter(({ isHidden }) => isHidden).length
  const workbook = { names: sheets.map(({ name }) => name), sheet, hiddenRowCount }
  const { rows, isTruncated } = chosen
  return describeSheet({ rows, isTruncated, hasUnclosedQuote: false }, { ...noInfo, name, workbook })
}

async function readFile(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > maxBatchBytes) throw new SourceError(messages.fileTooBig)
  const buffer = await file.arrayBuffer().catch((cause) => {
    throw new SourceError(messages.fileUnreadable, { cause })
  })
  return new Uint8Array(buffer)
}

/** Recognises the encrypted databases of KeePass, .kdb and .kdbx. */
const isKeePassDatabase = (bytes: Uint8Array) =>
  [0x03, 0xd9, 0xa2, 0x9a].every((byte, i) => bytes[i] === byte)
