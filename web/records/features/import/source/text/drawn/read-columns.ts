import { maxBatchSize } from '../../../../../../../contract/batches.ts'
import { msg } from '../../../../../../language/translate.ts'
import { isHeader } from '../../detect-columns.ts'
import { maxColumns, type Sheet } from '../../sheet.ts'
import { alignCells } from './align-cells.ts'
import { type Columns, findColumns, findFilled, isBlankAt, type Span } from './find-columns.ts'
import { isColumnType, type Line, misfit, toSheet } from './to-sheet.ts'
import { type Measured, measure } from './widths.ts'

const columnsDoubt = msg(
  'Only spaces separate the columns, and some text may be in the wrong one. Check the names and passwords.',
)

/** Whether a line consists of the lines that are drawn between the header and the rows. */
export function isRule(line: string): boolean {
  if (!/^[\s|+:=\-\u2500-\u257f]+$/.test(line)) return false
  const parts = line.split(/[^-=\u2500\u2501\u2504\u2505\u2508\u2509\u254c\u254d\u2550]+/).filter(Boolean)
  return parts.length > 1
}

const toSpans = (line: string, pattern: RegExp): Span[] =>
  [...line.matchAll(pattern)].map(({ index, 0: text }) => ({ start: index, end: index + text.length }))

const strokes = /[-=]+/g
const words = /\S+/g

/** A line below all columns. */
const wholeRule = /^\s*([-=_\u2500\u2501\u2550])\1{9,}\s*$/

/** How many rows there are, as programs tell below them. */
const footer =
  /^(\(\d+[^()]*\)|\[?\d+ rows? x \d+ columns?\]?|\d+ (rows?|record\(s\)) (selected|fetched)\.?)$/i

/**
 * Reads a table whose columns have spaces between them, and begin or end at the same character in each line. Without a `rule` below
 * its header, at least two of the names must be known.
 */
export function readColumns(lines: readonly string[], headerIndex: number, rule?: string): Sheet | null {
  const header = lines[headerIndex]
  if (header === undefined || /[|\u2502\u2503\u2551]/.test(header)) return null
  let end = lines.findLastIndex((line) => line.trim() !== '')
  if (footer.test(lines[end]?.trim() ?? '')) end--
  const isRepeated = (line: string) =>
    line.trimEnd() === header.trimEnd() ||
    wholeRule.test(line) ||
    (rule !== undefined && isRule(line) && `${toStarts(line)}` === `${toStarts(rule)}`)
  const indices: number[] = []
  for (let i = headerIndex + 1; i <= end && indices.length <= maxBatchSize; i++) {
    const line = lines[i] ?? ''
    if (line.trim() === '' || isRepeated(line) || (i < headerIndex + 3 && areTypes(line))) continue
    indices.push(i)
  }
  const table = cutTable(
    header,
    rule,
    indices.map((index) => lines[index] ?? ''),
  )
  if (!table) return null
  const rows = new Map(indices.map((index, i) => [index, table.rows[i] ?? null]))
  const sheet = toSheet(lines, headerIndex, end, (_, index) =>
    index === headerIndex ? { cells: table.header } : (rows.get(index) ?? null),
  )
  return sheet && table.isUnsure ? { ...sheet, doubts: [...(sheet.doubts ?? []), columnsDoubt] } : sheet
}

const areTypes = (line: string) => line.trim().split(/\s+/).every(isColumnType)

/** What stands in place of rows that are left out. */
const areLeftOut = (line: string) => /^[\s.…⋮]+$/.test(line)

const toStarts = (rule: string) => toSpans(rule, strokes).map(({ start }) => start)

interface Table {
  header: string[]
  rows: (Line | null)[]
  areAligned: boolean
  isUnsure: boolean
}

/** Cuts the lines by the ways to count characters in which all of them fit, or else in which most do. */
function cutTable(header: string, rule: string | undefined, rows: string[]): Table | null {
  const measured = [...measure([header, ...rows])]
  const whole = measured.flatMap((lines) => cutMeasured(lines, rule, false) ?? [])
  const aligned = whole.filter(({ areAligned }) => areAligned)
  const [first, ...others] = aligned.length > 0 ? aligned : whole
  if (!first) return measured.map((lines) => cutMeasured(lines, rule, true)).find(Boolean) ?? null
  const text = JSON.stringify(first.rows)
  const differs = others.some((other) => JSON.stringify(other.rows) !== text)
  return { ...first, isUnsure: first.isUnsure || differs }
}

