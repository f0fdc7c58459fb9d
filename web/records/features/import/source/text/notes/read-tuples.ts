import { maxColumns, type Sheet } from '../../sheet.ts'
import { hasEmail } from '../choose-dialect.ts'
import { quotesDoubt, toRows } from '../to-list.ts'

/** What stands before the first tuple, between two, and behind the last one. */
const startPattern = /(?:\s|\[|values\b|return\b|[\w.]{1,60}\s*=(?!=))*/iy
const gapPattern = /\s*[,;]?\s*/y
const endPattern = /[\s,;\])}]*$/y
const openPattern = /\(\s*/y
const closePattern = /\s*(?:,\s*)?\)/y
const commaPattern = /\s*,\s*/y
/** A text in quotation marks, or a word. As in the objects of programs, languages tell in different ways what marks within are. */
const valuePattern =
  /[NEnu]?(?:'(?:[^'\\]|''|\\.){0,20000}'|"(?:[^"\\]|""|\\.){0,20000}")|[^\s,()'"]{1,5000}/suy

/** Reads rows of values in brackets: those of SQL without the statement, tuples of a program. Null for other text. */
export function readTuples(text: string): Sheet | null {
  let at = 0
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) at += found.length
    return found
  }
  const rows: string[][] = []
  skip(startPattern)
  while (skip(openPattern) !== undefined) {
    const cells: string[] = []
    do {
      const value = skip(valuePattern)
      if (value === undefined || cells.length === maxColumns) return null
      cells.push(readValue(value))
    } while (skip(commaPattern) !== undefined && text[at] !== ')')
    if (skip(closePattern) === undefined || cells.length < 2) return null
    if (rows[0] && rows[0].length !== cells.length) return null
    rows.push(cells)
    skip(gapPattern)
  }
  if (skip(endPattern) === undefined || !rows.some(hasEmail)) return null
  return { ...toRows(rows), doubts: [quotesDoubt] }
}

function readValue(written: string): string {
  const text = written.replace(/^[NEnu](?=['"])/, '')
  if (/^(null|none|nil)$/i.test(text)) return ''
  const [mark = ''] = text
  if (mark !== "'" && mark !== '"') return text
  return text
    .slice(1, -1)
    .replace(
      /\\(.)|''|""/gs,
      (written, character?: string) => character ?? (written[0] === mark ? mark : written),
    )
}
