import { isErrorText } from '../cell-text.ts'
import { createFormatter, localDate, localDateTime, toSerialDate } from './format-cell.ts'
import { type Cell, forEachColumn, SheetCollector, type SheetLimits, type WorkbookSheet } from './sheets.ts'
import { type Attributes, decodeAttribute, walkXml } from './walk-xml.ts'

/** The codes of the formats that have a name. */
const namedCodes = new Map(
  Object.entries({
    'General Date': localDateTime,
    'Long Date': localDate,
    'Short Date': localDate,
    'Medium Date': 'd-mmm-yy',
    'Long Time': 'h:mm:ss',
    'Medium Time': 'h:mm AM/PM',
    'Short Time': 'h:mm',
    'General Number': '',
    Fixed: '0.00',
    Standard: '#,##0.00',
    Currency: '$#,##0.00',
    'Euro Currency': '[$€-2]#,##0.00',
    Percent: '0.00%',
    Scientific: '0.00E+00',
  }),
)

/** An attribute, which most writers prefix. */
const find = (attributes: Attributes, name: string) => attributes[`ss:${name}`] ?? attributes[name]

interface Row {
  number: number
  column: number
  style: string | undefined
}

interface XmlCell {
  attributes: Attributes
  type: string
  text: string
}

interface Columns {
  next: number
  hidden: Set<number>
  styles: Map<number, string>
}

function addColumn(columns: Columns, attributes: Attributes) {
  const start = Number(find(attributes, 'Index') ?? columns.next + 1) - 1
  const end = start + Number(find(attributes, 'Span') ?? 0)
  forEachColumn(start, end, (column) => {
    if (find(attributes, 'Hidden') === '1') columns.hidden.add(column)
    columns.styles.set(column, find(attributes, 'StyleID') ?? '')
  })
  columns.next = end + 1
}

/** Collects the format codes of the styles, and those that strike the text out. */
function collectStyles(codes: Map<string, string>, struck: Set<string>) {
  let style = ''
  return {
    Style: (attributes: Attributes) => {
      style = find(attributes, 'ID') ?? ''
      if (struck.has(find(attributes, 'Parent') ?? '')) struck.add(style)
    },
    // In a text it stands for the look of a part.
    Font: (attributes: Attributes) => {
      if (find(attributes, 'StrikeThrough') === '1') struck.add(style)
    },
    NumberFormat: (attributes: Attributes) => {
      const code = decodeAttribute(find(attributes, 'Format') ?? '')
      codes.set(style, namedCodes.get(code) ?? code)
    },
  }
}

function toCell(
  { attributes, type, text }: XmlCell,
  code: string,
  { number, text: formatText }: ReturnType<typeof createFormatter>,
): Cell {
  const isFormula = find(attributes, 'Formula') !== undefined
  if (type === 'Error' || (isFormula && (type === '' || isErrorText(text))))
    return { text: '', hasFailed: true }
  if (type === 'Number') return number(text.trim(), code)
  if (type === 'DateTime') return number(toSerialDate(text.trim()), code || localDate)
  if (type === 'Boolean') return { text: text.trim() === '1' ? 'TRUE' : 'FALSE', isLocal: true }
  return formatText(text.replace(/\r\n?/g, '\n'), code)
}

/** Reads the sheets of a workbook in the XML of Excel 2003 that have rows. */
export function readXmlSheets(xml: string, language: string, limits: SheetLimits): WorkbookSheet[] {
  const collector = new SheetCollector(limits)
  const codes = new Map<string, string>()
  const struck = new Set<string>()
  const formatter = createFormatter(language, /<(x:)?Date1904\s*\/>/.test(xml))
  let columns: Columns = { next: 0, hidden: new Set(), styles: new Map() }
  let row: Row = { number: 0, column: -1, style: undefined }
  let cell: XmlCell = { attributes: {}, type: '', text: '' }
  let isInData = false
  let isFull = false

  function endCell() {
    const own = find(cell.attributes, 'StyleID') ?? row.style ?? columns.styles.get(row.column) ?? ''
    const value = toCell(cell, codes.get(own) ?? '', formatter)
    collector.addCell(row.column, { ...value, isStruck: struck.has(own) })
    row.column += Math.max(0, Number(find(cell.attributes, 'MergeAcross') ?? 0))
  }

  const open = {
    ...collectStyles(codes, struck),
    Worksheet: (attributes: Attributes) => {
      columns = { next: 0, hidden: new Set(), styles: new Map() }
      collector.addSheet(decodeAttribute(find(attributes, 'Name') ?? ''), false, columns.hidden)
      row = { number: 0, column: -1, style: undefined }
      isFull = false
    },
    Column: (attributes: Attributes) => addColumn(columns, attributes),
    Row: (attributes: Attributes) => {
      const number = Number(find(attributes, 'Index') ?? row.number + 1)
      row = { number, column: -1, style: find(attributes, 'StyleID') }
      collector.beginRow(number, find(attributes, 'Hidden') === '1')
    },
    Cell: (attributes: Attributes) => {
      row.column = Number(find(attributes, 'Index') ?? row.column + 2) - 1
      cell = { attributes, type: '', text: '' }
    },
    Data: (attributes: Attributes) => {
      // A comment has text of its own.
      isInData = cell.type === ''
      if (isInData) cell.type = find(attributes, 'Type') ?? 'String'
    },
    Comment: () => collector.markSheet({ hasComments: true }),
    S: () => isInData && collector.markSheet({ hasStruckText: true }),
    Sup: () => isInData && collector.markSheet({ mayHaveOtherText: true }),
    // What a condition makes of a cell.
    Format: (attributes: Attributes) =>
      /line-through/.test(find(attributes, 'Style') ?? '') && collector.markSheet({ hasStruckText: true }),
  }
  const close = (name: string, text: string) => {
    if (name === 'Data') isInData = false
    else if (name === 'Cell') endCell()
    else if (name === 'Row' && !isFull) isFull = !collector.endRow()
    else if (name === 'Visible' && /hidden/i.test(text)) collector.markSheet({ isHidden: true })
  }
  walkXml(xml, open, close, (text) => {
    if (isInData) cell.text += text
  })
  return collector.finish()
}
