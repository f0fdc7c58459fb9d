import { maxColumns, type WorkbookRow, type WorkbookSheet } from './read-workbook.ts'
import { type Attributes, decodeAttribute, walkXml } from './walk-xml.ts'

/** The parts of an OpenDocument spreadsheet that are read. */
export const odsParts = /^(content|META-INF\/manifest)\.xml$/

/** Whether an OpenDocument spreadsheet is encrypted with a password. */
export const isLockedOds = (files: ReadonlyMap<string, string>) =>
  /encryption-data/.test(files.get('META-INF/manifest.xml') ?? '')

const toCount = (repeat = '1') => Number(repeat) || 1
const repeat = (text: string, count: number) => Array<string>(Math.min(count, maxColumns)).fill(text)

/** Reads the sheets of an OpenDocument spreadsheet that have rows: each cell with the text that the program shows. */
export function readOds(xml: string, maxRows: number, onProgress: (progress: number) => void) {
  const sheets: WorkbookSheet[] = []
  let row: WorkbookRow = { number: 0, cells: [], isHidden: false }
  let rowCount = 1
  let cell = { text: '', count: 1 }
  let blankCount = 0
  let isInText = false
  let isInComment = false
  const addText = (text: string) => {
    if (!isInComment) cell.text += text
  }

  function beginCell(attributes: Attributes) {
    cell = { text: '', count: toCount(attributes['table:number-columns-repeated']) }
  }

  function endCell() {
    const text = cell.text.slice(1)
    if (text === '') {
      blankCount += cell.count
      return
    }
    const cells = [...repeat('', blankCount), ...repeat(text, cell.count)]
    row.cells.push(...cells.slice(0, maxColumns - row.cells.length))
    blankCount = 0
  }

  function endRow() {
    const sheet = sheets.at(-1)
    const isEmpty = row.cells.every((text) => text.trim() === '')
    for (let i = 0; sheet && !isEmpty && !sheet.isTruncated && i < rowCount; i++) {
      if (sheet.rows.length === maxRows) sheet.isTruncated = true
      else sheet.rows.push({ ...row, number: row.number + i })
      if (sheet.rows.length % 2_000 === 0) onProgress(sheet.rows.length / maxRows)
    }
    row.number += rowCount - 1
  }

  walkXml(
    xml,
    {
      table: (attributes) => {
        const name = decodeAttribute(attributes['table:name'] ?? '')
        sheets.push({ name, rows: [], isTruncated: false })
        row.number = 0
      },
      'table-row': (attributes) => {
        const isHidden = /collapse|filter/.test(attributes['table:visibility'] ?? '')
        row = { number: row.number + 1, cells: [], isHidden }
        rowCount = toCount(attributes['table:number-rows-repeated'])
        blankCount = 0
      },
      'table-cell': beginCell,
      'covered-table-cell': beginCell,
      annotation: () => {
        isInComment = true
      },
      p: () => {
        isInText = true
        addText('\n')
      },
      s: (attributes) => addText(repeat(' ', toCount(attributes['text:c'])).join('')),
      tab: () => addText('\t'),
      'line-break': () => addText('\n'),
    },
    (text) => isInText && addText(text),
    (name) => {
      if (name === 'p') isInText = false
      else if (name === 'annotation') isInComment = false
      else if (name.endsWith('table-cell')) endCell()
      else if (name === 'table-row') endRow()
    },
  )
  return sheets.filter(({ rows }) => rows.length > 0)
}
