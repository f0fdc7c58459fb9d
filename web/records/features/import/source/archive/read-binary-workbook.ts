import { type CellObject, CFB, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { msg } from '../../../../../language/translate.ts'
import { findConstant } from '../cell-text.ts'
import { maxColumns, SourceError } from '../sheet.ts'
import { createFormatter, localDate, localDateTime } from './format-cell.ts'
import { type Cell, SheetCollector, type SheetLimits, type WorkbookSheet } from './sheets.ts'

/** The library has no limits of its own, and takes thirty times the memory of a file. */
const maxBytes = 10 * 1024 * 1024

const tooBigProblem = msg('This old Excel file is too big. Save it as .xlsx and import that.')
const lockedProblem = msg('This workbook is locked with a password. Remove the password and import it again.')

/** Reads the sheets of a workbook of Excel 97 to 2003 (.xls) that have rows. */
export function readBinaryWorkbook(file: Uint8Array, language: string, limits: SheetLimits): WorkbookSheet[] {
  if (file.length > maxBytes) throw new SourceError(tooBigProblem)
  const workbook = parse(file, limits.maxRows)
  const formatter = createFormatter(language, workbook.Workbook?.WBProps?.date1904 === true)
  const collector = new SheetCollector(limits)
  for (const [i, name] of workbook.SheetNames.entries()) {
    const sheet = workbook.Sheets[name]
    if (sheet?.['!data'])
      collectSheet(sheet, name, workbook.Workbook?.Sheets?.[i]?.Hidden !== 0, formatter, collector)
  }
  return collector.finish()
}

function parse(file: Uint8Array, maxRows: number): WorkBook {
  try {
    return read(extractStream(file), {
      type: 'buffer',
      dense: true,
      // Formats, without their results: they are those of the United States.
      cellNF: true,
      cellText: false,
      cellHTML: false,
      // For hidden rows and columns.
      cellStyles: true,
      sheetRows: maxRows + 1,
    })
  } catch (cause) {
    if (/password-protected/i.test(String(cause))) throw new SourceError(lockedProblem, { cause })
    throw cause
  }
}

/** Records of cells, rows, columns and formats, and what they need: all that is read of a workbook. */
const knownRecords = new Set([
  ...[0x00, 0x06, 0x0a, 0x22, 0x2f, 0x3c, 0x42, 0x7d, 0x85, 0xbd, 0xbe, 0xd6, 0xe0, 0xe5, 0xfc, 0xfd],
  ...[0x200, 0x201, 0x203, 0x204, 0x205, 0x207, 0x208, 0x27e, 0x41e, 0x809],
])
const formulaRecord = 0x06
/** A picture's, which the library skips without a word. */
const skippedRecord = 0xec

/**
 * The stream of the workbook without records that are not read, and without formulas: the library believes their counts, and fills the
 * memory or does not end if one is damaged. Other streams, such as that of the title and the author, are left out for the same reason.
 */
function extractStream(file: Uint8Array): Uint8Array {
  const content: ArrayLike<number> | undefined = CFB.find(
    CFB.read(file, { type: 'array' }),
    '/Workbook',
  )?.content
  if (!content) throw new Error('The file has no workbook.')
  const stream = Uint8Array.from(content)
  const view = new DataView(stream.buffer)
  for (let at = 0; at + 4 <= stream.length; at += 4 + view.getUint16(at + 2, true)) {
    const type = view.getUint16(at, true)
    if (!knownRecords.has(type)) view.setUint16(at, skippedRecord, true)
    else if (type === formulaRecord) hideFormula(view, at + 4, view.getUint16(at + 2, true))
  }
  return stream
}

/** Leaves the result of a formula alone, unless the formula is a text: programs write those to keep zeros, some without the result. */
function hideFormula(view: DataView, at: number, length: number) {
  const [sizeAt, textToken] = [at + 20, 0x17]
  if (length < 22 || sizeAt + 5 > view.byteLength) return
  const size = view.getUint16(sizeAt, true)
  const isText = size > 2 && view.getUint8(sizeAt + 2) === textToken
  const letterBytes = isText && view.getUint8(sizeAt + 4) === 1 ? 2 : 1
  if (!isText || size !== 3 + view.getUint8(sizeAt + 3) * letterBytes) view.setUint16(sizeAt, 0xffff, true)
}

function collectSheet(
  sheet: WorkSheet,
  name: string,
  isHidden: boolean,
  formatter: ReturnType<typeof createFormatter>,
  collector: SheetCollector,
) {
  const hiddenColumns = new Set<number>()
  for (const [column, info] of (sheet['!cols'] ?? []).slice(0, maxColumns).entries())
    if (info?.hidden) hiddenColumns.add(column)
  collector.addSheet(name, isHidden, hiddenColumns)
  const rows: (CellObject | undefined)[][] = sheet['!data'] ?? []
  for (const [i, row] of rows.entries()) {
    if (!row) continue
    collector.beginRow(i + 1, sheet['!rows']?.[i]?.hidden === true)
    for (const [column, cell] of row.entries()) if (cell) collector.addCell(column, toCell(cell, formatter))
    if (!collector.endRow()) break
  }
  for (const { s, e } of sheet['!merges'] ?? [])
    collector.coverCells({ top: s.r + 1, left: s.c, bottom: e.r + 1, right: e.c })
}

/** The formats for which the library has those of the United States. */
const localCodes = new Map(Object.entries({ 'm/d/yy': localDate, 'm/d/yy h:mm': localDateTime, General: '' }))

function toCell({ t, v, z, f }: CellObject, formatter: ReturnType<typeof createFormatter>): Cell {
  const constant = f === undefined ? undefined : findConstant(f)
  if (constant !== undefined) return { text: constant }
  const code = localCodes.get(String(z ?? '')) ?? String(z ?? '')
  if (t === 's') return formatter.text(String(v ?? ''), code)
  if (t === 'n') return formatter.number(String(v ?? ''), code)
  if (t === 'b') return { text: v ? 'TRUE' : 'FALSE', isLocal: true }
  return t === 'e' ? { text: '', hasFailed: true } : { text: '' }
}
