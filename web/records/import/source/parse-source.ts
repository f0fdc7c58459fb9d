import { maxBatchBytes } from '../../../../contract/batches.ts'
import { isEscapedFormula } from '../../export/escape-formulas.ts'
import { decodeText } from './decode.ts'
import { parseSheet, type Sheet } from './parse-sheet.ts'

/** A file, or rows copied from a spreadsheet. */
export type ImportSource = File | string

/** A source that was dropped or pasted. Wrapped in an object, so that pasting the same text again is a new value. */
export interface DroppedSource {
  source: ImportSource
}

export interface ParsedSource extends Sheet {
  name: string
  encoding: string | null
  /** Number of cells that `escapeFormula` may have escaped. */
  escapedCellCount: number
}

/** A source that can't be read. The message is shown to the user. */
export class SourceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceError'
  }
}

/** Reads and parses a source of at most `maxBatchBytes`. Rejects with a `SourceError`. */
export async function parseSource(source: ImportSource): Promise<ParsedSource> {
  const { text, encoding } =
    typeof source === 'string' ? { text: source, encoding: null } : await readFile(source)
  const sheet = await parseSheet(text).catch((cause) => {
    throw new SourceError('The import could not be loaded. Please check your connection.', { cause })
  })
  if (sheet.rows.length === 0) throw new SourceError('There are no rows in it.')
  return {
    ...sheet,
    name: typeof source === 'string' ? 'Pasted rows' : source.name,
    encoding,
    escapedCellCount: sheet.rows.reduce((sum, { cells }) => sum + cells.filter(isEscapedFormula).length, 0),
  }
}

async function readFile(file: File) {
  if (file.size > maxBatchBytes) throw new SourceError('This file is too large. Please split it.')
  const buffer = await file.arrayBuffer().catch((cause) => {
    throw new SourceError('This file can’t be read.', { cause })
  })
  const bytes = new Uint8Array(buffer)
  // The signature of ZIP files, which include workbooks such as .xlsx and .ods.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) {
    throw new SourceError('This is a workbook. Please save its sheet as CSV and import that.')
  }
  return decodeText(bytes)
}
