import { findConstant } from '../cell-text.ts'
import { createFormatter, findBuiltInCode, toSerialDate } from './format-cell.ts'
import { normalizePath, type Zip } from './open-zip.ts'
import {
  type Cell,
  forEachColumn,
  parseArea,
  SheetCollector,
  type SheetLimits,
  toColumnIndex,
  type WorkbookSheet,
} from './sheets.ts'
import { type Attributes, decodeAttribute, stop, walkXml } from './walk-xml.ts'

type Formatter = ReturnType<typeof createFormatter>

/** Reads the sheets of an .xlsx workbook (ECMA-376) that have rows. */
export function readWorkbook(zip: Zip, path: string, language: string, limits: SheetLimits): WorkbookSheet[] {
  const parts = readRelationships(zip, path)
  const { found, is1904, isUncomputed } = readSheetList(zip.read([path]).get(path) ?? '')
  const pathOf = (name: string) =>
    [...parts.values()].find(({ type }) => type.endsWith(`/${name}`))?.path ??
    `${folderOf(path)}${name.toLowerCase()}.xml`
  const [stringsPath, stylesPath] = [pathOf('sharedStrings'), pathOf('styles')]
  const sheetPaths = found.map(({ id }) => parts.get(id)?.path ?? '')
  const files = zip.read([stringsPath, stylesPath, ...sheetPaths])
  const texts = createTextDecoder()
  let mayHaveOtherText = false
  const onMark = () => {
    mayHaveOtherText = true
  }
  const reader = {
    strings: readSharedStrings(files.get(stringsPath) ?? '', texts.decodeText, onMark),
    onMark,
    decodeText: texts.decodeText,
    ...readStyles(files.get(stylesPath) ?? ''),
    formatter: createFormatter(language, is1904),
    isUncomputed,
  }
  const total = sheetPaths.reduce((sum, part) => sum + (files.get(part)?.length ?? 0), 1)
  let done = 0
  const onProgress = (progress: number) =>
    limits.onProgress(Math.min(1, done / total + progress / found.length))
  const collector = new SheetCollector({ ...limits, onProgress })
  const hasComments = createCommentFinder(zip, sheetPaths.length)
  const read = new Set<string>()
  for (const [i, { name, isHidden }] of found.entries()) {
    const part = sheetPaths[i] ?? ''
    const xml = files.get(part)
    // Thousands of sheets may name one part, which is read once.
    if (xml === undefined || read.has(part)) continue
    read.add(part)
    readSheet(xml, { name, isHidden }, reader, collector)
    if (hasComments(part)) collector.markSheet({ hasComments: true })
    done += xml.length
  }
  const hasDoubtfulEscapes = texts.hasDoubtful()
  return collector.finish().map((sheet) => ({ ...sheet, hasDoubtfulEscapes, mayHaveOtherText }))
}

/** The path of the workbook in an .xlsx file; undefined if it is none. */
export function findWorkbook(zip: Zip): string | undefined {
  const documents = [...readRelationships(zip, '').values()].filter(({ type }) =>
    type.endsWith('/officeDocument'),
  )
  const named = documents.find(({ path }) => zip.paths.has(path))?.path
  if (named === undefined || named === usualPath) return zip.paths.has(usualPath) ? usualPath : undefined
  const isWorkbook = /<(\w+:)?workbook[\s>]/.test(zip.read([named]).get(named)?.slice(0, 5_000) ?? '')
  return isWorkbook ? named : undefined
}

const usualPath = 'xl/workbook.xml'

/** The path of the workbook in an .xlsb file; undefined if it is none. */
export const findRecords = (zip: Zip): string | undefined =>
  [...readRelationships(zip, '').values()].find(
    ({ type, path }) => type.endsWith('/officeDocument') && path.endsWith('.bin') && zip.paths.has(path),
  )?.path

/** The parts that a part refers to, by their id. */
export function readRelationships(zip: Zip, path: string): Map<string, { type: string; path: string }> {
  const folder = folderOf(path)
  const relationships = `${folder}_rels/${path.slice(folder.length)}.rels`
  const parts = new Map<string, { type: string; path: string }>()
  walkXml(zip.read([relationships]).get(relationships) ?? '', {
    Relationship: ({ Id = '', Type = '', Target = '' }) =>
      parts.set(Id, { type: decodeAttribute(Type), path: resolvePath(decodeAttribute(Target), folder) }),
  })
  return parts
}

/** The most sheets whose relationships are read. */
const maxRelatedSheets = 100

