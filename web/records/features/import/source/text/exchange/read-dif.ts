import { createDamagedListError, type Sheet } from '../../sheet.ts'
import { Cells } from './cells.ts'

/** Reads DIF, in which old spreadsheets exchange cells: two lines each, or more in quotation marks. Null for other text. */
export function readDif(text: string): Sheet | null {
  if (!/^\ufeff?TABLE\r?\n0,1\r?\n/.test(text)) return null
  const lines = text.split(/\r\n?|\n/)
  const cells = new Cells()
  let [row, column, at] = [0, 0, lines.indexOf('DATA') + 3]
  if (at < 3) throw createDamagedListError()
  while (at < lines.length) {
    const [, kind = '', value = ''] = /^\s*(-?\d+)\s*,(.*)$/.exec(lines[at++] ?? '') ?? []
    const end = kind === '1' ? findTextEnd(lines, at) : at + 1
    const content = lines.slice(at, end).join('\n')
    at = end
    if (kind === '-1') {
      if (content.trim() === 'EOD') return cells.toSheet()
      ;[row, column] = [row + 1, 0]
    } else if (kind === '1')
      cells.set(row, column++, content.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'), false)
    else if (kind === '0') {
      const isNumber = content.trim() === 'V'
      cells.set(row, column++, isNumber ? value : toWord(content), isNumber)
    } else break
  }
  throw createDamagedListError()
}

/** The index of the line behind a text, which goes on over lines until its quotation mark is closed. Reads each line once. */
function findTextEnd(lines: readonly string[], start: number): number {
  if (!lines[start]?.startsWith('"')) return start + 1
  let isOpen = false
  for (let i = start; i < lines.length; i++) {
    if (countQuotes(lines[i] ?? '') % 2 === 1) isOpen = !isOpen
    if (!isOpen) return i + 1
  }
  throw createDamagedListError()
}

const countQuotes = (text: string) => text.split('"').length - 1

/** What the sheet shows of a value that is no number: a truth value, or an error. */
const toWord = (name: string) => (/^(TRUE|FALSE)$/.test(name.trim()) ? name : '#N/A')
