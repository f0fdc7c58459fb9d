import { isHeader } from '../../detect-columns.ts'
import type { Sheet } from '../../sheet.ts'
import { hasEmail } from '../choose-dialect.ts'
import { splitLines } from '../split-lines.ts'
import { signsDoubt, toRows } from '../to-list.ts'

/** Reads a table as a wiki writes it: of Jira and Confluence, MediaWiki or AsciiDoc. Null for other text. */
export function readWiki(text: string): Sheet | null {
  const lines = splitLines(text).map((line) => line.trim())
  const filled = lines.filter(Boolean)
  const rows = readJira(filled) ?? readMediaWiki(filled) ?? readAsciiDoc(lines)
  const [header = []] = rows ?? []
  if (!rows?.some(hasEmail) || header.filter(isHeader).length < 2) return null
  const hasSigns = rows.some((cells) => cells.some((cell) => signs.test(cell)))
  return { ...toRows(rows), doubts: hasSigns ? [signsDoubt] : [] }
}

/** Marks of a text that is shown in another way, and signs that stand for no text. */
const signs = /^['*_`+^~{-].*[}'*_`+^~-]$|\\[^\w\s]|<nowiki|<code|\{\{/

const trimAll = (cells: string[]) => cells.map((cell) => cell.trim())

/** Null unless the header has two bars between its cells, and each row one. */
function readJira([top = '', ...others]: readonly string[]): string[][] | null {
  const header = /^\|\|(.+)\|\|$/.exec(top)?.[1]?.split('||')
  const rows = others.map((line) => /^\|(?!\|)(.+)\|$/.exec(line)?.[1]?.split(/(?<!\\)\|/))
  if (!header || rows.some((cells) => cells?.length !== header.length)) return null
  return [header, ...rows.map((cells) => cells ?? [])].map(trimAll)
}

function readMediaWiki(lines: readonly string[]): string[][] | null {
  if (!lines[0]?.startsWith('{|') || lines.at(-1) !== '|}') return null
  const rows: string[][] = [[]]
  for (const line of lines.slice(1, -1)) {
    if (line.startsWith('|+')) continue
    if (line.startsWith('|-')) rows.push([])
    else if (/^[!|]/.test(line)) rows.at(-1)?.push(...splitCells(line))
    else return null
  }
  return rows.filter((cells) => cells.length > 0)
}

function splitCells(line: string): string[] {
  const parts = line.slice(1).split(line.startsWith('!') ? /!!|\|\|/ : '||')
  // What tells the look of a cell stands before it.
  return trimAll(parts.map((part) => part.replace(/^\s*[a-z-]{2,20}="[^"|]{0,200}"[^|]{0,200}\|(?!\|)/i, '')))
}

/** The cells of a row may stand on a line each. */
function readAsciiDoc(lines: readonly string[]): string[][] | null {
  const [start, end] = [lines.indexOf('|==='), lines.lastIndexOf('|===')]
  const isAttribute = (line: string) => line === '' || /^(\[.*\]|\..+)$/.test(line)
  if (start === -1 || end === start || !lines.slice(0, start).every(isAttribute)) return null
  if (lines.slice(end + 1).some(Boolean)) return null
  const inner = lines.slice(start + 1, end).filter(Boolean)
  const parts = inner.map((line) => (line.startsWith('|') ? trimAll(line.slice(1).split(/\s\|/)) : null))
  const [header] = parts
  if (!header || header.length < 2 || parts.includes(null)) return null
  const cells = parts.flatMap((part) => part ?? [])
  if (cells.length % header.length > 0) return null
  return Array.from({ length: cells.length / header.length }, (_, i) =>
    cells.slice(i * header.length, (i + 1) * header.length),
  )
}