/** Returns a function that finds whether a sheet has comments; of very many sheets, whether any of them has. */
export function createCommentFinder(zip: Zip, sheetCount: number): (path: string) => boolean {
  const isAny = [...zip.paths].some(
    (path) => /\/(threaded)?comments?[^/]*\//.test(path) || /\/comments?\d*\./.test(path),
  )
  if (!isAny || sheetCount > maxRelatedSheets) return () => isAny
  return (path) =>
    [...readRelationships(zip, path).values()].some(({ type }) => /\/(threaded)?comments?$/i.test(type))
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** The path of a part, as `openZip` names it. */
function resolvePath(target: string, folder: string): string {
  const url = URL.parse(target.replaceAll('\\', '/'), `zip://zip/${folder}`)
  return url ? normalizePath(decodePath(url.pathname)) : ''
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

interface SheetEntry {
  id: string
  name: string
  isHidden: boolean
}

function readSheetList(xml: string) {
  const found: SheetEntry[] = []
  let is1904 = false
  let isUncomputed = false
  walkXml(xml, {
    workbookPr: ({ date1904 }) => {
      is1904 = isTrue(date1904)
    },
    calcPr: ({ fullCalcOnLoad }) => {
      isUncomputed = isTrue(fullCalcOnLoad)
    },
    sheet: (attributes) => {
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const name = decodeAttribute(attributes.name ?? '')
      found.push({ id, name, isHidden: /hidden/i.test(attributes.state ?? '') })
    },
  })
  return { found, is1904, isUncomputed }
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true' || value === 'on'

/** What programs write as `_xHHHH_` (ECMA-376, 22.9.2.19), because XML cannot hold it, or because it begins what looks like that. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML cannot hold
const escapable = /[\0-\x1f\ufeff\ufffe\uffff]|\p{Surrogate}/u

/**
 * Reverses the escapes in texts. Some programs do not know them: from these, a text that looks like one is such a text. It is
 * doubtful, unless it stands for what programs do escape: the first half of a line break, or the underscore of such a text.
 */
function createTextDecoder() {
  let isDoubtful = false
  const decode = (written: string, code: string, next: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    if (character === '_' ? /^x[\da-f]{4}_/i.test(next) : character === '\r' && next.startsWith('\n'))
      return character
    isDoubtful = true
    return escapable.test(character) ? character : written
  }
  const decodeText = (text: string) =>
    text
      .replace(/\r\n?/g, '\n')
      .replace(/_x([\da-f]{4})_/gi, (written, code: string, at: number, all: string) =>
        decode(written, code, all.slice(at + written.length, at + written.length + 6)),
      )
  return { decodeText, hasDoubtful: () => isDoubtful }
}

/** The texts of an element: `t` and `v` are what is shown, `f` is a formula. */
interface Content {
  text: string
  /** Undefined if there is none. */
  formula: string | undefined
  isStruck: boolean
}

const createContent = (): Content => ({ text: '', formula: undefined, isStruck: false })

/**
 * Reads the text in each of these elements, strings or cells, without phonetic guides. `onMark`: a part of one is raised as the
 * number of a footnote.
 */
function readTexts(
  xml: string,
  element: 'si' | 'c',
  onContent: (content: Content, attributes: Attributes) => void,
  onMark: () => void,
  others: { open: Record<string, (attributes: Attributes) => unknown>; onEndOfRow(): unknown } = {
    open: {},
    onEndOfRow: () => {},
  },
) {
  let attributes: Attributes = {}
  let content = createContent()
  let isPhonetic = false
  const open = {
    ...others.open,
    [element]: (own: Attributes) => {
      attributes = own
      content = createContent()
    },
    rPh: () => {
      isPhonetic = true
    },
    strike: ({ val = 'true' }: Attributes) => {
      content.isStruck ||= isTrue(val)
    },
    vertAlign: ({ val }: Attributes) => val === 'superscript' && onMark(),
  }
  walkXml(xml, open, (name, text) => {
    if (name === 'row') return others.onEndOfRow()
    if (name === 'rPh') isPhonetic = false
    else if (name === element) onContent(content, attributes)
    else if (name === 'f') content.formula = text
    else if ((name === 't' || name === 'v') && !isPhonetic) content.text += text
  })
}

type SharedString = Pick<Content, 'text' | 'isStruck'>

function readSharedStrings(xml: string, decodeText: (text: string) => string, onMark: () => void) {
  const strings: SharedString[] = []
  const add = ({ text, isStruck }: Content) => strings.push({ text: decodeText(text), isStruck })
  readTexts(xml, 'si', add, onMark)
  return strings
}

/** The format code of each style of a cell, and which styles, of cells or of conditions, strike the text out. */
function readStyles(xml: string): Pick<CellReader, 'codes' | 'struckStyles' | 'struckConditions'> {
  const own = new Map<string, string>()
  const styles: Attributes[] = []
  const struckFonts = new Set<number>()
  const struckConditions = new Set<number>()
  // Other lists of styles are before and behind that of the cells.
  let list = ''
  let [fonts, conditions] = [0, 0]
  const begin = (name: string) => () => {
    list = name
  }
  const open = {
    numFmt: ({ numFmtId = '', formatCode = '' }: Attributes) =>
      own.set(numFmtId, decodeAttribute(formatCode)),
    fonts: begin('fonts'),
    dxfs: begin('dxfs'),
    cellXfs: begin('cellXfs'),
    font: () => list === 'fonts' && fonts++,
    dxf: () => conditions++,
    strike({ val = 'true' }: Attributes) {
      if (!isTrue(val)) return
      if (list === 'fonts') struckFonts.add(fonts - 1)
      else if (list === 'dxfs') struckConditions.add(conditions - 1)
    },
    xf: ({ numFmtId, fontId }: Attributes) => list === 'cellXfs' && styles.push({ numFmtId, fontId }),
  }
  walkXml(xml, open, (name) => {
    if (name === list) list = ''
  })
  const isStruck = ({ fontId }: Attributes) => struckFonts.has(Number(fontId ?? -1))
  return {
    codes: styles.map(({ numFmtId = '' }) => own.get(numFmtId) ?? findBuiltInCode(Number(numFmtId))),
    struckStyles: new Set(styles.keys().filter((i) => isStruck(styles[i] ?? {}))),
    struckConditions,
  }
}

interface CellReader {
  strings: SharedString[]
  onMark(): void
  decodeText(text: string): string
  codes: string[]
  struckStyles: ReadonlySet<number>
  struckConditions: ReadonlySet<number>
  formatter: Formatter
  /** The values of formulas are to be computed when the workbook is opened. */
  isUncomputed: boolean
}

function readSheet(
  xml: string,
  { name, isHidden }: Pick<WorkbookSheet, 'name' | 'isHidden'>,
  reader: CellReader,
  collector: SheetCollector,
) {
  const hiddenColumns = new Set<number>()
  const sheet = collector.addSheet(name, isHidden, hiddenColumns)
  let rowNumber = 0
  let column = -1
  function addCell(content: Content, attributes: Attributes) {
    column = toColumnIndex(attributes.r ?? '') ?? column + 1
    const cell = readCell(content, attributes, reader)
    const isStruck =
      content.isStruck ||
      reader.struckStyles.has(Number(attributes.s ?? 0)) ||
      (attributes.t === 's' && reader.strings[Number(content.text)]?.isStruck === true)
    collector.addCell(column, isStruck ? { ...cell, isStruck } : cell)
  }
  readTexts(xml, 'c', addCell, reader.onMark, {
    open: {
      row({ r, hidden }) {
        rowNumber = r ? Number(r) : rowNumber + 1
        column = -1
        collector.beginRow(rowNumber, isTrue(hidden))
      },
      col({ min, max, hidden }) {
        if (!isTrue(hidden)) return
        forEachColumn(Number(min) - 1, Number(max) - 1, (column) => hiddenColumns.add(column))
      },
      cfRule({ dxfId }) {
        if (reader.struckConditions.has(Number(dxfId ?? -1))) sheet.hasStruckText = true
      },
      mergeCell({ ref = '' }) {
        const area = parseArea(ref)
        if (area) collector.coverCells(area)
      },
    },
    onEndOfRow: () => (collector.endRow() ? undefined : stop),
  })
}

function readCell({ text, formula }: Content, { t, s }: Attributes, reader: CellReader): Cell {
  const code = reader.codes[Number(s ?? 0)] ?? ''
  if (formula !== undefined) {
    const constant = findConstant(formula)
    if (constant !== undefined) return { text: constant }
    const isComputed = t === 'str' || (text !== '' && !(reader.isUncomputed && text === '0'))
    if (!isComputed) return failed
  }
  if (t === 's') return reader.formatter.text(reader.strings[Number(text)]?.text ?? '', code)
  if (t === 'inlineStr' || t === 'str') return reader.formatter.text(reader.decodeText(text), code)
  // Its words are those of the language.
  if (t === 'b') return { text: isTrue(text.trim()) ? 'TRUE' : 'FALSE', isLocal: true }
  if (t === 'e') return failed
  return reader.formatter.number(t === 'd' ? toSerialDate(text) : text.trim(), code)
}

const failed: Cell = { text: '', hasFailed: true }
