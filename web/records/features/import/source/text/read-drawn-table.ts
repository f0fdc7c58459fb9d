import { maxBatchSize } from '../../../../../../contract/batches.ts'
import { msg } from '../../../../../language/translate.ts'
import { isHeader } from '../detect-columns.ts'
import { maxColumns, type Sheet, type SheetRow } from '../sheet.ts'
import { hasEmail } from './choose-dialect.ts'
import { splitLines } from './split-lines.ts'
import { signsDoubt } from './to-list.ts'

interface Line extends Pick<SheetRow, 'cells' | 'problem'> {
  /** The program had no room for all of a cell, which is empty here. */
  isCut?: boolean
  /** A cell goes on in the next line. */
  goesOn?: boolean
  /** The cells with the spaces around them, but for the one that is drawn before each. */
  drawn?: string[]
  hasSigns?: boolean
}

/** How the lines of a table become cells; null for a line that is not one of its rows. */
type ReadLine = (line: string, index: number) => Line | null

const cutDoubt = msg('The program that wrote this table has cut some cells, at “…”. They count as empty.')
const misfit = msg('This row doesn’t fit the columns of the table.')

/**
 * Reads a table that a program has drawn for people, with lines between the columns or with spaces: of psql, MySQL, Markdown,
 * Org, PowerShell, `column -t`. Null if the text has none with emails.
 */
export function readDrawnTable(text: string): Sheet | null {
  if (text.includes('\t')) return null
  const lines = splitLines(text)
  const ruleIndex = lines.slice(0, maxRulePosition).findIndex(isRule)
  const rule = lines[ruleIndex]
  if (rule === undefined) return readColumns(lines, findFilled(lines, 0), startsOfHeader)
  // A line of a cell below one of psql's records.
  if (lines.slice(0, ruleIndex).some((line) => line.startsWith('-[ '))) return null
  const isBarred = hasBar(rule) || isDrawnWith(rule)
  if (!isBarred) return readColumns(lines, findFilled(lines, ruleIndex, -1), () => startsOfRule(rule))
  // The rows above the rule are those of the header.
  let start = ruleIndex
  while (hasBar(lines[start - 1] ?? '')) start--
  const isMarkdown = !isDrawnWith(rule)
  // Markdown has one row above the rule; elsewhere a rule is a row of dashes.
  if (isMarkdown && start !== ruleIndex - 1) return null
  const end = lines.findLastIndex(hasBar)
  const readLine = isMarkdown ? makeMarkdownReader(lines, start, rule) : makeBarReader(rule, false)
  return toSheet(lines, start, end, readLine, true)
}

/** The number of lines in which the first rule is looked for: a title may stand above the table. */
const maxRulePosition = 20

/** Whether a line consists of the lines that are drawn between the header and the rows. */
function isRule(line: string): boolean {
  if (!/^[\s|+:=\-\u2500-\u257f]+$/.test(line)) return false
  const strokes = line.split(/[^-=\u2500\u2501\u2550]+/).filter(Boolean)
  return strokes.length > 1
}

/** Whether a rule is drawn with crossings, and not as in Markdown. */
const isDrawnWith = (rule: string) => /[+\u2500-\u257f]/.test(rule)

const barChars = '|\u2502\u2503\u2551'
const hasBar = (line: string) => /[|\u2502\u2503\u2551]/.test(line)

/** The first line that is not blank, from an index in a direction; a rule does not count. */
function findFilled(lines: readonly string[], from: number, step = 1): number {
  let index = from
  while (index >= 0 && index < lines.length && (lines[index]?.trim() === '' || isRule(lines[index] ?? '')))
    index += step
  return index
}

/**
 * Cuts a line where the rule has its crossings, as a cell may have a bar too. Where a letter is wider than others, or nothing is
 * aligned, as often in Markdown, the bars tell the cells.
 */
