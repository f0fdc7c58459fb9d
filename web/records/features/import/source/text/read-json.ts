import { isEmail } from '../../../../../../contract/employees.ts'
import { msg } from '../../../../../language/translate.ts'
import { maxColumns, type Sheet, SourceError } from '../sheet.ts'
import { maxCells, toList } from './to-list.ts'

/**
 * Reads an array of objects, which may be inside other objects, or an object per line. Null if the text is not JSON; throws a
 * `SourceError` if it is damaged or has no list.
 */
export function readJson(text: string): Sheet | null {
  if (!/^\s*(\{\s*["}]|\[\s*[{["])/.test(text)) return null
  const content = parse(text) ?? parseLines(text)
  if (content === undefined)
    throw new SourceError(msg('This JSON file is damaged or incomplete. Export it again.'))
  const found = findList(content, maxDepth)
  const isPerson = isObject(content) && Object.values(content).some((value) => isEmail(toText(value)))
  const list = found.length === 0 && isPerson ? [content] : found
  if (list.length === 0)
    throw new SourceError(
      msg('This JSON file is of no program that is known here. Export it as CSV and import that.'),
    )
  const header = new Map<string, number>()
  let cellCount = 0
  const items = list.map((item) => {
    const cells: string[] = []
    addCells(item, '', maxDepth, (name, value) => {
      const column = header.get(name) ?? header.size
      if (column >= maxColumns) return
      header.set(name, column)
      cells[column] = value
    })
    cellCount += cells.length
    if (cellCount > maxCells) throw new SourceError(msg('This file is too big. Split it into several.'))
    return { cells: Array.from(cells, (cell) => cell ?? '') }
  })
  return toList(shortenNames([...header.keys()]), items)
}

/** Leaves out the names of outer objects where the inner one is enough. */
function shortenNames(names: string[]): string[] {
  const last = (name: string) => name.slice(name.lastIndexOf('.') + 1)
  return names.map((name) =>
    names.filter((other) => last(other) === last(name)).length === 1 ? last(name) : name,
  )
}

const maxDepth = 4

function parse(text: string): unknown {
  try {
    return JSON.parse(quoteNumbers(text))
  } catch {
    return undefined
  }
}

/** Makes texts of numbers, as they stand: they may have more digits than a number can hold. */
function quoteNumbers(text: string): string {
  const parts: string[] = []
  let end = 0
  for (let start = 0; start < text.length; start = end) {
    const quote = text.indexOf('"', start)
    const mark = quote === -1 ? text.length : quote
    parts.push(text.slice(start, mark).replace(/-?\d[\d.eE+-]*/g, '"$&"'))
    end = findStringEnd(text, mark)
    parts.push(text.slice(mark, end))
  }
  return parts.join('')
}

/** The offset behind a JSON string. In steps, because a regular expression for all of it fails with millions of characters. */
function findStringEnd(text: string, start: number): number {
  const next = /["\\]/g
  for (next.lastIndex = start + 1; ; next.lastIndex++) {
    const found = next.exec(text)
    if (!found) return text.length
    if (found[0] === '"') return next.lastIndex
  }
}

function parseLines(text: string): unknown {
  const values: unknown[] = []
  for (const line of text.split(/[\r\n]+/)) {
    if (line.trim() === '') continue
    const value = parse(line)
    if (!isObject(value)) return undefined
    values.push(value)
  }
  return values
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The longest array of objects, or the objects in an object whose values are all objects. */
function findList(content: unknown, depth: number): object[] {
  if (depth === 0 || typeof content !== 'object' || content === null) return []
  const values: unknown[] = Object.values(content)
  const objects = values.filter(isObject)
  if (Array.isArray(content) && objects.length > 0) return objects
  const inner = values.slice(0, 1_000).map((value) => findList(value, depth - 1))
  const longest = inner.reduce((best, list) => (list.length > best.length ? list : best), [])
  if (longest.length > 0) return longest
  return objects.length > 0 && objects.length === values.length ? objects : []
}

/** Adds the values of an object, of objects in it by their own names unless those are taken. */
function addCells(item: object, prefix: string, depth: number, add: (name: string, value: string) => void) {
  for (const [key, value] of Object.entries(item)) {
    const name = prefix + key
    if (isObject(value)) {
      if (depth > 1) addCells(value, `${name}.`, depth - 1, add)
    } else add(name, toText(value))
  }
}

/** Lists of emails may be of objects with a `value` or an `address`. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).filter(Boolean).join('; ')
  if (isObject(value)) {
    const [, text] = Object.entries(value).find(([key]) => /^(value|address|e-?mail)$/i.test(key)) ?? []
    return typeof text === 'string' ? text : ''
  }
  return value === null || value === undefined ? '' : String(value)
}
