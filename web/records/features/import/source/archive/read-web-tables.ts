import { isErrorText } from '../cell-text.ts'
import { maxColumns } from '../sheet.ts'
import { createTooBigError } from './open-zip.ts'
import { SheetCollector, type SheetLimits, type WorkbookSheet } from './sheets.ts'

interface WebCell {
  text: string
  /** Whether the text is not white space alone. */
  isFilled: boolean
  /** The text on buttons, such as "Copy", which is the cell's only where there is no other. */
  buttonText: string
  /** The emails that links in it write to. */
  emails: Set<string>
  columns: number
  rows: number
  isStruck: boolean
  /** How many parts of its text have a look of their own, and whether others have none. */
  partCount: number
  hasPlainText: boolean
}
interface WebTable {
  caption: string
  rows: { cells: WebCell[]; isHidden: boolean }[]
  /** What is being read. */
  cell: WebCell | null
  isInCaption: boolean
  isHidden: boolean
  isGroupHidden: boolean
  /** What of the cell nobody sees, or is a button, or keeps its line breaks: until the element ends. */
  concealed: OpenElement | null
  button: OpenElement | null
  preformatted: OpenElement | null
  /** A part of the cell with a look of its own, such as a badge. */
  part: OpenElement | null
  isPartEmpty: boolean
  /** The link that is open behind other text of its cell. */
  link: string | null
  mayHaveOtherText: boolean
  isStruck: boolean
  isRowStruck: boolean
}

/** An element that is open, and how many of its name are, in one another. */
interface OpenElement {
  name: string
  count: number
}

/** Elements whose content is no text, with what ends them. */
const skipped = new Map(
  ['script', 'style', 'noscript', 'template', 'select', 'textarea', 'title'].map((name) => [
    name,
    new RegExp(`</${name}`, 'gi'),
  ]),
)
const blocks = new Set('p div li ul ol dl dt dd pre blockquote section article h1 h2 h3 h4 h5 h6'.split(' '))
const emptyElements = new Set('br img input hr wbr col embed source'.split(' '))

/** Stands between two blocks, which are on lines of their own. */
const blockBreak = '\v'

const counted = new Set(['table', 'tr', 'td', 'th'])

/** The limit on tables, rows and cells, which take a hundred bytes each. */
const maxElements = 2_000_000

/** Tables that are nested deeper are part of the one around them. */
const maxDepth = 100

/** Reads the tables of a web page that have rows, in the order in which they end. */
export function readWebTables(html: string, limits: SheetLimits): WorkbookSheet[] {
  const tables: WebTable[] = []
  const open: WebTable[] = []
  /** An element around tables that nobody sees. */
  let outer: OpenElement | null = null
  let isSpaceRun = false
  const addText = (raw: string) => {
    const table = open.at(-1)
    if (!table) return
    const shown = decodeEntities(table.preformatted ? raw.replace(/\r\n?/g, '\n') : markLayout(raw))
    addShownText(table, isSpaceRun ? shown.replaceAll('\u00a0', ' ') : shown)
  }

  const isStruck = createStruckFinder(html)
  let count = 0
  let tooDeepCount = 0
  function openTag(name: string, tag: string) {
    if (counted.has(name) && ++count > maxElements) throw createTooBigError()
    const table = open.at(-1)
    // Excel writes spaces beside each other as those of the web.
    if (name === 'span') isSpaceRun = tag.includes('mso-spacerun')
    if (!table && name !== 'table') outer = openElement(outer, name, isHidden(tag))
    if (name === 'table' && open.length === maxDepth) tooDeepCount++
    else if (name === 'table') {
      const isConcealed = outer !== null || isHidden(tag) || (table?.concealed ?? null) !== null
      open.push(createTable(isConcealed, isStruck(name, tag)))
    }
    if (!table) return
    if (name === 'caption') table.isInCaption = true
    else if (rowGroups.has(name)) table.isGroupHidden = isHidden(tag)
    else if (name === 'tr') {
      endCell(table)
      table.rows.push({ cells: [], isHidden: table.isGroupHidden || isHidden(tag) })
      table.isRowStruck = isStruck(name, tag)
    } else if (name === 'td' || name === 'th') beginCell(table, tag, isStruck(name, tag))
    else if (table.cell) openInCell(table, table.cell, name, tag, isStruck(name, tag))
  }

  function closeTag(name: string) {
    const table = open.at(-1)
    if (name === 'span') isSpaceRun = false
    if (!table) {
      outer = closeElement(outer, name)
      return
    }
    if (name === 'td' || name === 'th' || name === 'tr') endCell(table)
    else if (name === 'caption') table.isInCaption = false
    else if (rowGroups.has(name)) table.isGroupHidden = false
    else if (name === 'table' && tooDeepCount > 0) tooDeepCount--
    else if (name === 'table') tables.push(...open.splice(-1).filter(({ rows }) => rows.length > 0))
    else closeInCell(table, name)
  }

  walkTags(html, openTag, closeTag, addText)
  tables.push(...open.toReversed())
  const collector = new SheetCollector(limits)
  for (const [i, table] of tables.entries()) collectTable(table, `${i + 1}`, collector)
  return collector.finish()
}