function makeBarReader(rule: string, isMarkdown: boolean): ReadLine {
  const crossings = [...rule.matchAll(/[|+\u2502-\u254f\u2551-\u257f]/g)].map(({ index }) => index)
  const isOuter = (index: number | undefined, side: string) => index !== undefined && side.trim() === ''
  const first = isOuter(crossings[0], rule.slice(0, crossings[0])) ? 1 : 0
  const lastCrossing = crossings.at(-1)
  const hasLast = isOuter(lastCrossing, rule.slice((lastCrossing ?? 0) + 1))
  const bar = isMarkdown ? /(?<!\\)\|/ : /[|\u2502\u2503\u2551]/
  const isOrg = !isMarkdown && rule.trimStart().startsWith('|')
  // A line of a cell can look like a rule: "| -+- |      |".
  const isSpaced = /\s/.test(rule.trim())
  return (line) => {
    if (isRule(line) && (isSpaced || !/\s/.test(line.trim()))) return null
    if (!hasBar(line)) return { cells: [line.trim()], problem: misfit }
    // A line break in a cell has cut the row.
    const isWhole = isMarkdown || ((first === 0 || startsWithBar(line)) && (!hasLast || endsWithBar(line)))
    if (!isWhole) return { cells: [line.trim()], problem: misfit }
    const isAligned = crossings.every((index) => barChars.includes(line[index] || ' '))
    const parts = isAligned
      ? [-1, ...crossings].map((index, i) => line.slice(index + 1, crossings[i] ?? line.length))
      : line.split(bar)
    // A cell has a bar, and nothing tells which one is.
    if (!isMarkdown && parts.length !== crossings.length + 1) return { cells: [line.trim()], problem: misfit }
    const isEnded = parts.at(-1)?.trim() === '' && (isAligned ? hasLast : parts.length > 1)
    const isBegun = isAligned ? first === 1 : parts[0]?.trim() === ''
    const whole = parts.slice(isBegun ? 1 : 0, isEnded ? -1 : undefined)
    const inner = isOrg ? whole.map((cell) => cell.replaceAll(orgBar, '|')) : whole
    const cells = inner.map((cell) => cell.trim())
    const drawn = inner.map((cell) => cell.replace(/^ /, ''))
    // psql ends the lines of a cell, but its last one, with a plus where other rows have a space.
    const goesOn =
      isAligned && (line[rule.length - 1] === '+' || crossings.some((index) => line[index - 1] === '+'))
    return { cells, goesOn, ...(!isMarkdown && { drawn }) }
  }
}

