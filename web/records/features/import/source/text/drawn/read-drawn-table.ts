import { isHeader } from '../../detect-columns.ts'
import type { Sheet } from '../../sheet.ts'
import { splitLines } from '../split-lines.ts'
import { isBlankAt } from './find-columns.ts'
import { isRule, readColumns } from './read-columns.ts'
import { misfit, type ReadLine, toSheet } from './to-sheet.ts'

/**
 * Reads a table that a program has drawn for people, with lines between the columns or with spaces: of psql, MySQL, Markdown,
 * Org, PowerShell, `column -t`. Null if the text has none with emails.
 */
export function readDrawnTable(text: string): Sheet | null {
  if (text.includes('\t')) return null
  const lines = splitLines(text)
  const ruleIndex = lines.slice(0, maxRulePosition).findIndex(isRule)
  const rule = lines[ruleIndex]
  if (rule === undefined) return readBars(lines) ?? readColumns(lines, findHeader(lines))
  // A line of a cell below one of psql's records.
  if (lines.slice(0, ruleIndex).some((line) => line.startsWith('-[ '))) return null
  const isBarred = hasBar(rule) || isDrawnWith(rule)
  if (!isBarred) {
    const above = findFilledLine(lines, ruleIndex, -1)
    return readColumns(lines, above === -1 ? findFilledLine(lines, ruleIndex) : above, rule)
  }
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

/** Reads a table whose bars stand below one another, with a space at each side, and no line is drawn below its header. */
function readBars(lines: readonly string[]): Sheet | null {
  const start = findFilledLine(lines, 0)
  const end = lines.findLastIndex((line) => line.trim() !== '')
  const header = lines[start] ?? ''
  const bars = [...header].flatMap((character, i) => (barChars.includes(character) ? [i] : []))
  const filled = lines.slice(start, end + 1).filter((line) => line.trim() !== '')
  const isInner = (line: string, at: number) =>
    line.slice(0, at).trim() !== '' && line.slice(at + 1).trim() !== ''
  const isDrawn = (line: string) =>
    bars.every(
      (at) =>
        barChars.includes(line[at] || ' ') &&
        (!isInner(header, at) || (isBlankAt(line, at - 1) && isBlankAt(line, at + 1))),
    )
  if (bars.length === 0 || filled.length < 2 || !filled.every(isDrawn)) return null
  const rule = [...header].map((character) => (barChars.includes(character) ? '+' : '-')).join('')
  return toSheet(lines, start, end, makeBarReader(rule, false), true)
}

/** The first line that is not blank, or the one of the next few in which two columns have names that are known. */
function findHeader(lines: readonly string[]): number {
  const first = findFilledLine(lines, 0)
  const isNames = (line: string) => line.trim().split(/ {2,}/).filter(isHeader).length > 1
  const named = lines.slice(0, first + maxTitleLines).findIndex(isNames)
  return named !== -1 && !lines.slice(0, named).some((line) => line.includes('@')) ? named : first
}

/** How many lines, such as a title, may stand above a header without a line below it. */
const maxTitleLines = 5

/** The number of lines in which the first rule is looked for: a title may stand above the table. */
const maxRulePosition = 20

/** Whether a rule is drawn with crossings, and not as in Markdown. */
const isDrawnWith = (rule: string) => /[+\u2500-\u257f]/.test(rule)

const barChars = '|\u2502\u2503\u2506\u2507\u250a\u250b\u254e\u254f\u2551'
const barPattern = new RegExp(`[${barChars}]`)
const hasBar = (line: string) => barPattern.test(line)

/** The first line that is not blank, from an index in a direction; a rule does not count. */
function findFilledLine(lines: readonly string[], from: number, step = 1): number {
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
  const crossings = [...rule.matchAll(crossing)].map(({ index }) => index)
  const isOuter = (index: number | undefined, side: string) => index !== undefined && side.trim() === ''
  const first = isOuter(crossings[0], rule.slice(0, crossings[0])) ? 1 : 0
  const lastCrossing = crossings.at(-1)
  const hasLast = isOuter(lastCrossing, rule.slice((lastCrossing ?? 0) + 1))
  const bar = isMarkdown ? /(?<!\\)\|/ : barPattern
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
    // Below a rule without bars at its ends, one at the end of a row may be of the text.
    const hasSigns = isMarkdown && ((isBegun && first === 0) || (isEnded && !hasLast))
    return { cells, goesOn, hasSigns, ...(!isMarkdown && { drawn }) }
  }
}

/** What a rule has where bars cross it. */
const crossing =
  /[|+\u2502\u2503\u2506\u2507\u250a-\u254b\u254e\u254f\u2551-\u2573\u2575\u2577\u2579\u257b\u257d\u257f]/g

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
    const hasSigns =
      index > start && (row.hasSigns || isSomeCode || row.cells.some((cell) => markdownSigns.test(cell)))
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
