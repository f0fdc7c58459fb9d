import { maxBatchSize } from '../../../../../contract/batches.ts'
import type { Message } from '../../../../language/translate.ts'

/** A source that can't be read. The problem is shown to the user. */
export class SourceError extends Error {
  override name = 'SourceError'
  readonly problem: Message | ''
  constructor(problem: Message | '', options?: ErrorOptions) {
    super(problem && String(problem[1]), options)
    this.problem = problem
  }
}

/** A source that can be read with its password. The problem is empty before a wrong one was entered. */
export class LockedError extends SourceError {
  override name = 'LockedError'
}

export interface SheetRow {
  /** 1-based row number in the file. The header and empty rows count. */
  number: number
  cells: string[]
  skipReason?: Message
}

export interface Sheet {
  /** The rows that are not empty, including the header. At most `maxBatchSize + 1`. */
  rows: SheetRow[]
  /** The file has more rows, which were dropped. */
  isTruncated: boolean
  /** A quotation mark is never closed, so all rows after it are part of one cell. */
  hasUnclosedQuote: boolean
}

const delimiters = [',', ';', '\t', '|']

/** Parses CSV, or rows copied from a spreadsheet. Detects the delimiter. Rejects if papaparse can't be loaded. */
export async function parseSheet(text: string): Promise<Sheet> {
  const { default: papaparse } = await import('papaparse')
  const separatorLine = /^sep=(.)\r?\n/.exec(text)
  const body = doubleEscapedQuotes(text.slice(separatorLine?.[0].length ?? 0))
  const newline = detectNewline(body)
  const parseConfig = { delimitersToGuess: delimiters, ...(newline ? { newline } : {}) }
  // Empty lines would distort the guess, so skip them here. Below they count in the row numbers.
  const delimiter =
    separatorLine?.[1] ??
    papaparse.parse(body, { ...parseConfig, preview: 20, skipEmptyLines: 'greedy' }).meta.delimiter
  const { data, errors } = papaparse.parse<string[]>(body, {
    ...parseConfig,
    delimiter,
    preview: maxBatchSize + 2,
  })
  const firstRowNumber = separatorLine ? 2 : 1
  const rows = data
    .map((cells, index) => ({ number: index + firstRowNumber, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  return {
    rows: rows.slice(0, maxBatchSize + 1),
    isTruncated: rows.length > maxBatchSize + 1,
    hasUnclosedQuote: errors.some(({ code }) => code === 'MissingQuotes'),
  }
}

/** KeePass escapes quotes and backslashes with a backslash. Returns such text as RFC 4180, other text unchanged. */
function doubleEscapedQuotes(text: string): string {
  if (!/^[^\r\n]*"Login Name","Password","Web Site","Comments"/.test(text)) return text
  return text.replace(/\\(.)/gs, (_, character) => (character === '"' ? '""' : character))
}

/** The first line break outside of quotes. papaparse's own detection examines only the first megabyte. */
function detectNewline(text: string): '\r\n' | '\n' | '\r' | undefined {
  let inQuotes = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') inQuotes = !inQuotes
    else if (!inQuotes && character === '\n') return '\n'
    else if (!inQuotes && character === '\r') return text[i + 1] === '\n' ? '\r\n' : '\r'
  }
  return undefined
}