/** How Org writes a bar in a cell. */
const orgBar = /\\vert(?:\{\}|(?![\p{L}{]))/gu

const startsWithBar = (line: string) => hasBar(line.trimStart()[0] ?? '')
const endsWithBar = (line: string) => hasBar(line.trimEnd().at(-1) ?? '')

/** The rows of the first of several tables; those of others may have other columns. */
function makeMarkdownReader(lines: readonly string[], start: number, rule: string): ReadLine {
  const read = makeBarReader(rule, true)
  const next = lines.findIndex((line, index) => index > start + 1 && isRule(line))
  const header = lines[start]
  const end = next === -1 || lines[next - 1]?.trim() === header?.trim() ? lines.length : next - 1
  /** Where cells are code, and where others are not. */
  const [coded, plain] = [new Set<number>(), new Set<number>()]
  return (line, index) => {
    const row = read(line, index)
    if (!row) return null
    if (index >= end) return { cells: [line.trim()], problem: misfit }
    if (index > start)
      for (const [i, cell] of row.cells.entries())
        if (cell !== '') (codePattern.test(cell) ? coded : plain).add(i)
    const isSomeCode = [...coded].some((i) => plain.has(i))
    const hasSigns = index > start && (isSomeCode || row.cells.some((cell) => markdownSigns.test(cell)))
    return { ...row, cells: row.cells.map(readMarkdown), hasSigns }
  }
}

/** What stands before a sign of Markdown that is text, or around text that is shown in another way. */
const markdownSigns = /^(?!`).*\\[!-/:-@[-`{}~]|^([*_]{1,3}|~~)[^*_~].*\1$/

const codePattern = /^(`+)(?!`)(.*[^`])\1$/

/** The text of a cell that is a link or code as a whole; a bar in a cell is written with a backslash. */
function readMarkdown(cell: string): string {
  const link = /^\[([^\]]*)\]\([^)]*\)$/.exec(cell)?.[1]
  const [, , code] = codePattern.exec(cell) ?? []
  return (link ?? code?.replace(/^ (.*\S.*) $/, '$1') ?? cell).replaceAll('\\|', '|')
}

const startsOfRule = (rule: string) => [...rule.matchAll(/[-=]+/g)].map(({ index }) => index)

/** Where the columns start below a header with two spaces or more between its names, of which two at least are known. */
function startsOfHeader(header: string): number[] {
  const names = [...header.matchAll(/\S+(?: \S+)*/g)]
  if (names.filter(({ 0: name }) => isHeader(name)).length < 2) return []
  return names.map(({ index }) => index)
}

/** Reads a table whose columns start at the same character in each line. */
function readColumns(
  lines: readonly string[],
  headerIndex: number,
  findStarts: (header: string) => number[],
): Sheet | null {
  const header = lines[headerIndex] ?? ''
  const named = findStarts(header)
  const starts = isNumbered(lines.slice(headerIndex + 1), named[0] ?? 0) ? [0, ...named] : named
  if (starts.length < 2 || starts.length > maxColumns) return null
  const last = lines.findLastIndex((line) => line.trim() !== '')
  // How many rows there are, as programs for databases tell.
  const end = /^\(\d+[^()]*\)$/.test(lines[last]?.trim() ?? '') ? last - 1 : last
  const hasStarts = (line: string) => `${startsOfRule(line)}` === `${starts}`
  return toSheet(lines, headerIndex, end, (line) =>
    isRule(line) && hasStarts(line) ? null : cutLine(line, starts),
  )
}

/** Whether the rows have numbers before the first column, which no header names, as pandas and tabulate write them. */
function isNumbered(lines: readonly string[], start: number): boolean {
  const rows = lines.filter((line) => line.trim() !== '')
  return start > 0 && rows.length > 0 && rows.every((line) => /^\s*\d+\s*$/.test(line.slice(0, start)))
}

function cutLine(line: string, starts: readonly number[]): Line {
  const fits = starts.every((start, i) => i === 0 || (line[start - 1] ?? ' ') === ' ')
  if (!fits) {
    const cells = line.trim().split(/ {2,}/)
    return cells.length === starts.length ? { cells } : { cells: [line.trim()], problem: misfit }
  }
  let isCut = false
  const drawn = starts.map((start, i) => line.slice(i === 0 ? 0 : start, starts[i + 1]))
  const cells = starts.map((start, i) => {
    const next = starts[i + 1]
    const cell = line.slice(i === 0 ? 0 : start, next).trim()
    const isFull = next === undefined || cell.length >= next - start - 1
    if (!isFull || !/(…|\.{3})$/.test(cell)) return cell
    isCut = true
    return ''
  })
  return { cells, isCut, ...(!isCut && { drawn }) }
}

function toSheet(
  lines: readonly string[],
  from: number,
  to: number,
  readLine: ReadLine,
  isBarred = false,
): Sheet | null {
  const rows: SheetRow[] = []
  const drawnRows: DrawnRow[] = []
  let [hasCuts, hasSigns, mayGoOn] = [false, false, false]
  for (let index = from; index <= to && rows.length <= maxBatchSize + 1; index++) {
    const text = lines[index] ?? ''
    const line = text.trim() === '' ? null : readLine(text, index)
    if (!line) continue
    const { isCut, goesOn, hasSigns: signs, cells, drawn, ...rest } = line
    const previous = rows.at(-1)
    if (previous && rows.length > 1 && mayGoOn && isRestOfRow(cells)) previous.problem = misfit
    const row: SheetRow = {
      number: index + 1,
      cells: cells.slice(0, maxColumns),
      ...rest,
      ...(goesOn && rows.length > 0 && { problem: misfit }),
    }
    // The header may be centered.
    if (drawn && rows.length > 0) drawnRows.push({ row, drawn })
    rows.push(row)
    mayGoOn = cells.length > 1
    hasCuts ||= isCut ?? false
    hasSigns ||= signs ?? false
  }
  const width = rows[0]?.cells.length ?? 0
  // Between lines it is one for sure, of which each row may be cut.
  const isNamed = isBarred && rows.length > 1 && (rows[0]?.cells.filter(isHeader).length ?? 0) > 1
  const isTable =
    width > 1 && (isNamed || rows.some(({ cells }) => cells.length === width && hasEmail(cells)))
  if (!isTable) return null
  for (const column of rows[0]?.cells.keys() ?? []) keepIndents(drawnRows, column)
  return {
    rows: rows.slice(0, maxBatchSize + 1),
    isTruncated: rows.length > maxBatchSize + 1,
    hasUnclosedQuote: false,
    doubts: [...(hasCuts ? [cutDoubt] : []), ...(hasSigns ? [signsDoubt] : [])],
  }
}

interface DrawnRow {
  row: SheetRow
  drawn: string[]
}

/** In a column whose cells begin at its edge, the spaces before a few of them are of their texts. */
function keepIndents(rows: readonly DrawnRow[], column: number) {
  const filled = rows.filter(({ row }) => row.cells[column])
  const indented = filled.filter(({ drawn }) => drawn[column]?.startsWith(' '))
  const hasEdge = filled.some(({ drawn }) => /^\S.* {2}$/.test(drawn[column] ?? ''))
  if (!hasEdge || indented.length === 0 || indented.length >= filled.length / 2) return
  for (const { row, drawn } of indented) row.cells[column] = drawn[column]?.trimEnd() ?? ''
}

/** Whether a line has what had no room in the row above it: it has no email, and no name or nothing else. */
function isRestOfRow(cells: readonly string[]): boolean {
  const filled = cells.filter(Boolean)
  return cells.length > 1 && (cells[0] === '' || filled.length === 1) && !hasEmail(cells)
}
