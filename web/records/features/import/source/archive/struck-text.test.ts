import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { parseSource } from '../parse-source.ts'
import { hasStruckText } from './binary/find-struck-text.ts'

const doubt = 'Some text is struck out, so it may be old. Check the names and passwords.'

/** What the source that a list is in asks about it. */
async function askAbout(content: string | Uint8Array) {
  const { rows, doubts } = await parseSource(new File([Buffer.from(content as string)], 'staff'))
  expect(rows.at(-1)?.cells.slice(0, 2)).toEqual(['Ada', 'ada@example.com'])
  return (doubts ?? []).map((text) => String(text[1]))
}

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])))

function writeWorkbook({ font = '', condition = '', part = '', rule = '' }) {
  const cells = ['Ada', 'ada@example.com'].map((text) => `<c t="str" s="0"><v>${text}</v></c>`)
  const rows = `<row>${cells.join('')}<c t="s" s="1"><v>0</v></c><c s="2"/></row>`
  return zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<R><Relationship Id="a" Target="sheet.xml"/></R>',
    'xl/styles.xml': `<styleSheet><fonts><font/><font>${font}</font><font><strike/></font></fonts><cellStyleXfs><xf fontId="2"/></cellStyleXfs><cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font>${condition}</font></dxf></dxfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst><si><r><rPr>${part}</rPr><t>old</t></r><r><t>a1</t></r></si></sst>`,
    'xl/sheet.xml': `<worksheet><sheetData>${rows}</sheetData>${rule}</worksheet>`,
  })
}

const struckStyle = (name: string) =>
  `<style:style style:name="${name}"><style:text-properties style:text-line-through-type="single"/></style:style>`
const rule = '<cfRule dxfId="0"/>'

const textCell = (text: string, look = '') =>
  `<table:table-cell office:value-type="string" ${look}><text:p>${text}</text:p></table:table-cell>`
function writeFlat({ styles = '', columns = '', row = '', look = '', text = 'a1', after = '' }) {
  const cells = [textCell('Ada'), textCell('ada@example.com'), textCell(text, look), textCell('')]
  return `<office:document>${styles}<office:spreadsheet><table:table table:name="A">${columns}<table:table-row ${row}>${cells.join('')}</table:table-row>${after}</table:table></office:spreadsheet></office:document>`
}
const styled = 'table:style-name="ce1"'
const byDefault = 'table:default-cell-style-name="ce1"'

const gnumericCell = (column: number, text: string, format = '') =>
  `<gnm:Cell Row="0" Col="${column}" ValueType="60" ${format}>${text}</gnm:Cell>`
function writeGnumeric({ style = '', format = '' }) {
  const cells = [gnumericCell(0, 'Ada'), gnumericCell(1, 'ada@example.com'), gnumericCell(2, 'olda1', format)]
  const region = `<gnm:StyleRegion startCol="2" startRow="0" endCol="2" endRow="0">${style}</gnm:StyleRegion>`
  return `<?xml version="1.0"?><gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets><gnm:Sheet><gnm:Name>A</gnm:Name><gnm:Styles>${region}</gnm:Styles><gnm:Cells>${cells.join('')}</gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>`
}

function writeXml({ font = '', parent = '', text = 'a1', rule = '' }) {
  const cell = (text: string, look = '') => `<Cell ${look}><ss:Data ss:Type="String">${text}</ss:Data></Cell>`
  return `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Styles><Style ss:ID="p"><Font ${parent}/></Style><Style ss:ID="s" ss:Parent="p"><Font ${font}/></Style></Styles><Worksheet ss:Name="A"><Table><Row>${cell('Ada')}${cell('ada@example.com')}${cell(text, 'ss:StyleID="s"')}</Row></Table>${rule}</Worksheet></Workbook>`
}

const page = (cell: string, around = '') =>
  `${around}<table><tr><td>Ada<td>ada@example.com${cell}</tr></table>`

