import { type Columns, findText, type Span } from './find-columns.ts'

interface CutLine {
  cells: string[]
  /** The program had no room for all of a cell, which is empty here. */
  isCut: boolean
}

interface Edges {
  left: number
  right: number
  /** How many texts, with the name above them, begin or end there; those of all others are more or less indented. */
  leftCount: number
  rightCount: number
  count: number
}

function findEdges(texts: readonly Span[]): Edges {
  let [left, right] = [Infinity, 0]
  for (const { start, end } of texts) {
    left = Math.min(left, start)
    right = Math.max(right, end)
  }
  const leftCount = texts.filter(({ start }) => start === left).length
  const rightCount = texts.filter(({ end }) => end === right).length
  return { left, right, leftCount, rightCount, count: texts.length }
}

/** Cuts lines into cells, without the spaces that align them. Those with which a few cells differ from the others are of their texts. */
export function alignCells(
  header: string,
  names: readonly Span[],
  { spans, hasIndex }: Columns,
  lines: readonly string[],
): { header: string[]; rows: CutLine[] } {
  const rows = lines.map((): CutLine => ({ cells: [], isCut: false }))
  const nameOf = (column: number) => names[column - Number(hasIndex)]
  const texts = spans.map((span) => lines.map((line) => findText(line, span)))
  const edges = spans.map((_, column) => {
    const name = nameOf(column)
    const filled = (texts[column] ?? []).filter((text) => text !== undefined)
    return findEdges(name ? [name, ...filled] : filled)
  })
  const lefts = edges.filter(({ leftCount, count }) => leftCount === count).length
  const rights = edges.filter(({ rightCount, count }) => rightCount === count).length
  for (const [column, cellTexts] of texts.entries()) {
    const edge = edges[column]
    if (!edge) continue
    const isLeft = edge.leftCount === edge.rightCount ? lefts > rights : edge.leftCount > edge.rightCount
    const isAligned = Math.max(edge.leftCount, edge.rightCount) > edge.count / 2 || edge.count === 2
    const width = edge.right - edge.left
    for (const [i, text] of cellTexts.entries()) {
      const row = rows[i]
      const cell = text ? (lines[i]?.slice(text.start, text.end) ?? '') : ''
      const isCut = cell.length >= width && /(…|\.{3})$/.test(cell)
      if (row) row.isCut ||= isCut
      if (isCut) row?.cells.push('')
      else if (!text || !isAligned) row?.cells.push(cell)
      else if (isLeft) row?.cells.push(' '.repeat(text.start - edge.left) + cell)
      else row?.cells.push(cell + ' '.repeat(edge.right - text.end))
    }
  }
  return {
    header: spans.map((_, column) => {
      const name = nameOf(column)
      return name ? header.slice(name.start, name.end).trim() : ''
    }),
    rows,
  }
}
