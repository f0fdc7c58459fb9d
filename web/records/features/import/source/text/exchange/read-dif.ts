import type { Sheet } from '../../sheet.ts'
import { Cells, createDamagedError } from './cells.ts'

/** Reads DIF, in which old spreadsheets exchange cells: two lines each, or more in quotation marks. Null for other text. */
export function readDif(text: string): Sheet | null {
  if (!/^\ufeff?TABLE\r?\n0,1\r?\n/.test(text)) return null
  const lines = text.split(/\r\n?|\n/)
  const cells = new Cells()
  let [row, column, at] = [0, 0, lines.indexOf('DATA') + 3]
  if (at < 3) throw createDamagedError()
  while (at < lines.length) {
    const [, kind = '', value = ''] = /^\s*(-?\d+)\s*,(.*)$/.exec(lines[at++] ?? '') ?? []
    let content = lines[at++]
    if (content === undefined) break
    if (kind === '-1') {
      if (content.trim() === 'EOD') return cells.toSheet()
      ;[row, column] = [row + 1, 0]
    } else if (kind === '1') {
      while (!isClosed(content)) {
        const next = lines[at++]
        if (next === undefined) throw createDamagedError()
        content += `\n${next}`
      }
      cells.set(row, column++, content.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'), false)
    } else if (kind === '0') {
      const isNumber = content.trim() === 'V'
      cells.set(
        row,
        column++,
        isNumber ? value : /^(TRUE|FALSE)$/.test(content.trim()) ? content : '#N/A',
        isNumber,
      )
    } else break
  }
  throw createDamagedError()
}

/** Whether a text that begins with a quotation mark also ends with one of its own. */
const isClosed = (text: string) => !text.startsWith('"') || (text.match(/"/g) ?? []).length % 2 === 0