const rowGroups = new Set(['thead', 'tbody', 'tfoot'])

const createTable = (isHidden: boolean, isStruck: boolean): WebTable => ({
  caption: '',
  rows: [],
  cell: null,
  isInCaption: false,
  isHidden,
  isGroupHidden: false,
  concealed: null,
  button: null,
  preformatted: null,
  part: null,
  isPartEmpty: true,
  link: null,
  mayHaveOtherText: false,
  isStruck,
  isRowStruck: false,
})

function openElement(open: OpenElement | null, name: string, isOne: boolean): OpenElement | null {
  if (open) return open.name === name ? { name, count: open.count + 1 } : open
  return isOne && !emptyElements.has(name) ? { name, count: 1 } : null
}

function closeElement(open: OpenElement | null, name: string): OpenElement | null {
  if (open?.name !== name) return open
  return open.count > 1 ? { name, count: open.count - 1 } : null
}

function beginCell(table: WebTable, tag: string, isStruck: boolean) {
  endCell(table)
  const cell = {
    text: '',
    isFilled: false,
    buttonText: '',
    emails: new Set<string>(),
    columns: readSpan(tag, 'colspan'),
    rows: readSpan(tag, 'rowspan'),
    isStruck: isStruck || table.isRowStruck || table.isStruck,
    partCount: 0,
    hasPlainText: false,
  }
  if (table.rows.length === 0) table.rows.push({ cells: [], isHidden: table.isGroupHidden })
  const row = table.rows.at(-1)
  // One more than is read: that there are more is told.
  if (row && row.cells.length <= maxColumns) row.cells.push(cell)
  // What is not shown is no text.
  table.cell = isHidden(tag) ? null : cell
}

function endCell(table: WebTable) {
  table.cell = null
  table.concealed = null
  table.button = null
  table.preformatted = null
  table.part = null
  table.link = null
}

/** What is around a text, and no part of it: how it is read aloud, signs that are letters in the source. */
const isAside = (name: string, start: string) =>
  name === 'rt' || name === 'rp' || /\sclass\s*=\s*["']?[^"'>]{0,100}material-(?:icons|symbols)/i.test(start)

/** What is to be pressed, or shown above the text. */
const isButton = (name: string, start: string) =>
  name === 'button' || name === 'summary' || /\srole\s*=\s*["']?(?:button|tooltip)\b/i.test(start)

const inlineElements = new Set('span i em b strong small label font code kbd mark abbr bdi u'.split(' '))

/** Word marks what it does not know in names. */
const hasOwnLook = (name: string, start: string) =>
  inlineElements.has(name) && /\sclass\s*=/i.test(start) && !/\bclass\s*=\s*["']?(?:SpellE|GramE)/.test(start)

/** Elements of text that is struck out. */
const struckElements = new Set(['s', 'strike', 'del'])

/** Returns what finds whether an element strikes its text out, by itself, its style, or a class of the page's style sheets. */
function createStruckFinder(html: string): (name: string, tag: string) => boolean {
  const classes = findStruckClasses(html)
  return (name, tag) => {
    const start = tag.slice(0, maxTagLength)
    if (struckElements.has(name) || /line-through/i.test(start)) return true
    if (classes.size === 0) return false
    const [, double, single, bare = ''] =
      /\sclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s>]+))/i.exec(start) ?? []
    return (double ?? single ?? bare).split(/\s+/).some((name) => classes.has(name))
  }
}

