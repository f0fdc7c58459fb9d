import { type CellObject, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { msg } from '../../../../../../language/translate.ts'
import { findConstant } from '../../cell-text.ts'
import { maxColumns, SourceError } from '../../sheet.ts'
import { createFormatter, localDate, localDateTime } from '../format-cell.ts'
import { type Cell, SheetCollector, type SheetLimits, type WorkbookSheet } from '../sheets.ts'
import { checkRecords } from './check-records.ts'
import { readStream } from './compound-file.ts'
import { hasComments, hasStruckText } from './find-struck-text.ts'

/** The library has no limits of its own, and takes thirty times the memory of a file. */
const maxBytes = 10 * 1024 * 1024

const tooBigProblem = msg('This old Excel file is too big. Save it as .xlsx and import that.')

/** Reads the sheets of a workbook of Excel 97 to 2003 (.xls) that have rows. */
export function readBinaryWorkbook(file: Uint8Array, language: string, limits: SheetLimits): WorkbookSheet[] {
  if (file.length > maxBytes) throw new SourceError(tooBigProblem)
  const stream = readStream(file, 'Workbook')
  const marks = { hasStruckText: hasStruckText(stream), hasComments: hasComments(stream) }
  const workbook = parse(stream, limits.maxRows)
  const formatter = createFormatter(language, workbook.Workbook?.WBProps?.date1904 === true)
  const collector = new SheetCollector(limits)
  const seen = new Set<WorkSheet>()
  for (const [i, name] of workbook.SheetNames.entries()) {
    const sheet = workbook.Sheets[name]
    if (!sheet?.['!data'] || seen.has(sheet)) continue
    // A damaged workbook may name one sheet very often.
    seen.add(sheet)
    collectSheet(sheet, name, workbook.Workbook?.Sheets?.[i]?.Hidden !== 0, formatter, collector)
  }
  return collector.finish().map((sheet) => ({ ...sheet, ...marks }))
}

function parse(stream: Uint8Array, maxRows: number): WorkBook {
  // Other streams, such as that of the title and the author, are left out: the library believes their lengths too.
  return read(checkRecords(stream), {
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
    // Without the gap before a far column.
    for (const column of Object.keys(row).map(Number)) {
      const cell = row[column]
      if (cell) collector.addCell(column, toCell(cell, formatter))
    }
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
