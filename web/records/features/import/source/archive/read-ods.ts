import { isErrorText } from '../cell-text.ts'
import { type Cell, forEachColumn, SheetCollector, type SheetLimits, type WorkbookSheet } from './sheets.ts'
import { type Attributes, decodeAttribute, stop, walkXml } from './walk-xml.ts'

const toCount = (repeat = '1') => Math.max(1, Number(repeat) || 1)
/** What is above a cell, and holds text of its own. */
const floating = new Set(['annotation', 'frame', 'custom-shape', 'shapes'])

const isHidden = ({ 'table:visibility': visibility = '' }: Attributes) => /collapse|filter/.test(visibility)

const maxSpaces = 10_000

/** Collects the text of a cell, its paragraphs as lines, without what is above the cell. */
function createCellText() {
  const cell = { text: '', paragraphs: 0, attributes: {} as Attributes }
  const depth = { text: 0, floating: 0 }
  const add = (text: string) => {
    if (depth.text > 0 && depth.floating === 0) cell.text += text
  }
  const beginCell = (attributes: Attributes) => Object.assign(cell, { text: '', paragraphs: 0, attributes })
  const beginParagraph = () => {
    depth.text++
    if (depth.floating === 0 && cell.paragraphs++ > 0) add('\n')
  }
  const open = {
    ...Object.fromEntries([...floating].map((name) => [name, () => depth.floating++])),
    'table-cell': beginCell,
    'covered-table-cell': beginCell,
    p: beginParagraph,
    h: beginParagraph,
    s: ({ 'text:c': count }: Attributes) => add(' '.repeat(Math.min(toCount(count), maxSpaces))),
    tab: () => add('\t'),
    'line-break': () => add('\n'),
  }
  function close(name: string) {
    if (name === 'p' || name === 'h') depth.text--
    else if (floating.has(name)) depth.floating--
  }
  return { cell, open, close, add }
}

/** Finds whether a part of a text is struck out, or raised as the number of a footnote. */
function createMarks() {
  const styles = new Set<string>()
  let [current, areUsed] = ['', false]
  const open = {
    'text-properties': (attributes: Attributes) => {
      const { 'style:text-line-through-type': type = 'none', 'style:text-position': position = '' } =
        attributes
      // LibreOffice may write the type of the line alone.
      const { 'style:text-line-through-style': line = type } = attributes
      if (line !== 'none' || /^(super|[1-9])/.test(position)) styles.add(current)
    },
    span: ({ 'text:style-name': name = '' }: Attributes) => {
      areUsed ||= styles.has(name)
    },
  }
  const beginStyle = (name: string) => {
    current = name
  }
  return { open, beginStyle, areUsed: () => areUsed }
}

/** Reads the sheets of an OpenDocument spreadsheet that have rows: each cell with the text that the program shows. */
export function readOds(xml: string, limits: SheetLimits): WorkbookSheet[] {
  const collector = new SheetCollector(limits)
  const { cell, ...text } = createCellText()
  const hiddenStyles = new Set<string>()
  const marks = createMarks()
  let style = ''
  let hiddenColumns = new Set<number>()
  let columnCount = 0
  let row = { number: 0, count: 1, column: 0, isFull: false }

  function endCell(isCovered: boolean) {
    const count = toCount(cell.attributes['table:number-columns-repeated'])
    // What a merged cell covers is not shown.
    if (!isCovered) collector.addCell(row.column, toCell(cell.text, cell.paragraphs, cell.attributes), count)
    row.column += count
  }

  function close(name: string) {
    text.close(name)
    if (name.endsWith('table-cell')) endCell(name.startsWith('covered'))
    else if (name === 'table-row' && !row.isFull) row.isFull = !collector.endRow(row.count)
    return name === 'spreadsheet' ? stop : undefined
  }

  const open = {
    ...text.open,
    ...marks.open,
    style: (attributes: Attributes) => {
      style = attributes['style:name'] ?? ''
      marks.beginStyle(style)
    },
    'table-properties': ({ 'table:display': display }: Attributes) =>
      display === 'false' && hiddenStyles.add(style),
    table: ({ 'table:name': name = '', 'table:style-name': tableStyle = '' }: Attributes) => {
      hiddenColumns = new Set()
      columnCount = 0
      collector.addSheet(decodeAttribute(name), hiddenStyles.has(tableStyle), hiddenColumns)
      row = { number: 1, count: 0, column: 0, isFull: false }
    },
    'table-column': (attributes: Attributes) => {
      const count = toCount(attributes['table:number-columns-repeated'])
      if (isHidden(attributes))
        forEachColumn(columnCount, columnCount + count - 1, (column) => hiddenColumns.add(column))
      columnCount += count
    },
    'table-row': (attributes: Attributes) => {
      const count = toCount(attributes['table:number-rows-repeated'])
      row = { ...row, number: row.number + row.count, count, column: 0 }
      collector.beginRow(row.number, isHidden(attributes))
    },
  }
  walkXml(xml, open, close, text.add)
  return collector.finish().map((sheet) => ({ ...sheet, mayHaveOtherText: marks.areUsed() }))
}

/** A cell whose text is not in the file has only its value, whose form depends on a style. */
function toCell(text: string, paragraphCount: number, attributes: Attributes): Cell {
  const find = (name: string) => attributes[`calcext:${name}`] ?? attributes[`office:${name}`]
  const isFormula = attributes['table:formula'] !== undefined
  if (find('value-type') === 'error' || (isFormula && isErrorText(text))) return { text: '', hasFailed: true }
  if (paragraphCount > 0) return { text }
  const string = find('string-value')
  if (string !== undefined) return { text: decodeAttribute(string) }
  const value = find('value') ?? find('date-value') ?? find('time-value') ?? find('boolean-value')
  if (value !== undefined) return { text: value, isLocal: true }
  return isFormula ? { text: '', hasFailed: true } : { text: '' }
}