/** The classes in the selectors of rules that strike text out. */
function findStruckClasses(html: string): Set<string> {
  const classes = new Set<string>()
  const sheetStart = /<style/gi
  const sheetEnd = /<\/style/gi
  while (sheetStart.test(html)) {
    sheetEnd.lastIndex = sheetStart.lastIndex
    const end = sheetEnd.exec(html)?.index
    if (end === undefined) break
    for (const rule of html.slice(sheetStart.lastIndex, end).split('}')) {
      const [selectors = '', properties = ''] = rule.split('{')
      if (!/line-through/i.test(properties)) continue
      for (const [, name = ''] of selectors.matchAll(/\.([\w-]+)/g)) classes.add(name)
    }
    sheetStart.lastIndex = end
  }
  return classes
}

function openInCell(table: WebTable, cell: WebCell, name: string, tag: string, isStruck: boolean) {
  const start = tag.slice(0, maxTagLength)
  const isLikelyHidden = hidingClass.test(start)
  // The number of a footnote is raised.
  if (isLikelyHidden || name === 'sup') table.mayHaveOtherText = true
  cell.isStruck ||= isStruck
  table.concealed = openElement(
    table.concealed,
    name,
    isLikelyHidden || isHidden(tag) || isAside(name, start),
  )
  table.button = openElement(table.button, name, isButton(name, start))
  const isPart = table.part === null && hasOwnLook(name, start)
  table.part = openElement(table.part, name, isPart)
  if (isPart) table.isPartEmpty = true
  table.preformatted = openElement(table.preformatted, name, name === 'pre')
  if (name === 'br') addShownText(table, '\n')
  else if (blocks.has(name)) addShownText(table, blockBreak)
  else if (name === 'input' && !inputWithoutText.test(tag)) addShownText(table, readValue(tag))
  else if (name === 'a') {
    addEmail(cell, tag)
    table.link = !cell.isFilled || /mailto:/i.test(tag) ? null : tag
  }
}

function closeInCell(table: WebTable, name: string) {
  if (name === 'a') table.link = null
  if (blocks.has(name)) addShownText(table, blockBreak)
  table.concealed = closeElement(table.concealed, name)
  table.button = closeElement(table.button, name)
  table.part = closeElement(table.part, name)
  table.preformatted = closeElement(table.preformatted, name)
}

function addShownText(table: WebTable, text: string) {
  const { cell, link } = table
  if (table.concealed) return
  if (cell && table.button) cell.buttonText += text
  else if (cell) {
    cell.text += text
    const isFilled = /[^\s\f\v]/.test(text)
    cell.isFilled ||= isFilled
    if (isFilled) countPart(table, cell)
    // A link such as "Show" is no part of the text before it, but one that a program has made of the text is.
    if (link !== null && /\S/.test(text) && !link.includes(text.trim())) table.mayHaveOtherText = true
  } else if (table.isInCaption) table.caption += text
}

function countPart(table: WebTable, cell: WebCell) {
  if (!table.part) cell.hasPlainText = true
  else if (table.isPartEmpty) cell.partCount++
  table.isPartEmpty = false
  if (cell.partCount + Number(cell.hasPlainText) > 1) table.mayHaveOtherText = true
}

function readValue(tag: string): string {
  const [, double, single, bare] = /\svalue\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s]+))/i.exec(tag) ?? []
  return decodeEntities(double ?? single ?? bare ?? '')
}

