import { isErrorText } from '../cell-text.ts'
import { type Cell, forEachColumn, SheetCollector, type SheetLimits, type WorkbookSheet } from './sheets.ts'
import { type Attributes, decodeAttribute, stop, walkXml } from './walk-xml.ts'

const toCount = (repeat = '1') => Math.max(1, Number(repeat) || 1)
/** What is above a cell, and holds text of its own. */
const floating = new Set(['annotation', 'frame', 'custom-shape', 'shapes'])

const isHidden = ({ 'table:visibility': visibility = '' }: Attributes) => /collapse|filter/.test(visibility)

const maxSpaces = 10_000

/** Collects the text of a cell, its paragraphs as lines, without what is above the cell. */
function createCellText({ isStruck, isRaised }: Styles, onComment: () => void) {
  const cell = { text: '', paragraphs: 0, attributes: {} as Attributes, isStruck: false, isRaised: false }
  const depth = { text: 0, floating: 0 }
  const add = (text: string) => {
    if (depth.text > 0 && depth.floating === 0) cell.text += text
  }
  const beginCell = (attributes: Attributes) =>
    Object.assign(cell, { text: '', paragraphs: 0, attributes, isStruck: false, isRaised: false })
  const addStyle = ({ 'text:style-name': style }: Attributes) => {
    if (depth.floating > 0) return
    cell.isStruck ||= isStruck(style)
    cell.isRaised ||= isRaised(style)
  }
  const beginParagraph = (attributes: Attributes) => {
    addStyle(attributes)
    depth.text++
    if (depth.floating === 0 && cell.paragraphs++ > 0) add('\n')
  }
  const open = {
    ...Object.fromEntries([...floating].map((name) => [name, () => depth.floating++])),
    annotation: () => {
      depth.floating++
      onComment()
    },
    'table-cell': beginCell,
    'covered-table-cell': beginCell,
    p: beginParagraph,
    h: beginParagraph,
    span: addStyle,
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

interface Style {
  parent: string | undefined
  /** Undefined if it is that of the parent. */
  isStruck: boolean | undefined
  isRaised: boolean
  /** Those that a condition puts in its place. */
  others: string[]
}

const maxAncestors = 20

type Styles = ReturnType<typeof createStyles>

/** Collects the styles by which a text is struck out, or raised as the number of a footnote. */
function createStyles() {
  const styles = new Map<string, Style>()
  let current: Style | undefined
  const open = {
    style: (attributes: Attributes) => {
      const { 'style:name': name = '', 'style:parent-style-name': parent } = attributes
      current = { parent, isStruck: undefined, isRaised: false, others: [] }
      styles.set(name, current)
    },
    'default-style': () => {
      current = undefined
    },
    'text-properties': (attributes: Attributes) => {
      const { 'style:text-line-through-type': type, 'style:text-position': position = '' } = attributes
      // LibreOffice may write the type of the line alone.
      const { 'style:text-line-through-style': line = type } = attributes
      if (!current) return
      if (line !== undefined) current.isStruck = line !== 'none'
      current.isRaised ||= /^(super|[1-9])/.test(position)
    },
    map: ({ 'style:apply-style-name': other }: Attributes) => {
      if (other !== undefined) current?.others.push(other)
    },
  }
  function isStruck(name: string | undefined, depth = 0): boolean {
    const style = styles.get(name ?? '')
    if (!style || depth > maxAncestors) return false
    return style.isStruck ?? isStruck(style.parent, depth + 1)
  }
  return {
    open,
    /** Whether a text of this style is struck out, perhaps under a condition. */
    isStruck: (name: string | undefined) =>
      isStruck(name) || (styles.get(name ?? '')?.others.some((other) => isStruck(other)) ?? false),
    isRaised: (name: string | undefined) => styles.get(name ?? '')?.isRaised === true,
  }
}

function createColumns() {
  const hidden = new Set<number>()
  /** Those of cells that have none. */
  const styles: (string | undefined)[] = []
  let total = 0
  function add(attributes: Attributes) {
    const first = total
    total += toCount(attributes['table:number-columns-repeated'])
    forEachColumn(first, total - 1, (column) => {
      if (isHidden(attributes)) hidden.add(column)
      styles[column] = attributes['table:default-cell-style-name']
    })
  }
  return { hidden, styles, add }
}

/** Reads the sheets of an OpenDocument spreadsheet that have rows: each cell with the text that the program shows. */
export function readOds(xml: string, limits: SheetLimits, sharedStyles = ''): WorkbookSheet[] {
  const collector = new SheetCollector(limits)
  const styles = createStyles()
  walkXml(sharedStyles, styles.open)
  const { cell, ...text } = createCellText(styles, () => collector.markSheet({ hasComments: true }))
  const hiddenStyles = new Set<string>()
  let style = ''
  let columns = createColumns()
  let row = { number: 0, count: 1, column: 0, isFull: false, style: undefined as string | undefined }

  function endCell(isCovered: boolean) {
    const { text, paragraphs, attributes } = cell
    const count = toCount(attributes['table:number-columns-repeated'])
    const look = attributes['table:style-name'] ?? row.style ?? columns.styles[row.column]
    const isStruck = cell.isStruck || styles.isStruck(look)
    // What a merged cell covers is not shown.
    if (!isCovered)
      collector.addCell(row.column, { ...toCell(text, paragraphs, attributes), isStruck }, count)
    if (cell.isRaised) collector.markSheet({ mayHaveOtherText: true })
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
    ...styles.open,
    style: (attributes: Attributes) => {
      style = attributes['style:name'] ?? ''
      styles.open.style(attributes)
    },
    condition: ({ 'calcext:apply-style-name': other }: Attributes) =>
      styles.isStruck(other) && collector.markSheet({ hasStruckText: true }),
    'table-properties': ({ 'table:display': display }: Attributes) =>
      display === 'false' && hiddenStyles.add(style),
    table: ({ 'table:name': name = '', 'table:style-name': tableStyle = '' }: Attributes) => {
      columns = createColumns()
      collector.addSheet(decodeAttribute(name), hiddenStyles.has(tableStyle), columns.hidden)
      row = { number: 1, count: 0, column: 0, isFull: false, style: undefined }
    },
    'table-column': (attributes: Attributes) => columns.add(attributes),
    'table-row': (attributes: Attributes) => {
      const count = toCount(attributes['table:number-rows-repeated'])
      const { 'table:default-cell-style-name': look } = attributes
      row = { ...row, number: row.number + row.count, count, column: 0, style: look }
      collector.beginRow(row.number, isHidden(attributes))
    },
  }
  walkXml(xml, open, close, text.add)
  return collector.finish()
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