test.each([
  ['a cell of .xlsx', writeWorkbook({ font: '<strike/>' })],
  ['a part of a cell of .xlsx', writeWorkbook({ part: '<strike/>' })],
  ['a cell of .xlsx under a condition', writeWorkbook({ condition: '<strike/>', rule })],
  ['a cell of a flat OpenDocument', writeFlat({ styles: struckStyle('ce1'), look: styled })],
  [
    'a column of a flat OpenDocument',
    writeFlat({
      styles: struckStyle('ce1'),
      columns: `<table:table-column table:number-columns-repeated="9" ${byDefault}/>`,
    }),
  ],
  ['a row of a flat OpenDocument', writeFlat({ styles: struckStyle('ce1'), row: byDefault })],
  [
    'a style of a flat OpenDocument',
    writeFlat({
      styles: `${struckStyle('Old')}<style:style style:name="ce1" style:parent-style-name="Old"/>`,
      look: styled,
    }),
  ],
  [
    'a part of a cell of a flat OpenDocument',
    writeFlat({ styles: struckStyle('T1'), text: '<text:span text:style-name="T1">old</text:span>a1' }),
  ],
  [
    'a cell of a flat OpenDocument under a condition',
    writeFlat({ styles: struckStyle('Old'), after: '<calcext:condition calcext:apply-style-name="Old"/>' }),
  ],
  [
    'a cell of .ods',
    zip({ 'styles.xml': `<s>${struckStyle('ce1')}</s>`, 'content.xml': writeFlat({ look: styled }) }),
  ],
  [
    'a cell of Gnumeric',
    writeGnumeric({
      style: '<gnm:Style Format="General"><gnm:Font StrikeThrough="1">Sans</gnm:Font></gnm:Style>',
    }),
  ],
  ['a part of a cell of Gnumeric', writeGnumeric({ format: 'ValueFormat="@[strikethrough=true:0:3]"' })],
  ['a cell of Excel 2003', writeXml({ font: 'ss:StrikeThrough="1"' })],
  ['a style of Excel 2003', writeXml({ parent: 'ss:StrikeThrough="1"' })],
  ['a part of a cell of Excel 2003', writeXml({ text: '<S>old</S>a1' })],
  [
    'a cell of Excel 2003 under a condition',
    writeXml({ rule: "<Format Style='text-line-through:single'/>" }),
  ],
  ['a cell of a page', page('<td style="text-decoration: line-through">a1')],
  ['a part of a cell of a page', page('<td><s>old</s>a1')],
  ['a deleted part of a cell of a page', page('<td><del>old</del><ins>a1</ins>')],
  [
    'a cell of a page by its class',
    page(
      '<td class="x xl65">a1',
      '<style>.xl64{color:red}\n.xl65, .b {color:red;text-decoration:line-through}</style>',
    ),
  ],
  [
    'a row of a page',
    `<table><tr style="text-decoration:line-through"><td>Ada<td>ada@example.com<td>a1</table>`,
  ],
])('text that is struck out is asked about: %s', async (_, content) => {
  expect(await askAbout(content)).toEqual([doubt])
})

test.each([
  ['.xlsx', writeWorkbook({ font: '<strike val="0"/>', part: '<b/>', condition: '<strike/>' })],
  [
    'a flat OpenDocument',
    writeFlat({
      styles: `${struckStyle('Old')}<style:style style:name="ce1" style:parent-style-name="Old"><style:text-properties style:text-line-through-style="none" style:text-line-through-type="single"/></style:style>`,
      look: styled,
    }),
  ],
  [
    'Gnumeric',
    writeGnumeric({
      style: '<gnm:Style Format="General"><gnm:Font StrikeThrough="0">Sans</gnm:Font></gnm:Style>',
      format: 'ValueFormat="@[bold=1:0:3]"',
    }),
  ],
  ['Excel 2003', writeXml({ font: 'ss:Bold="1"' })],
  ['a page', page('<td class="xl64">a1<td><s></s>', '<style>.xl65{text-decoration:line-through}</style>')],
])('other text is not: %s', async (_, content) => {
  expect(await askAbout(content)).toEqual([])
})

type Bytes = readonly number[]
const word = (value: number) => [value & 0xff, value >> 8]
const record = (type: number, ...bytes: Bytes) => [...word(type), ...word(bytes.length), ...bytes]
const font = (flags: number) => record(0x31, 200, 0, flags, 0, ...Array<number>(12).fill(0))
/** The fourth font has the number 5. */
const fonts = [font(0), font(8), font(0), font(0), font(8)].flat()
const style = (font: number) => record(0xe0, ...word(font), ...Array<number>(18).fill(0))
const styles = [style(0), style(1), style(5)].flat()
const cell = (type: number, style: number) => record(type, 0, 0, 0, 0, ...word(style), 0, 0, 0, 0)
const texts = (font: number) =>
  record(0xfc, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 8, 1, 0, 97, 98, 99, 1, 0, ...word(font))
function condition(changes: number, look: number, kept: number) {
  const bytes = new Uint8Array(130)
  const view = new DataView(bytes.buffer)
  view.setUint32(6, changes, true)
  view.setUint32(12 + 68, look, true)
  view.setUint32(12 + 88, kept, true)
  return record(0x1b1, ...bytes)
}

test.each([
  ['a cell', [...fonts, ...styles, ...cell(0xfd, 1)], true],
  ['a cell with a later font', [...fonts, ...styles, ...cell(0x203, 2)], true],
  [
    'one of several numbers',
    [...fonts, ...styles, ...record(0xbd, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 1, 0, 9, 9, 9, 9, 1, 0)],
    true,
  ],
  ['a part of a shared text', [...fonts, ...styles, ...texts(5)], true],
  ['a cell under a condition', condition(1 << 26, 0x80, 0), true],
  ['no cell', [...fonts, ...styles, ...cell(0xfd, 0), ...texts(2), ...cell(0x201, 1)], false],
  ['a condition that leaves the line', condition(1 << 26, 0x80, 0x80), false],
  ['a record that is cut off', [...fonts, ...styles, ...cell(0xfd, 1).slice(0, 9)], false],
])('a workbook of Excel 97 tells whether text is struck out: %s', (_, bytes, isStruck) => {
  expect(hasStruckText(Uint8Array.from(bytes))).toBe(isStruck)
})
