import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { parseSource } from '../parse-source.ts'
import { hasComments } from './binary/find-struck-text.ts'

const doubt = 'Some cells have comments, which are not read. Check the passwords.'

/** What is asked about a list. */
async function askAbout(content: string | Uint8Array) {
  const { rows, doubts = [] } = await parseSource(new File([Buffer.from(content as string)], 'staff'))
  expect(rows.at(-1)?.cells).toEqual(['Ada', 'ada@example.com', 'a1'])
  return doubts.map((text) => String(text[1]))
}

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])))

const texts = ['Ada', 'ada@example.com', 'a1']
const row = `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`
const relate = (type: string, id: string, target: string) =>
  `<R><Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/></R>`

const writeWorkbook = (parts: Record<string, string>) =>
  zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relate('worksheet', 'a', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${row}</sheetData></worksheet>`,
    ...parts,
  })
const sheetRelations = 'xl/worksheets/_rels/sheet1.xml.rels'

const annotated = (annotation: string) => {
  const cells = texts.map(
    (text, i) => `<table:table-cell>${i === 2 ? annotation : ''}<text:p>${text}</text:p></table:table-cell>`,
  )
  return `<office:document><office:spreadsheet><table:table table:name="A"><table:table-row>${cells.join('')}</table:table-row></table:table></office:spreadsheet></office:document>`
}

const writeXml = (comment: string) => {
  const cells = texts.map((text) => `<Cell><Data ss:Type="String">${text}</Data>${comment}</Cell>`)
  return `<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="A"><Table><Row>${cells.join('')}</Row></Table></Worksheet></Workbook>`
}

const writeGnumeric = (objects: string) => {
  const cells = texts.map((text, i) => `<gnm:Cell Row="0" Col="${i}" ValueType="60">${text}</gnm:Cell>`)
  return `<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets><gnm:Sheet><gnm:Name>A</gnm:Name><gnm:Objects>${objects}</gnm:Objects><gnm:Cells>${cells.join('')}</gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>`
}

test.each<[string, string | Uint8Array, string | Uint8Array]>([
  [
    '.xlsx',
    writeWorkbook({ [sheetRelations]: relate('comments', 'b', '../comments1.xml'), 'xl/comments1.xml': '' }),
    writeWorkbook({ 'xl/comments2.xml': '' }),
  ],
  [
    '.xlsx of Microsoft 365',
    writeWorkbook({
      [sheetRelations]: relate('threadedComment', 'b', '../threadedComments/threadedComment1.xml'),
      'xl/threadedComments/threadedComment1.xml': '',
    }),
    writeWorkbook({ [sheetRelations]: relate('drawing', 'b', '../drawings/drawing1.xml') }),
  ],
  [
    'OpenDocument',
    annotated('<office:annotation><text:p>new: b2</text:p></office:annotation>'),
    annotated(''),
  ],
  ['the XML of Excel 2003', writeXml('<Comment><ss:Data>new: b2</ss:Data></Comment>'), writeXml('')],
  ['Gnumeric', writeGnumeric('<gnm:CellComment ObjectBound="C1" Text="new: b2"/>'), writeGnumeric('')],
])('comments of cells are not read, which is told: %s', async (_, commented, plain) => {
  expect(await askAbout(commented)).toEqual([doubt])
  expect(await askAbout(plain)).toEqual([])
})

test('a comment in a stream of Excel 97 to 2003 is found, also at the end of a damaged one', () => {
  const record = (type: number, ...bytes: number[]) => [type, 0, bytes.length, 0, ...bytes]
  expect(hasComments(Uint8Array.from([...record(0x31, 1, 2), ...record(0x1c, 0, 0)]))).toBe(true)
  expect(hasComments(Uint8Array.from([...record(0x31, 0x1c, 0), 0x1c, 0]))).toBe(false)
  expect(hasComments(Uint8Array.from([0x31, 0, 255, 255, 0x1c, 0, 0, 0]))).toBe(false)
})
