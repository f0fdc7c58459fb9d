import { isNameHeader } from '../detect-columns.ts'
import type { Sheet } from '../sheet.ts'
import { hasEmail } from './choose-dialect.ts'
import { maxCells, quotesDoubt, titlesDoubt, toList } from './to-list.ts'

/** What stands between records: the ends of some, then what the next one is called, perhaps in another one around it. */
const between =
  /^[\s,;\])}-]*(?:(?:(?:[\w.$@%:=>]|"[^"\r\n]{0,80}")(?:[\w.$@%:=>\t -]|"[^"\r\n]{0,80}")*)?(?:[[({]\s*|[\r\n]\s*-\s*))*(?:(?:[\w.$@%:=>]|"[^"\r\n]{0,80}")(?:[\w.$@%:=>\t -]|"[^"\r\n]{0,80}")*)?$/
const keyPattern = /(?:"([^"]+)"|([\w.@-]+))[\s:=>]*$/
/** In PHP records are in square brackets. In PowerShell they have a type. */
const openPattern = /\{|\[(?=\s{0,200}(?:'[^'\r\n]{1,60}'|"[^"\r\n]{1,60}")\s{0,20}=>)/g
const typePattern = /\[(?:pscustomobject|ordered)\]@$/i
/** A label, which JSON has in quotation marks; its value; and the sign behind that. As one pattern they would take quadratic time. */
const labelPattern =
  /\s*('[^'\r\n]{1,60}'|"[^"\r\n]{1,60}"(?=\s*=)|:?[\p{L}_$][^:={}[\]"',;\r\n]{0,60})\s*(?:=>|[:=])\s*/uy
const valuePattern =
  /(?:"(?:[^"\\]|\\.){0,20000}"|'(?:[^'\\]|''|\\.){0,20000}'|[^\s{}[\]"',][^{}[\],\r\n]{0,5000})?/suy
const signPattern = /\s*([,;}\]])|[\t ]*[\r\n]\s*/y
const endPattern = /\s*[}\]]/y

/** The most characters between two records. */
const maxGap = 500

/**
 * Reads records in braces whose names or texts need no quotation marks: flow mappings of YAML, objects of a program, blocks of
 * Terraform. Null for other text. What a text in quotation marks is, those languages tell in different ways, so it is asked about.
 */
export function readFlow(text: string): Sheet | null {
  const columns = new Map<string, number>()
  const items: { cells: string[] }[] = []
  const keys = new Set<string>()
  let [at, gapStart] = [0, 0]
  for (;;) {
    openPattern.lastIndex = at
    const open = openPattern.exec(text)?.index ?? -1
    const end = open === -1 ? text.length : open
    if (end - gapStart > maxGap) return null
    const gap = text.slice(gapStart, end).replace(typePattern, '')
    if (!between.test(gap)) return null
    if (open === -1) break
    const record = readRecord(text, open + 1)
    if (!record) {
      // It may be around the records.
      if (items.length > 0 && !/[\w"]/.test(gap)) return null
      at = open + 1
      continue
    }
    keys.add(keyPattern.exec(gap)?.slice(1).find(Boolean) ?? '')
    const cells: string[] = []
    if (items.length * (columns.size + record.fields.length) > maxCells) return null
    for (const [label, value] of record.fields) {
      const column = columns.get(label) ?? columns.size
      columns.set(label, column)
      cells[column] = value
    }
    items.push({ cells })
    gapStart = at = record.end
  }
  if (items.length === 0) return null
  const hasKeys = items.length > 1 && keys.size === items.length && !keys.has('')
  if (hasKeys) addKeys([...keys], columns, items)
  const areNamesGuessed = hasKeys && ![...columns.keys()].some(isNameHeader)
  const width = columns.size
  const filled = items.map(({ cells }) => ({
    cells: Array.from({ length: width }, (_, i) => cells[i] ?? ''),
  }))
  const doubts = [quotesDoubt, ...(areNamesGuessed ? [titlesDoubt] : [])]
  return { ...toList([...columns.keys()], filled), doubts }
}

/** Adds what the records are called by as a column. */
function addKeys(
  keys: readonly string[],
  columns: Map<string, number>,
  items: readonly { cells: string[] }[],
) {
  const label = keys.every((key) => hasEmail([key])) ? 'Username' : 'Title'
  if (columns.has(label)) return
  const column = columns.size
  columns.set(label, column)
  for (const [i, { cells }] of items.entries()) cells[column] = keys[i] ?? ''
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
    const found = readAt(signPattern, valuePattern.lastIndex)
    if (!found) return null
    const [, sign = ''] = found
    fields.push([readValue(label), readValue(value)])
    at = signPattern.lastIndex
    if (/[}\]]/.test(sign)) return { fields, end: at }
  }
}

function readValue(written: string): string {
  const text = written.trim().replace(/^:(?=\w)/, '')
  if (/^(~|null|undefined)$/.test(text)) return ''
  if (!/^["']/.test(text)) return text
  const inner = text.slice(1, -1)
  return text.startsWith("'")
    ? inner.replace(/''|\\(.)/gs, (_, character: string | undefined) => character ?? "'")
    : inner.replace(/\\(.)/gs, (_, character: string) => ({ n: '\n', t: '\t' })[character] ?? character)
}
