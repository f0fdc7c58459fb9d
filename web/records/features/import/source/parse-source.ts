import { maxBatchBytes } from '../../../../../contract/batches.ts'
import { isEscapedFormula } from '../../../model/spreadsheet/escape-formulas.ts'
import type { ImportSource } from '../../../model/view.ts'
import * as messages from '../messages.ts'
import { parseBitwardenJson } from './bitwarden-json.ts'
import { decodeText, type Encoding } from './decode.ts'
import { detectColumns, skipPreamble, turnNames } from './detect-columns.ts'
import { recognizeFormat } from './formats.ts'
import { openWorkbook, type ReadControls } from './open-workbook.ts'
import { parseSheet, type Sheet, SourceError } from './parse-sheet.ts'
import type { WorkbookSheet } from './read-workbook.ts'

/** The encoding of a text file, or the index of a sheet. */
export type SourceChoice = Encoding | number

export interface ParsedSource extends Sheet {
  name: string
  /** Null if there is nothing to choose. */
  encoding: Encoding | null
  /** The sheets of a workbook that have rows; `sheet` is the index of the one that was read. */
  workbook: { names: string[]; sheet: number; hiddenRowCount: number } | null
  /** The name of the program that has written it; null if it is not known. */
  program: string | null
  /** Number of cells that `escapeFormula` may have escaped. */
  escapedCellCount: number
}

/**
 * Reads and parses a source of at most `maxBatchBytes`. Detects the encoding of a file if none is given. Rejects with a
 * `SourceError`.
 */
export async function parseSource(
  source: ImportSource,
  choice?: SourceChoice,
  controls: ReadControls = {},
): Promise<ParsedSource> {
  const name = typeof source === 'string' ? messages.pastedRows : source.name
  const bytes = typeof source === 'string' ? null : await readFile(source)
  if (bytes && isWorkbook(bytes)) {
    if (name.toLowerCase().endsWith('.1pux')) throw new SourceError(messages.is1pux)
    const sheets = await openWorkbook(bytes, controls)
    return chooseSheet(name, sheets, typeof choice === 'number' ? choice : undefined)
  }
  const { text, encoding } =
    typeof source === 'string' || !bytes
      ? { text: String(source), encoding: null }
      : decodeText(bytes, typeof choice === 'string' ? choice : undefined)
  const json = parseBitwardenJson(text)
  const sheet =
    json ??
    (await parseSheet(text).catch((cause) => {
      throw new SourceError(messages.parserMissing, { cause })
    }))
  if (sheet.rows.length === 0)
    throw new SourceError(typeof source === 'string' ? messages.noRowsInText : messages.fileEmpty)
  return describeSheet(sheet, { name, encoding: json ? null : encoding, workbook: null })
}

type SourceInfo = Pick<ParsedSource, 'name' | 'encoding' | 'workbook'>

function describeSheet(sheet: Sheet, info: SourceInfo): ParsedSource {
  const { program, rows } = recognizeFormat(turnNames(skipPreamble(sheet.rows)))
  return {
    ...sheet,
    ...info,
    rows,
    program,
    // Known programs escape no formulas: an apostrophe is part of the text.
    escapedCellCount: program
      ? 0
      : rows.reduce((sum, { cells }) => sum + cells.filter(isEscapedFormula).length, 0),
  }
}

/** Reads one sheet: by default the first one that has emails, or else the first one. */
export function chooseSheet(name: string, sheets: readonly WorkbookSheet[], choice?: number): ParsedSource {
  const hasEmails = ({ rows }: WorkbookSheet) => detectColumns(rows).columns.email !== null
  const sheet = choice ?? Math.max(0, sheets.findIndex(hasEmails))
  const chosen = sheets[sheet]
  if (!chosen) throw new SourceError(messages.workbookEmpty)
  const hiddenRowCount = chosen.rows.filter(({ isHidden }) => isHidden).length
  const workbook = { names: sheets.map(({ name }) => name), sheet, hiddenRowCount }
  const { rows, isTruncated } = chosen
  return describeSheet({ rows, isTruncated, hasUnclosedQuote: false }, { name, encoding: null, workbook })
}

async function readFile(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > maxBatchBytes) throw new SourceError(messages.fileTooBig)
  const buffer = await file.arrayBuffer().catch((cause) => {
    throw new SourceError(messages.fileUnreadable, { cause })
  })
  return new Uint8Array(buffer)
}

/** Recognises ZIP files, such as .xlsx, and the compound files that older and encrypted workbooks are. */
const isWorkbook = (bytes: Uint8Array) =>
  (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) || (bytes[0] === 0xd0 && bytes[1] === 0xcf)
