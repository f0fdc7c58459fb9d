import { maxBatchSize } from '../../../../../../contract/batches.ts'
import { isEmail } from '../../../../../../contract/employees.ts'
import { msg } from '../../../../../language/translate.ts'
import { isHeader } from '../detect-columns.ts'
import { parseFirstEmail } from '../first-email.ts'
import { maxColumns, type Sheet, SourceError, unreadableList } from '../sheet.ts'
import { maxCells, toList } from './to-list.ts'

/**
 * Reads an array of objects, which may be inside other objects, or an object per line. Null if the text is not JSON; throws a
 * `SourceError` if it is damaged or has no list.
 */
export function readJson(text: string): Sheet | null {
  if (!/^\s*(\{\s*["}]|\[\s*[{["])/.test(text)) return null
  const content = parse(text) ?? parseLines(text)
  if (content === undefined)
    throw new SourceError(
      // Names without quotation marks are of another language.
      /^\s*\[\s*\{\s*[^\s"}]/.test(text)
        ? unreadableList
        : msg('This JSON file is damaged or incomplete. Export it again.'),
    )
  const sheet = readRecords(content)
  if (!sheet)
    throw new SourceError(
      msg('This JSON file is of no program that is known here. Export it as CSV and import that.'),
    )
  const isRepeated = countKeyTexts(text) > countKeys(content)
  return isRepeated ? { ...sheet, doubts: [...(sheet.doubts ?? []), repeatedDoubt] } : sheet
}

/** Makes a list of objects, of arrays, or of an object with emails, that may be inside of others. Null if there is none. */
export function readRecords(content: unknown): Sheet | null {
  const grids = findGrids(content, maxDepth)
  const [grid, ...others] = grids.toSorted((a, b) => b.length - a.length)
  if (grid) return { ...toGrid(grid), doubts: others.length > 0 ? [partDoubt] : [] }
  const found = findList(content, maxDepth)
  const isPerson = isObject(content) && Object.values(content).some((value) => isEmail(toText(value)))
  const list = found.length === 0 && isPerson ? [content] : findPeople(found, maxDepth)
  if (list.length === 0) return null
  const isPart = countPeople(content, 2 * maxDepth) > countPeople(list, 2 * maxDepth)
  const joined = new Set<string>()
  const header = new Map<string, number>()
  let cellCount = 0
  const items = list.map((item) => {
    const cells: string[] = []
    addCells(item, '', maxDepth, (name, value, isJoined) => {
      const column = header.get(name) ?? header.size
      if (column >= maxColumns) return
      header.set(name, column)
      cells[column] = value
      if (isJoined && value.includes(';') && !parseFirstEmail(value).count) joined.add(name)
    })
    cellCount += cells.length
    if (cellCount > maxCells) throw new SourceError(msg('This file is too big. Split it into several.'))
    return { cells: Array.from(cells, (cell) => cell ?? '') }
  })
  const hasJoined = shortenNames([...joined]).some(isHeader)
  const doubts = [...(hasJoined ? [joinedDoubt] : []), ...(isPart ? [partDoubt] : [])]
  return { ...toList(shortenNames([...header.keys()]), items), doubts }
}

const joinedDoubt = msg('Some cells had several values, which are joined by “;”. Check the passwords.')
const partDoubt = msg('This file has several lists with emails. Only the longest one is read.')

const repeatedDoubt = msg(
  'Some records have a field twice. The last value of each is read. Check the passwords.',
)

/** Whether an email is one of the values of an object, or in a list of such objects as are made for emails alone. */
const hasOwnEmail = (item: unknown) =>
  isObject(item) &&
  Object.values(item).some((value) =>
    isArray(value) ? value.some(isEmailItem) : isScalar(value) && isEmail(toText(value)),
  )

const isEmailItem = (item: unknown) =>
  isObject(item)
    ? Object.entries(item).some(([key, value]) => /^(value|address)$/i.test(key) && isEmail(toText(value)))
    : isScalar(item) && isEmail(toText(item))

/** How many objects have an email of their own. */
function countPeople(content: unknown, depth: number): number {
  if (depth === 0 || typeof content !== 'object' || content === null) return 0
  const inner = Object.values(content).reduce((sum: number, value) => sum + countPeople(value, depth - 1), 0)
  return inner + Number(hasOwnEmail(content))
}

/** The people in groups, which have no emails but lists, or names of their own; or the items as they are. */
function findPeople(items: object[], depth: number): object[] {
  if (depth === 0 || items.some(hasOwnEmail)) return items
  const inner = items.flatMap((item) => {
    const own = new Set(Object.entries(item).flatMap(([key, value]) => (isScalar(value) ? [key] : [])))
    return Object.values(item).flatMap((value): object[] => {
      if (isArray(value)) return value.filter(isObject)
      return isObject(value) && Object.keys(value).some((key) => own.has(key)) ? [value] : []
    })
  })
  const people = findPeople(inner, depth - 1)
  return people.some(hasOwnEmail) ? people : items
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

/** Numbers, and what Miller and Python write as such, which JSON does not allow. */
const numbers = /[+-]?(?:0x[\da-f]+|\.?\d[\d.eE+-]*|\b(?:NaN|Infinity)\b)/gi

/** What the shell of MongoDB writes around a value, such as `ObjectId("…")`. */
const wrappers = /\b[A-Z]\w{1,20}\(|\)/g

/** Makes texts of numbers, as they stand: they may have more digits than a number can hold. */
function quoteNumbers(text: string): string {
  const parts: string[] = []
  let end = 0
  for (let start = 0; start < text.length; start = end) {
    const quote = text.indexOf('"', start)
    const mark = quote === -1 ? text.length : quote
    parts.push(text.slice(start, mark).replace(wrappers, '').replace(numbers, '"$&"'))
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

/** How many names of fields a text of JSON has. */
function countKeyTexts(text: string): number {
  let count = 0
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = findStringEnd(text, start)
    start = text.indexOf('"', end)
    if (/^\s*:/.test(text.slice(end, start === -1 ? undefined : start))) count++
  }
  return count
}

/** How many fields all objects of a value have. Without recursion, as JSON may be nested deeper than calls. */
function countKeys(content: unknown): number {
  let count = 0
  const rest = [content]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    const values: unknown[] = Object.values(value)
    if (!isArray(value)) count += values.length
    for (const inner of values) rest.push(inner)
  }
  return count
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

const isArray: (value: unknown) => value is unknown[] = Array.isArray
const isScalar = (value: unknown) => typeof value !== 'object'
const isScalars = (value: unknown): value is unknown[] =>
  isArray(value) && value.length > 0 && value.every((item) => isScalar(item) || item === null)

/**
 * The tables of rows: arrays in an array, of which another may be the header, or arrays that are columns; or the names and values of
 * an object whose emails are the one or the other.
 */
function findGrids(content: unknown, depth: number): unknown[][][] {
  if (depth === 0 || isScalar(content) || content === null) return []
  if (isArray(content))
    return content.length > 0 && content.every(isScalars) && content.some(hasEmail) ? [content] : []
  const entries = Object.entries(content as object)
  if (isGridOfPairs(entries)) return [entries]
  const table = toColumns(entries)
  if (table) return findGrids(table, depth)
  const values = entries.map(([, value]) => value)
  const grids = values
    .slice(0, 1_000)
    .flatMap((value) => findGrids(value, depth - 1).map((rows) => addHeader(rows, value, values)))
  if (grids.length > 0) return grids
  const columns = entries.filter(([, value]) => isScalars(value)) as [string, unknown[]][]
  const height = columns[0]?.[1].length ?? 0
  const isTable = columns.length > 1 && columns.every(([, { length }]) => length === height)
  if (!isTable || !columns.some(([, column]) => hasEmail(column))) return []
  const names = columns.map(([name]) => name)
  return [[names, ...Array.from({ length: height }, (_, i) => columns.map(([, column]) => column[i]))]]
}

/** The columns of an object whose values are objects with the same names, which number the rows: as of pandas. */
function toColumns(entries: readonly [string, unknown][]): Record<string, unknown[]> | undefined {
  const columns = entries.flatMap(([name, value]) => (isObject(value) ? [[name, value] as const] : []))
  const [first] = columns
  if (!first || columns.length < entries.length || columns.filter(([name]) => isHeader(name)).length < 2)
    return undefined
  const keys = Object.keys(first[1]).join('\n')
  if (!columns.every(([, column]) => Object.keys(column).join('\n') === keys)) return undefined
  return Object.fromEntries(columns.map(([name, column]) => [name, Object.values(column)]))
}

/** Adds the array beside a table that is as long as its rows. */
function addHeader(rows: unknown[][], table: unknown, beside: readonly unknown[]): unknown[][] {
  const header = beside.find(
    (other) => other !== table && isArray(other) && other.length === rows[0]?.length && !other.some(isArray),
  )
  return header ? [(header as unknown[]).map(toLabel), ...rows] : rows
}

const hasEmail = (values: readonly unknown[]) => values.some((value) => isEmail(toText(value)))

/** Whether all names or all values are emails. One value alone is a person with an email. */
function isGridOfPairs(entries: readonly [string, unknown][]): boolean {
  if (entries.length < 2 || !entries.every(([, value]) => isScalar(value))) return false
  return entries.every(([name]) => isEmail(name)) || entries.every(([, value]) => isEmail(toText(value)))
}

/** A column may be described by an object. */
function toLabel(column: unknown): string {
  if (!isObject(column)) return toText(column)
  const [, name] = Object.entries(column).find(([key]) => /^(name|title|label|field|key)$/i.test(key)) ?? []
  return toText(name)
}

function toGrid(grid: readonly unknown[][]): Sheet {
  const rows = grid.slice(0, maxBatchSize + 1)
  return {
    rows: rows.map((cells, i) => ({ number: i + 1, cells: cells.slice(0, maxColumns).map(toText) })),
    isTruncated: grid.length > rows.length,
    hasUnclosedQuote: false,
  }
}

/** The longest array of objects, or the objects in an object whose values are all objects: by their names, if those tell more. */
function findList(content: unknown, depth: number): object[] {
  if (depth === 0 || typeof content !== 'object' || content === null) return []
  const values: unknown[] = Object.values(content)
  const objects = values.filter(isObject)
  if (Array.isArray(content) && objects.length > 0) return objects
  // Records by their keys, whose own fields may be in objects too.
  const keysOf = (value: object) => Object.keys(value).join('\n')
  const [first] = objects
  const isMap = first !== undefined && objects.length > 1 && objects.length === values.length
  if (isMap && objects.every((value) => keysOf(value) === keysOf(first)) && !hasOwnEmail(content))
    return nameObjects(content)
  const inner = values.slice(0, 1_000).map((value) => findList(value, depth - 1))
  const weigh = (list: object[]) => list.length + (countPeople(list, maxDepth) > 0 ? maxBatchSize : 0)
  const longest = inner.reduce((best, list) => (weigh(list) > weigh(best) ? list : best), [])
  if (longest.length > 0) return longest
  if (objects.length === 0 || objects.length < values.length) return []
  return nameObjects(content)
}

/** The objects in an object, with their keys: used where they have no name or no email themselves. */
function nameObjects(content: object): object[] {
  const nameOf = (key: string) => (isEmail(key) ? 'Username' : 'Title')
  return Object.entries(content).map(([key, value]) => ({ [nameOf(key)]: key, ...(value as object) }))
}

/** Adds the values of an object, of objects in it by their own names unless those are taken. */
function addCells(
  item: object,
  prefix: string,
  depth: number,
  add: (name: string, value: string, isJoined: boolean) => void,
) {
  for (const [key, value] of Object.entries(item)) {
    const name = prefix + key
    if (isObject(value)) {
      if (depth > 1) addCells(value, `${name}.`, depth - 1, add)
    } else add(name, toText(value), isArray(value) && value.length > 1)
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
