import { findConstant, isErrorText } from '../cell-text.ts'
import { SheetCollector, type SheetLimits, type WorkbookSheet } from './sheets.ts'

interface WebCell {
  text: string
  columns: number
  rows: number
}
interface WebTable {
  caption: string
  rows: { cells: WebCell[]; isHidden: boolean }[]
  /** What is being read. */
  cell: WebCell | null
  isInCaption: boolean
}

/** Elements whose content is no text. */
const skipped = new Set(['script', 'style', 'noscript', 'template', 'select', 'textarea', 'title'])
const blocks = new Set(['br', 'p', 'div', 'li'])

/** Reads the tables of a web page that have rows, in the order in which they end. */
export function readWebTables(html: string, limits: SheetLimits): WorkbookSheet[] {
  const tables: WebTable[] = []
  const open: WebTable[] = []
  const addText = (text: string) => {
    const table = open.at(-1)
    if (table?.cell) table.cell.text += text
    else if (table?.isInCaption) table.caption += text
  }

  function openTag(name: string, tag: string) {
    const table = open.at(-1)
    if (name === 'table') open.push({ caption: '', rows: [], cell: null, isInCaption: false })
    if (!table) return
    if (name === 'caption') table.isInCaption = true
    else if (name === 'tr') {
      table.cell = null
      table.rows.push({ cells: [], isHidden: isHidden(tag) })
    } else if (name === 'td' || name === 'th') {
      const cell = { text: '', columns: readSpan(tag, 'colspan'), rows: readSpan(tag, 'rowspan') }
      if (table.rows.length === 0) table.rows.push({ cells: [], isHidden: false })
      table.rows.at(-1)?.cells.push(cell)
      // What is not shown is no text.
      table.cell = isHidden(tag) ? null : cell
    } else if (blocks.has(name)) addText('\n')
  }

  function closeTag(name: string) {
    const table = open.at(-1)
    if (!table) return
    if (name === 'td' || name === 'th' || name === 'tr') table.cell = null
    else if (name === 'caption') table.isInCaption = false
    else if (name === 'p' || name === 'div') addText('\n')
    else if (name === 'table') tables.push(...open.splice(-1))
  }

  walkTags(html, openTag, closeTag, addText)
  tables.push(...open.toReversed())
  const collector = new SheetCollector(limits)
  for (const [i, table] of tables.entries()) collectTable(table, `${i + 1}`, collector)
  return collector.finish()
}

const isHidden = (tag: string) => /display\s*:\s*none/i.test(tag)

const maxSpan = 256

function readSpan(tag: string, name: string): number {
  const at = tag.toLowerCase().indexOf(`${name}=`)
  const span = at === -1 ? 1 : Number.parseInt(tag.slice(at + name.length + 1).replace(/^["']/, ''), 10)
  return Math.min(maxSpan, Math.max(1, span || 1))
}

/** Calls a function for each tag, and for the text between them. Works in one pass, whatever is in the text. */
function walkTags(
  html: string,
  onOpen: (name: string, tag: string) => void,
  onClose: (name: string) => void,
  onText: (text: string) => void,
) {
  const lower = html.toLowerCase()
  let at = 0
  while (at < html.length) {
    const start = html.indexOf('<', at)
    onText(decodeEntities(html.slice(at, start === -1 ? undefined : start).replace(/[ \t\r\n\f]+/g, ' ')))
    if (start === -1) return
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start)
      if (end === -1) return
      at = end + 3
      continue
    }
    const end = html.indexOf('>', start)
    if (end === -1) return
    const tag = html.slice(start + 1, end)
    const [, slash, name = ''] = /^(\/?)([a-z][a-z\d]{0,20})/i.exec(tag) ?? []
    const element = name.toLowerCase()
    at = end + 1
    if (element === '' && !/^[!?/]/.test(tag)) {
      // A lone sign is text.
      onText('<')
      at = start + 1
    } else if (slash) onClose(element)
    else if (skipped.has(element)) {
      const close = lower.indexOf(`</${element}`, at)
      if (close === -1) return
      at = close
    } else onOpen(element, tag)
  }
}

function collectTable({ caption, rows }: WebTable, name: string, collector: SheetCollector) {
  collector.addSheet(caption.trim() || name, false)
  /** In how many more rows a cell from above covers each column. */
  let covered: number[] = []
  for (const [i, row] of rows.entries()) {
    collector.beginRow(i + 1, row.isHidden)
    const next = covered.map((count) => Math.max(0, count - 1))
    let column = 0
    for (const cell of row.cells) {
      while ((covered[column] ?? 0) > 0) column++
      collector.addCell(column, toCell(cell.text))
      for (let j = 0; j < cell.columns && column + j < maxSpan; j++) next[column + j] = cell.rows - 1
      column += cell.columns
    }
    covered = next
    if (!collector.endRow()) return
  }
}

function toCell(raw: string) {
  const text = raw
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/^[ \n]+/, '')
    .trimEnd()
  if (isErrorText(text)) return { text: '', hasFailed: true }
  return {
    text: (text.startsWith('=') ? findConstant(text.slice(1)) : undefined) ?? text.replace(/^\u00a0+$/, ''),
  }
}

/** The names of the characters from U+00A0, and of some others. */
const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const entities = new Map([
  ...latinNames.split(' ').map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€', ndash: '–', mdash: '—' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…', bull: '•', OElig: 'Œ' }),
  ...Object.entries({
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
    Zcaron: 'Ž',
    zcaron: 'ž',
    Yuml: 'Ÿ',
    commat: '@',
  }),
])

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,10}));/gi, (entity, decimal, hex, name) => {
    if (name) return entities.get(name) ?? entity
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}
