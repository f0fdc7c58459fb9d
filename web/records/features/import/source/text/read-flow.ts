import type { Sheet } from '../sheet.ts'
import { maxCells, quotesDoubt, toList } from './to-list.ts'

/** What stands between records: the signs of a list, perhaps behind the name of a variable. */
const between = /^\s*(?:(?:export\s+|default\s+|const\s+|let\s+|var\s+)*[\w.$]*\s*[:=]\s*)?[\s,;[\]-]*$/
/** A label, which JSON has in quotation marks; its value; and the sign behind that. As one pattern they would take quadratic time. */
const labelPattern = /\s*('[^'\r\n]{1,60}'|[\p{L}_$][^:{}[\]"',\r\n]{0,60})\s*:\s*/uy
const valuePattern =
  /(?:"(?:[^"\\]|\\.){0,20000}"|'(?:[^'\\]|''|\\.){0,20000}'|[^\s{}[\]"',][^{}[\],\r\n]{0,5000})?/suy
const signPattern = /\s*([,}])/y
const endPattern = /\s*\}/y

/** The most characters between two records. */
const maxGap = 500

/**
 * Reads records in braces whose names or texts need no quotation marks: flow mappings of YAML, objects of a program. Null for other
 * text. What a text in quotation marks is, those languages tell in different ways, so it is asked about.
 */
export function readFlow(text: string): Sheet | null {
  const columns = new Map<string, number>()
  const items: { cells: string[] }[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('{', at)
    const end = open === -1 ? text.length : open
    if (end - at > maxGap || !between.test(text.slice(at, end))) return null
    if (open === -1) break
    const record = readRecord(text, open + 1)
    if (!record) return null
    const cells: string[] = []
    if (items.length * (columns.size + record.fields.length) > maxCells) return null
    for (const [label, value] of record.fields) {
      const column = columns.get(label) ?? columns.size
      columns.set(label, column)
      cells[column] = value
    }
    items.push({ cells })
    at = record.end
  }
  if (items.length === 0) return null
  const width = columns.size
  const filled = items.map(({ cells }) => ({
    cells: Array.from({ length: width }, (_, i) => cells[i] ?? ''),
  }))
  return { ...toList([...columns.keys()], filled), doubts: [quotesDoubt] }
}

/** The labels and values behind a brace, and where they end; null for JSON, and for what has lists or braces within. */
function readRecord(text: string, start: number) {
  const fields: [label: string, value: string][] = []
  const readAt = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  for (let at = start; ; ) {
    if (fields.length > 0 && readAt(endPattern, at)) return { fields, end: endPattern.lastIndex }
    const [, label] = readAt(labelPattern, at) ?? []
    if (label === undefined) return null
    const [value = ''] = readAt(valuePattern, labelPattern.lastIndex) ?? []
    const [, sign] = readAt(signPattern, valuePattern.lastIndex) ?? []
    if (sign === undefined) return null
    fields.push([readValue(label), readValue(value)])
    at = signPattern.lastIndex
    if (sign === '}') return { fields, end: at }
  }
}

function readValue(written: string): string {
  const text = written.trim()
  if (/^(~|null|undefined)$/.test(text)) return ''
  if (!/^["']/.test(text)) return text
  const inner = text.slice(1, -1)
  return text.startsWith("'")
    ? inner.replace(/''|\\(.)/gs, (_, character: string | undefined) => character ?? "'")
    : inner.replace(/\\(.)/gs, (_, character: string) => ({ n: '\n', t: '\t' })[character] ?? character)
}