/** A tag is examined up to this length: an attribute may be a picture. */
const maxTagLength = 500

const hidingClass =
  /\sclass\s*=\s*["']?(?:[^"'>]*\s)?(?:d-none|hidden|is-hidden|hide|sr-only|visually-hidden|screen-reader-text)(?=["'\s>]|$)/i

/** Inputs without a text that people see. */
const inputWithoutText =
  /\stype\s*=\s*["']?(?:hidden|checkbox|radio|button|submit|reset|image|file|color|range)/i

const isHidden = (tag: string) =>
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0(?![\d.])/i.test(
    tag,
  ) ||
  (/hidden/i.test(tag) && /\shidden(?=[\s=/]|$)/i.test(tag.replace(/"[^"]*"|'[^']*'/g, '""')))

/** Adds the email of a link to write to. */
function addEmail({ emails }: WebCell, tag: string) {
  const link = /\shref\s*=\s*["']?mailto:([^"'?\s>]{3,320})/i.exec(tag.slice(0, 2_000))?.[1] ?? ''
  try {
    const email = decodeURIComponent(decodeEntities(link))
    if (email.includes('@')) emails.add(email)
  } catch {
    // A percent sign that escapes nothing: no program has made this link.
  }
}

const maxSpan = 256

function readSpan(tag: string, name: string): number {
  const at = tag.toLowerCase().indexOf(`${name}=`)
  const span = at === -1 ? 1 : Number.parseInt(tag.slice(at + name.length + 1).replace(/^["']/, ''), 10)
  return Math.min(maxSpan, Math.max(1, span || 1))
}

/** Stands for the space that a line break in the source of a page is. Other spaces may be those of a text. */
const layoutSpace = '\f'

const markLayout = (text: string) =>
  text.replace(/[ \t\r\n\f]+/g, (run) => (/^ +$/.test(run) ? run : layoutSpace))

/** Calls a function for each tag, and for the text between them. Works in one pass, whatever is in the text. */
function walkTags(
  html: string,
  onOpen: (name: string, tag: string) => void,
  onClose: (name: string) => void,
  onText: (text: string) => void,
) {
  let at = 0
  while (at < html.length) {
    const start = html.indexOf('<', at)
    onText(html.slice(at, start === -1 ? undefined : start))
    if (start === -1) return
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start)
      if (end === -1) return
      at = end + 3
      continue
    }
    if (!/[a-z!?/]/i.test(html[start + 1] ?? '')) {
      // A lone sign is text. A search for the end of a tag would take quadratic time with many of them.
      onText('<')
      at = start + 1
      continue
    }
    const end = findTagEnd(html, start)
    if (end === -1) return
    const tag = html.slice(start + 1, end)
    const [, slash, name = ''] = /^(\/?)([a-z][a-z\d]{0,20})/i.exec(tag) ?? []
    const element = name.toLowerCase()
    at = end + 1
    const close = skipped.get(element)
    if (slash) onClose(element)
    else if (close) {
      // Not in a copy in lower case: V8 makes it again for each tag of a long page.
      close.lastIndex = at
      const found = close.exec(html)
      if (!found) return
      at = found.index
    } else onOpen(element, tag)
  }
}

/** The sign that ends a tag, which may be text in an attribute before it. */
function findTagEnd(html: string, start: number): number {
  const mark = /=\s*(["'])|>/g
  mark.lastIndex = start
  for (;;) {
    const found = mark.exec(html)
    if (!found?.[1]) return found?.index ?? -1
    const close = html.indexOf(found[1], mark.lastIndex)
    if (close !== -1) mark.lastIndex = close + 1
  }
}

interface PlacedCell {
  column: number
  text: string
  isStruck: boolean
}

function collectTable(table: WebTable, name: string, collector: SheetCollector) {
  const { caption, rows } = table
  const placed = rows.map(({ isHidden }) => ({ isHidden, cells: [] as PlacedCell[] }))
  /** In how many more rows a cell from above covers each column. */
  let covered: number[] = []
  for (const [i, row] of rows.entries()) {
    const next = covered.map((count) => Math.max(0, count - 1))
    let column = 0
    const shown = row.cells.find(({ text, emails }) => emails.size === 1 || text.includes('@'))
    for (const cell of row.cells) {
      while ((covered[column] ?? 0) > 0) column++
      const text = trimLayout(cell.text) || trimLayout(cell.buttonText)
      // Another one may be of somebody else.
      const [hidden] = cell === shown && !text.includes('@') ? cell.emails : []
      const shownText = hidden === undefined ? text : `${text} <${hidden}>`
      placed[i]?.cells.push({ column, text: shownText, isStruck: cell.isStruck })
      for (let j = 0; j < cell.columns && column + j < maxSpan; j++) next[column + j] = cell.rows - 1
      column += cell.columns
    }
    covered = next
  }
  const [before, behind] = [findPadding(placed, 'before'), findPadding(placed, 'behind')]
  const sheet = collector.addSheet(caption.trim() || name, table.isHidden)
  sheet.hasFormulasAsText = true
  sheet.mayHaveOtherText = table.mayHaveOtherText
  for (const [i, { isHidden, cells }] of placed.entries()) {
    collector.beginRow(i + 1, isHidden)
    for (const { column, text, isStruck } of cells) {
      const end = text.length - (behind.get(column) ?? 0)
      collector.addCell(column, { ...toCell(text.slice(before.get(column), end)), isStruck })
    }
    if (!collector.endRow()) return
  }
}

/** How many spaces all texts of each column begin or end with: they are the layout's. */
function findPadding(rows: readonly { cells: readonly PlacedCell[] }[], end: 'before' | 'behind') {
  const padding = new Map<number, number>()
  for (const { cells } of rows)
    for (const { column, text } of cells) {
      const [start, stop] = findEnds(text, ' ')
      const count = end === 'before' ? start : text.length - stop
      if (start < stop) padding.set(column, Math.min(padding.get(column) ?? Infinity, count))
    }
  return padding
}

/** Where a text begins and ends without these characters around it. Takes the same time for each of them, as expressions do not. */
function findEnds(text: string, characters: string): [start: number, stop: number] {
  let [start, stop] = [0, text.length]
  while (start < stop && characters.includes(text[start] ?? '')) start++
  while (stop > start && characters.includes(text[stop - 1] ?? '')) stop--
  return [start, stop]
}

/** The text of a cell without the space that is only in the source of the page, as around its line breaks. */
function trimLayout(raw: string): string {
  // A line break at the end of a block is not shown.
  const lines = raw.split(/\v+/).flatMap((block) => (isBlank(block) ? [] : splitBlock(block)))
  const [first, end] = findEnds(raw, ` ${layoutSpace}\n`)
  const [isBegunByBlock, isEndedByBlock] = [raw[first] === blockBreak, raw[end - 1] === blockBreak]
  const trim = (line: string, at: number) => {
    const [from, to] = findEnds(line, layoutSpace)
    const [start, stop] = findEnds(line, ` ${layoutSpace}`)
    const isLast = at === lines.length - 1
    return line.slice(at === 0 && !isBegunByBlock ? from : start, isLast && !isEndedByBlock ? to : stop)
  }
  const trimmed = lines.map(trim)
  const last = trimmed.findLastIndex(Boolean)
  return trimmed
    .slice(Math.max(0, trimmed.findIndex(Boolean)), last + 1)
    .join('\n')
    .replaceAll(layoutSpace, ' ')
}

const isBlank = (block: string) => block.replaceAll(layoutSpace, '') === ''

function splitBlock(block: string): string[] {
  const lines = block.split('\n')
  return isBlank(lines.at(-1) ?? '') ? lines.slice(0, -1) : lines
}

function toCell(text: string) {
  if (isErrorText(text)) return { text: '', hasFailed: true }
  return { text: text.replace(/^[\u00a0 ]+$/, '') }
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