function cutMeasured({ lines, restore }: Measured, rule: string | undefined, areSomeWrong: boolean) {
  const [top = '', ...all] = lines
  const indexNames = rule === undefined ? overlay(top, all[0] ?? '') : undefined
  const header = indexNames ?? top
  const rows = indexNames === undefined ? all : all.slice(1)
  const names = rule === undefined ? findNames(header, rows) : toSpans(rule, strokes)
  if (names.length < 2 || names.length > maxColumns || rows.length === 0) return null
  const misfits = areSomeWrong ? findMisfits(names, rows) : new Set<number>()
  for (const [i, row] of rows.entries()) if (areLeftOut(row)) misfits.add(i)
  if (misfits.size > rows.length / 2) return null
  const fitting = rows.filter((_, i) => !misfits.has(i))
  const columns = findColumns(header, names, fitting)
  if (!columns) return null
  const cut = alignCells(header, names, columns, fitting)
  const titles = cut.header.map(restore)
  const cells = cut.rows.values()
  const cutRows = rows.map((row, i): Line => {
    if (misfits.has(i)) return splitMisfit(restore(row), columns)
    const line = cells.next().value ?? { cells: [], isCut: false }
    return { cells: line.cells.map(restore), isCut: line.isCut }
  })
  return {
    header: titles,
    rows: indexNames === undefined ? cutRows : [null, ...cutRows],
    areAligned: columns.areAligned,
    isUnsure: columns.isUnsure || cutRows.some((row, i) => misfits.has(i) && !row.problem),
  }
}

/** pandas writes the names of columns before the first one on a line of their own. */
function overlay(header: string, line: string): string | undefined {
  const start = header.length - header.trimStart().length
  if (line.trim() === '' || line.trimEnd().length >= start) return undefined
  return line.trimEnd().padEnd(start) + header.slice(start)
}

/**
 * The names in a header, of which at least two are known. Two spaces separate them; so does one, unless a row has text below it, or
 * what stands around it is a name that is known.
 */
function findNames(header: string, rows: readonly string[]): Span[] {
  const parts = toSpans(header, words)
  if (parts.length > 4 * maxColumns) return []
  const filled = findFilled(rows)
  const textOf = ({ start, end }: Span) => header.slice(start, end)
  const names: Span[] = []
  for (let i = 0; i < parts.length; i++) {
    const first = parts[i]
    if (!first) continue
    let last = i
    const isNext = (at: number) => parts[at]?.start === (parts[at - 1]?.end ?? 0) + 1
    for (let at = i + 1; at < i + 4 && isNext(at); at++)
      if (isHeader(textOf({ start: first.start, end: parts[at]?.end ?? 0 }))) last = at
    while (isNext(last + 1) && !isBetween(filled, rows, parts, last)) last++
    names.push({ start: first.start, end: parts[last]?.end ?? first.end })
    i = last
  }
  return names.filter((name) => isHeader(textOf(name))).length < 2 ? [] : names
}

/** Whether the space behind a word of the header is one between columns: no row has text there, and some have some behind it. */
function isBetween(filled: readonly boolean[], rows: readonly string[], parts: readonly Span[], at: number) {
  const [part, next] = [parts[at], parts[at + 1]]
  if (!part || !next || filled[part.end]) return false
  const behind = parts[at + 2]?.start
  return rows.some((row) => row.slice(next.start, behind).trim() !== '')
}

/** The rows with text where the others have gaps, which are before the names if the columns are aligned to the left. */
function findMisfits(names: readonly Span[], rows: readonly string[]): Set<number> {
  const find = (places: readonly number[]) =>
    new Set(rows.keys().filter((i) => places.some((at) => !isBlankAt(rows[i] ?? '', at))))
  const left = find(names.slice(1).map(({ start }) => start - 1))
  const right = find(names.slice(0, -1).map(({ end }) => end))
  return right.size < left.size ? right : left
}

function splitMisfit(row: string, { spans }: Columns): Line {
  const cells = row.trim().split(/ {2,}/)
  return cells.length === spans.length ? { cells } : { cells: [row.trim()], problem: misfit }
}
