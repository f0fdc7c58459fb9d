/** How a text separates and encloses its cells. */
export interface Dialect {
  delimiter: string
  /** Enclose a cell if it begins with them; null if nothing does. */
  quotes: readonly [open: string, close: string] | null
  /** A backslash stands before a quotation mark in a cell, instead of a second quotation mark. */
  hasBackslashes?: boolean
  /** Unicode's line ends end a row too, outside of quotes. */
  hasUnicodeLineEnds?: boolean
  padding?: Padding | undefined
}

/** The spaces that belong to the delimiters, not to the cells: their number, at most. */
export interface Padding {
  space: string
  behind: number
  before: number
  /** At the beginning of each row. */
  indent: number
}

export interface TextRow {
  cells: string[]
  /** Whether each cell was enclosed. */
  areQuoted: boolean[]
  /** The columns of quoted cells with spaces behind the closing mark that are not the delimiter's: they may be of the text. */
  spacedColumns: number[]
  /** What ended the row: a line end, or nothing at the end of the text. */
  end: string
}

export interface ReadResult {
  rows: TextRow[]
  /** Not all rows were read, because of the limit. */
  isTruncated: boolean
  /** Some row has more cells than the limit. */
  isTooWide: boolean
  /** A quotation mark is never closed, so all that follows is part of one cell. */
  hasUnclosedQuote: boolean
  /** The number of cells with text between their closing quotation mark and the next delimiter. */
  brokenQuoteCount: number
  /** The padding that all cells have. Infinite where no cell could have it. */
  leastPadding: Omit<Padding, 'space'>
}

export interface ReadLimits {
  maxRows: number
  maxCells: number
}

const escapeForClass = (text: string) => text.replace(/[\\^\]-]/g, '\\$&')

/** Splits a text into rows and cells, up to the limits. */
export function readRows(text: string, dialect: Dialect, { maxRows, maxCells }: ReadLimits): ReadResult {
  const { delimiter } = dialect
  const lineEnds = dialect.hasUnicodeLineEnds ? '\r\n\u0085\u2028\u2029' : '\r\n'
  const lineEnd = new RegExp(`\r{1,2}\n|[${lineEnds}]`, 'y')
  const readCell = makeCellReader(text, dialect, `${escapeForClass(delimiter)}${lineEnds}`)
  const rows: TextRow[] = []
  const leastPadding = { behind: Infinity, before: Infinity, indent: Infinity }
  let brokenQuoteCount = 0
  let hasUnclosedQuote = false
  let isTooWide = false
  let position = 0

  while (position < text.length && rows.length < maxRows) {
    const row: TextRow = { cells: [], areQuoted: [], spacedColumns: [], end: '' }
    const least = { behind: Infinity, before: Infinity, indent: Infinity }
    // A byte order mark stands here where files were joined.
    if (text[position] === '\ufeff') position++
    for (let column = 0; ; column++) {
      const cell = readCell(position, column === 0)
      position = cell.end
      if (cell.isBroken) brokenQuoteCount++
      if (cell.isUnclosed) hasUnclosedQuote = true
      const isLast = text[position] !== delimiter
      if (column < maxCells) {
        row.cells.push(cell.text)
        row.areQuoted.push(cell.isQuoted)
        const isSpaced = cell.isQuoted && cell.before > (isLast ? 0 : (dialect.padding?.before ?? 0))
        if (isSpaced) row.spacedColumns.push(column)
      } else isTooWide = true
      if (cell.text !== '') {
        const start = column === 0 ? 'indent' : 'behind'
        least[start] = Math.min(least[start], cell.behind)
        if (!isLast) least.before = Math.min(least.before, cell.before)
      }
      if (isLast) break
      position++
    }
    lineEnd.lastIndex = position
    row.end = lineEnd.exec(text)?.[0] ?? ''
    position += row.end.length
    // A header may have been written by other means than the rows, but an indented list is indented as a whole.
    const isHeader = rows.length === 0 && row.cells.length >= 3 && position < text.length
    for (const part of isHeader ? (['indent'] as const) : (['behind', 'before', 'indent'] as const))
      leastPadding[part] = Math.min(leastPadding[part], least[part])
    rows.push(row)
  }
  const isTruncated = position < text.length
  return { rows, isTruncated, isTooWide, hasUnclosedQuote, brokenQuoteCount, leastPadding }
}

interface Cell {
  text: string
  /** The offset of the delimiter or the line end behind it. */
  end: number
  isQuoted: boolean
  isBroken?: boolean
  isUnclosed?: boolean
  /** The spaces behind the delimiter before it, and before the one behind it, that were left out. */
  behind: number
  before: number
}

function makeCellReader(text: string, { delimiter, quotes, padding, hasBackslashes }: Dialect, ends: string) {
  const cellEnd = new RegExp(`[${ends}]|$`, 'g')
  const spaces = ` \u00a0${delimiter === '\t' ? '' : '\t'}`
  const quotedEnd = new RegExp(`[${spaces}]*(?=[${ends}]|$)`, 'y')
  const [open, close] = quotes ?? []
  const readQuoted = makeQuotedReader(text, close ?? '"', hasBackslashes ?? false)

  function countSpaces(from: number, step: 1 | -1, max: number): number {
    let count = 0
    while (count < max && text[from + count * step] === padding?.space) count++
    return count
  }

  return (from: number, isFirst: boolean): Cell => {
    const behind = padding ? countSpaces(from, 1, isFirst ? padding.indent : padding.behind) : 0
    const start = from + behind
    if (text[start] === open) {
      let cell = ''
      for (let next = start + 1, isBroken = false; ; isBroken = true) {
        const { part, end } = readQuoted(next)
        cell += part
        if (end > text.length)
          return { text: cell, end: text.length, isQuoted: true, isUnclosed: true, behind, before: 0 }
        quotedEnd.lastIndex = end
        if (quotedEnd.test(text)) {
          const before = quotedEnd.lastIndex - end
          return { text: cell, end: quotedEnd.lastIndex, isQuoted: true, isBroken, behind, before }
        }
        // Text follows the closing mark: it was none, but a part of the cell.
        cell += close
        next = end
      }
    }
    cellEnd.lastIndex = start
    const end = cellEnd.exec(text)?.index ?? text.length
    const max = padding && text[end] === delimiter ? Math.min(padding.before, end - start) : 0
    const before = countSpaces(end - 1, -1, max)
    return { text: text.slice(start, end - before), end, isQuoted: false, behind, before }
  }
}

/** Reads up to a closing mark. Returns the offset behind it, beyond the end of the text if there is none. */
function makeQuotedReader(text: string, close: string, hasBackslashes: boolean) {
  const literal = hasBackslashes ? '\\\\[^]' : `${close}${close}`
  const mark = new RegExp(`${literal}|${close}`, 'g')
  const escaped = hasBackslashes
    ? new RegExp(`\\\\(\\\\|${close})`, 'g')
    : new RegExp(`${close}(${close})`, 'g')
  return (from: number) => {
    mark.lastIndex = from
    let match = mark.exec(text)
    while (match?.[0].length === 2) match = mark.exec(text)
    const end = match?.index ?? text.length
    return { part: text.slice(from, end).replace(escaped, '$1'), end: end + 1 }
  }
}
