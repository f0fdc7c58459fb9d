import { maxBatchSize } from '../../../contract/batches.ts'

export interface SheetRow {
  /** As a spreadsheet numbers it: from 1, the header and empty rows counted. */
  number: number
  cells: string[]
}

export interface Sheet {
  /** The rows in which something stands. */
  rows: SheetRow[]
  /** There were more rows than one import can take; those are not here. */
  isTruncated: boolean
  /** A quotation mark was opened and never closed, so that the rows after it are one cell. */
  hasUnclosedQuote: boolean
}

const delimiters = [',', ';', '\t', '|']

/** Reads text as CSV, or as what a spreadsheet puts on the clipboard; the delimiter is found out. */
export async function parseSheet(text: string): Promise<Sheet> {
  const { default: papaparse } = await import('papaparse')
  const separatorLine = /^sep=(.)\r?\n/.exec(text)
  const body = text.slice(separatorLine?.[0].length ?? 0)
  const newline = detectNewline(body)
  const parseConfig = { delimitersToGuess: delimiters, ...(newline ? { newline } : {}) }
  // Empty lines count in the rows' numbers, but must not in the guess.
  const guessDelimiter = () =>
    papaparse.parse(body, { ...parseConfig, preview: 20, skipEmptyLines: 'greedy' }).meta.delimiter
  const delimiter = separatorLine?.[1] ?? guessDelimiter()
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

/** The first line's end, but for those in quotes: papaparse's own guess looks at the first megabyte alone. */
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
