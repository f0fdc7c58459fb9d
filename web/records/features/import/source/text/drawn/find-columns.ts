/** The part of a line between two of its columns of characters. */
export interface Span {
  start: number
  end: number
}

export interface Columns {
  /** Each from behind the gap before it to the gap behind it. */
  spans: Span[]
  /** The first one has no header. */
  hasIndex: boolean
  /** The texts of each begin or end at the same place, or are centered. */
  areAligned: boolean
  /** Text may belong to another column than it was given to. */
  isUnsure: boolean
}

export const isBlankAt = (line: string, at: number) => /^[ \u00a0\u3000]?$/.test(line[at] ?? '')

const isBlankIn = (line: string, { start, end }: Span) => line.slice(start, end).trim() === ''

/** Where a text begins and ends in its line. */
export function findText(line: string, { start, end }: Span): Span | undefined {
  const part = line.slice(start, end)
  const text = part.trimStart()
  if (text === '') return undefined
  const begin = start + part.length - text.length
  return { start: begin, end: begin + text.trimEnd().length }
}

/** Tells where some line has text. */
export function findFilled(lines: readonly string[]): boolean[] {
  const filled: boolean[] = []
  for (const line of lines) for (let at = 0; at < line.length; at++) filled[at] ||= !isBlankAt(line, at)
  return filled
}

/** The parts from one position to another where no line has text. */
function findGaps(filled: readonly boolean[], { start, end }: Span): Span[] {
  const gaps: Span[] = []
  for (let at = start; at < end; at++) {
    if (filled[at]) continue
    const last = gaps.at(-1)
    if (last?.end === at) last.end++
    else gaps.push({ start: at, end: at + 1 })
  }
  return gaps
}

/** The gaps between all columns; the first one is behind a column before the first name, if there is one. */
type Bounds = readonly (Span | undefined)[]

/** How many ways to cut are tried, and how many rows tell which of them are right. */
const maxWays = 256
const sampleSize = 1_000

/**
 * Finds the columns below a header whose names are at `names`: between two names is a gap that no row has text in. Null if there is
 * none. Of several, some are between words of a text: those count with which all columns are aligned, as programs draw them.
 */
export function findColumns(header: string, names: readonly Span[], rows: readonly string[]): Columns | null {
  const filled = findFilled([header, ...rows])
  const choices: Bounds[] = [findIndexes(filled, names, rows)]
  for (const [i, { end }] of names.entries()) {
    const next = names[i + 1]
    if (next) choices.push(findGaps(filled, { start: end, end: next.start }))
  }
  if (choices.some(({ length }) => length === 0)) return null
  const sample = rows.slice(0, sampleSize)
  const ways = choices.reduce((product, { length }) => product * length, 1)
  const aligned = ways > maxWays ? [] : findAligned(choices, names, sample)
  const rated = aligned.map((bounds) => ({ bounds, wide: countWide(spansBetween(bounds), sample) }))
  const least = rated.reduce((min, { wide }) => Math.min(min, wide), Infinity)
  const isLikely = ({ wide }: { wide: number }) => wide - least < 2 || wide <= sample.length / 2
  const likely = rated.filter(isLikely).toSorted((a, b) => a.wide - b.wide)
  const bounds = likely[0]?.bounds ?? choices.map((gaps) => gaps.at(-1))
  return {
    spans: spansBetween(bounds),
    hasIndex: bounds[0] !== undefined,
    areAligned: likely.length > 0,
    isUnsure: likely.length > 1 || (likely.length === 0 && ways > 1),
  }
}

function spansBetween([index, ...bounds]: Bounds): Span[] {
  const all = [index, ...bounds].filter((gap) => gap !== undefined)
  const starts = [0, ...all.map(({ end }) => end)]
  return starts.map((start, i) => ({ start, end: all[i]?.start ?? Infinity }))
}

/**
 * The gaps that may be behind a column before the first name, such as that of the numbers which pandas, R and tabulate write;
 * undefined for none.
 */
function findIndexes(filled: readonly boolean[], [first]: readonly Span[], rows: readonly string[]): Bounds {
  const end = first?.start ?? 0
  const begin = filled.indexOf(true)
  if (begin === -1 || begin >= end) return [undefined]
  const gaps = findGaps(filled, { start: begin, end })
  const numbered = gaps.find((gap) => {
    const numbers = rows.map((row) => row.slice(0, gap.start).trim())
    if (!numbers.every((text) => /^\d+$/.test(text))) return false
    const isCounted = numbers.every((text, i) => Number(text) === i + Number(numbers[0]))
    const isApart = rows.some((row) => isBlankAt(row, gap.start - 1) || isBlankAt(row, gap.end))
    return isApart || gap.end - gap.start > 1 || (isCounted && Number(numbers[0]) < 2)
  })
  if (numbered) return [numbered]
  const filledBefore = (gap: Span) => rows.every((row) => !isBlankIn(row, { start: 0, end: gap.start }))
  return [undefined, ...gaps.filter(filledBefore)]
}

/** The ways to choose one gap of each kind with which all columns are aligned. */
function findAligned(choices: readonly Bounds[], names: readonly Span[], rows: readonly string[]): Bounds[] {
  const known = new Map<string, boolean>()
  function isColumn(i: number, before: Span | undefined, behind: Span | undefined): boolean {
    const span = { start: before?.end ?? 0, end: behind?.start ?? Infinity }
    const key = `${i} ${span.start} ${span.end}`
    const found = known.get(key) ?? isAligned(names[i], span, rows)
    known.set(key, found)
    return found
  }
  let ways: Bounds[] = (choices[0] ?? [])
    .filter((gap) => !gap || isColumn(-1, undefined, gap))
    .map((gap) => [gap])
  for (const [i] of names.entries()) {
    const next = choices[i + 1] ?? [undefined]
    ways = ways.flatMap((way) =>
      next.flatMap((gap) => (isColumn(i, way.at(-1), gap) ? [choices[i + 1] ? [...way, gap] : way] : [])),
    )
  }
  return ways
}

/** Whether all texts in a column begin or end at its edge, or are in its middle, as does the name above them. */
function isAligned(name: Span | undefined, span: Span, rows: readonly string[]): boolean {
  const texts = rows.flatMap((row) => findText(row, span) ?? [])
  const all = name ? [name, ...texts] : texts
  const left = all.reduce((min, { start }) => Math.min(min, start), Infinity)
  const right = all.reduce((max, { end }) => Math.max(max, end), 0)
  const sides = [
    ({ start }: Span) => start === left,
    ({ end }: Span) => end === right,
    ({ start, end }: Span) => Math.abs(start - left - (right - end)) <= 1,
  ]
  return sides.some((side) => texts.every(side)) && (!name || sides.some((side) => side(name)))
}

/** In how many rows a text has several spaces between its words. */
const countWide = (spans: readonly Span[], rows: readonly string[]) =>
  rows.filter((row) => spans.some(({ start, end }) => /\S {2,}\S/.test(row.slice(start, end)))).length
