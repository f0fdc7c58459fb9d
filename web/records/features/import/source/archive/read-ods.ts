import { maxColumns } from '../parse-sheet.ts'
import type { WorkbookSheet } from './read-workbook.ts'
import { type Attributes, decodeAttribute, walkXml } from './walk-xml.ts'

export const odsParts = /^(content|META-INF\/manifest)\.xml$/

const toCount = (repeat = '1') => Number(repeat) || 1
const repeat = (text: string, count: number) => Array<string>(Math.min(count, maxColumns)).fill(text)

/** Reads the sheets of an OpenDocument spreadsheet that have rows: each cell with the text that the program shows. */
export function readOds(xml: string, maxRows: number, onProgress: (progress: number) => void) {
  const sheets: WorkbookSheet[] = []
  let row = { number: 0, count: 1, cells: [''], isHidden: false }
  let cell = { text: '', count: 1 }
  let isInText = false
  let beforeComment = ''

  function endRow() {
    const { number, count, isHidden } = row
    const sheet = sheets.at(-1)
    const cells = row.cells.slice(0, maxColumns)
    cells.length = cells.findLastIndex((text) => text !== '') + 1
    for (let i = 0; i < count && sheet && !sheet.isTruncated && cells.some((text) => text.trim()); i++) {
      sheet.isTruncated = sheet.rows.length === maxRows
      if (!sheet.isTruncated) sheet.rows.push({ number: number + i, cells, isHidden })
      if (sheet.rows.length % 2_000 === 0) onProgress(sheet.rows.length / maxRows)
    }
  }

  function close(name: string) {
    if (name === 'p') isInText = false
    else if (name === 'annotation') cell.text = beforeComment
    else if (name.endsWith('table-cell')) row.cells.push(...repeat(cell.text.slice(1), cell.count))
    else if (name === 'table-row') endRow()
  }

  const addText = (text: string) => {
    cell.text += text
  }
  const beginCell = ({ 'table:number-columns-repeated': count }: Attributes) => {
    cell = { text: '', count: toCount(count) }
  }
  const open = {
    table: ({ 'table:name': name = '' }: Attributes) => {
      sheets.push({ name: decodeAttribute(name), rows: [], isTruncated: false })
      row = { ...row, number: 1, count: 0 }
    },
    'table-row': ({
      'table:visibility': visibility = '',
      'table:number-rows-repeated': count,
    }: Attributes) => {
      const isHidden = /collapse|filter/.test(visibility)
      row = { number: row.number + row.count, count: toCount(count), cells: [], isHidden }
    },
    'table-cell': beginCell,
    'covered-table-cell': beginCell,
    annotation: () => {
      beforeComment = cell.text
    },
    p: () => {
      isInText = true
      addText('\n')
    },
    s: ({ 'text:c': count }: Attributes) => addText(repeat(' ', toCount(count)).join('')),
    tab: () => addText('\t'),
    'line-break': () => addText('\n'),
  }
  walkXml(xml, open, close, (text) => isInText && addText(text))
  return sheets.filter(({ rows }) => rows.length > 0)
}
