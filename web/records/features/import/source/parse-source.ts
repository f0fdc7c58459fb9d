import { maxBatchBytes } from '../../../../../contract/batches.ts'
import { isEscapedFormula } from '../../../model/spreadsheet/escape-formulas.ts'
import type { ImportSource } from '../../../model/view.ts'
import * as messages from '../messages.ts'
import { parseBitwardenJson } from './bitwarden-json.ts'
import { decodeText, type Encoding } from './decode.ts'
import { recognizeFormat } from './formats.ts'
import { parseSheet, type Sheet, SourceError } from './parse-sheet.ts'

export interface ParsedSource extends Sheet {
  name: string
  /** Null if there is nothing to choose. */
  encoding: Encoding | null
  /** The name of the program that has written it; null if it is not known. */
  program: string | null
  /** Number of cells that `escapeFormula` may have escaped. */
  escapedCellCount: number
}

/**
 * Reads and parses a source of at most `maxBatchBytes`. Detects the encoding of a file if none is given. Rejects with a
 * `SourceError`.
 */
export async function parseSource(source: ImportSource, chosenEncoding?: Encoding): Promise<ParsedSource> {
  const { text, encoding } =
    typeof source === 'string' ? { text: source, encoding: null } : await readFile(source, chosenEncoding)
  const json = parseBitwardenJson(text)
  const sheet =
    json ??
    (await parseSheet(text).catch((cause) => {
      throw new SourceError(messages.parserMissing, { cause })
    }))
  if (sheet.rows.length === 0)
    throw new SourceError(typeof source === 'string' ? messages.noRowsInText : messages.fileEmpty)
  const { program, rows } = recognizeFormat(sheet.rows)
  return {
    ...sheet,
    rows,
    name: typeof source === 'string' ? messages.pastedRows : source.name,
    encoding: json ? null : encoding,
    program,
    // Known programs escape no formulas: an apostrophe is part of the text.
    escapedCellCount: program
      ? 0
      : rows.reduce((sum, { cells }) => sum + cells.filter(isEscapedFormula).length, 0),
  }
}

async function readFile(file: File, encoding: Encoding | undefined) {
  if (file.size > maxBatchBytes) throw new SourceError(messages.fileTooBig)
  const buffer = await file.arrayBuffer().catch((cause) => {
    throw new SourceError(messages.fileUnreadable, { cause })
  })
  const bytes = new Uint8Array(buffer)
  // The signature of ZIP files, which include workbooks such as .xlsx and .ods.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) {
    throw new SourceError(file.name.endsWith('.1pux') ? messages.is1pux : messages.isWorkbook)
  }
  return decodeText(bytes, encoding)
}
