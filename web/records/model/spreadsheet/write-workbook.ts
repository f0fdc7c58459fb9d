import { strToU8, zipSync } from 'fflate'
import { getColumnLetters } from './column-letters.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
export const workbookType = `${contentTypes}.sheet`

const font = '<font><sz val="11"/><name val="Calibri"/></font>'

/** The parts besides the sheet. Style 0 is text; style 1 is bold text, for the header. */
const parts = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentTypes}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentTypes}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Employees" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2">${font}${font.replace('<sz', '<b/><sz')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`,
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Writes an .xlsx workbook whose cells are all text, never a formula, below a header that stays in view. */
export function writeWorkbook(
  [header = [], ...rows]: readonly (readonly string[])[],
  sheetName = 'Employees',
): Uint8Array<ArrayBuffer> {
  const widths = header.map((title, column) =>
    rows.reduce((width, cells) => Math.max(width, Math.min(cells[column]?.length ?? 0, 60)), title.length),
  )
  const columns = widths.map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width + 3}" customWidth="1"/>`,
  )
  const body = rows.map((cells, i) => writeRow(cells, i + 2, 0))
  const sheet = `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${writeRow(header, 1, 1)}${body.join('')}</sheetData></worksheet>`
  const workbook = parts['xl/workbook.xml'].replace('Employees', sheetName)
  const files = Object.entries({ ...parts, 'xl/workbook.xml': workbook, 'xl/worksheets/sheet1.xml': sheet })
  return zipSync(Object.fromEntries(files.map(([path, xml]) => [path, strToU8(declaration + xml)])), {
    level: 1,
  })
}

/** Rows and cells carry their reference `r`. It is optional in the standard, but Gnumeric and several libraries require it. */
function writeRow(texts: readonly string[], number: number, style: number): string {
  const cells = texts.map(
    (text, column) =>
      `<c r="${getColumnLetters(column)}${number}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`,
  )
  return `<row r="${number}">${cells.join('')}</row>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Escapes text as XML, and with `_xHHHH_` (ECMA-376, 22.9.2.19) what XML cannot hold or would change: control characters, line
 * breaks other than LF, lone surrogates, and text that looks like such an escape.
 */
const escapeText = (text: string) =>
  text
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML cannot hold
      /[\0-\x08\x0b-\x1f\ufeff\ufffe\uffff]|\p{Surrogate}|_(?=x[\da-f]{4}_)/giu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>]/g, (character) => entities[character] ?? '')
