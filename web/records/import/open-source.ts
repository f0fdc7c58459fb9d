import { maxBatchBytes } from '../../../contract/batches.ts'
import { isProtected } from '../export/escape-formulas.ts'
import { decodeText } from './decode.ts'
import { readSheet, type Sheet } from './parse-sheet.ts'

/** What a person brings: a file, or rows copied from a spreadsheet. */
export type Source = File | string

/** A source that was dropped or pasted; the same text pasted again is another one. */
export interface Incoming {
  source: Source
}

export interface OpenedSource extends Sheet {
  name: string
  encoding: string | null
  /** Cells that begin with the apostrophe that an export puts before what looks like a formula. */
  protectedCells: number
}

/** A source that can't be read; the message is fit for a person. */
export class SourceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceError'
  }
}

/** Reads what a person brings. Rejects with a `SourceError`. */
export async function openSource(source: Source): Promise<OpenedSource> {
  const { text, encoding } =
    typeof source === 'string' ? { text: source, encoding: null } : await readFile(source)
  const sheet = await readSheet(text).catch((cause) => {
    throw new SourceError('The import could not be loaded. Please check your connection.', { cause })
  })
  if (sheet.rows.length === 0) throw new SourceError('There are no rows in it.')
  return {
    ...sheet,
    name: typeof source === 'string' ? 'Pasted rows' : source.name,
    encoding,
    protectedCells: sheet.rows.reduce((sum, { cells }) => sum + cells.filter(isProtected).length, 0),
  }
}

async function readFile(file: File) {
  if (file.size > maxBatchBytes) throw new SourceError('This file is too large. Please split it.')
  const bytes = await file.arrayBuffer().catch((cause) => {
    throw new SourceError('This file can’t be read.', { cause })
  })
  const decoded = new Uint8Array(bytes)
  // What a ZIP begins with, and so the workbooks of spreadsheet programs.
  if (decoded[0] === 0x50 && decoded[1] === 0x4b && decoded[2] === 3) {
    throw new SourceError('This is a workbook. Please save its sheet as CSV and import that.')
  }
  return decodeText(decoded)
}
