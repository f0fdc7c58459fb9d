import { strToU8, type Zippable, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readArchive } from './read-archive.ts'
import type { WorkbookSheet } from './read-workbook.ts'

interface Sheets {
  [name: string]: string
}

/** A workbook with the data of these sheets, as spreadsheet programs write it (ECMA-376). */
function makeWorkbook(sheets: Sheets, more: Record<string, string> = {}) {
  const names = Object.keys(sheets)
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}</Relationships>`,
    ...more,
  }
  for (const [i, name] of names.entries())
    files[`xl/worksheets/sheet${i + 1}.xml`] = `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, strToU8(xml)])) as Zippable,
  )
}

const read = (file: Uint8Array, maxRows: number) => readArchive(file, maxRows) as WorkbookSheet[]

const cellsOf = (rows: string, more?: Record<string, string>) =>
  read(makeWorkbook({ List: rows }, more), 100)[0]?.rows.map(({ cells }) => cells)

describe('a workbook', () => {
  test('has shared, rich and inline strings, without phonetic text, and with escaped characters', () => {
    const strings =
      '<sst><si><t>Ada &amp; co</t></si><si><r><t xml:space="preserve">Grace </t></r><r><t>Hopper</t></r><rPh><t>x</t></rPh></si></sst>'
    const row =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t> a_x000D_&#10;_x005F_x0041_&#x1F600;</t></is></c></row>'
    expect(cellsOf(row, { 'xl/sharedStrings.xml': strings })).toEqual([
      ['Ada & co', 'Grace Hopper', '', ' a\r\n_x0041_😀'],
    ])
  })

  test('has numbers as they are shown', () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="2"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    const cell = (value: string, style = 0, type = 'n') => `<c t="${type}" s="${style}"><v>${value}</v></c>`
    const row = `<row>${cell('4711')}${cell('0.30000000000000004')}${cell('1.2E+16')}${cell('42', 1)}${cell('7.5', 2)}${cell('46000', 3)}${cell('007', 0, 'str')}${cell('1', 0, 'b')}</row>`
    expect(cellsOf(row, { 'xl/styles.xml': styles })).toEqual([
      ['4711', '0.3', '12000000000000000', '00042', '7.50', '2025-12-09', '007', 'TRUE'],
    ])
  })

  test('has several sheets; empty rows are left out, hidden ones are marked', () => {
    const text = (value: string) => `<c t="str"><v>${value}</v></c>`
    const file = makeWorkbook({
      Notes: '',
      'A &amp; B': `<row r="3" hidden="1">${text('x')}</row><row r="4">${text(' ')}</row><row r="9">${text('y')}</row>`,
    })
    expect(read(file, 1)).toEqual([
      { name: 'A & B', isTruncated: true, rows: [{ number: 3, cells: ['x'], isHidden: true }] },
    ])
  })

  const makeOds = (tables: string, manifest = '<manifest/>') =>
    zipSync({
      'content.xml': strToU8(`<office:document-content>${tables}</office:document-content>`),
      'META-INF/manifest.xml': strToU8(manifest),
    })
  const cell = (text: string, attributes = '') => `<table:table-cell ${attributes}>${text}</table:table-cell>`

  test('of OpenDocument has cells as they are shown, repeated ones and hidden rows, but no comments', () => {
    const texts = [
      cell('<text:p>Ada<text:s text:c="2"/><text:span>&amp; co</text:span></text:p><text:p>two</text:p>'),
      '<table:covered-table-cell table:number-columns-repeated="2"/>',
      cell(
        '<office:annotation><text:p>a comment</text:p></office:annotation><text:p>007</text:p>',
        'office:value="7"',
      ),
      cell('', 'table:number-columns-repeated="16380"'),
    ]
    const rows = [
      `<table:table-row table:number-rows-repeated="3">${cell('')}</table:table-row>`,
      `<table:table-row table:visibility="collapse">${texts.join('')}</table:table-row>`,
      `<table:table-row table:number-rows-repeated="2">${cell('<text:p>x</text:p>', 'table:number-columns-repeated="2"')}</table:table-row>`,
      `<table:table-row table:number-rows-repeated="1048570">${cell('')}</table:table-row>`,
    ]
    const file = makeOds(
      `<table:table table:name="A &amp; B">${rows.join('')}</table:table><table:table table:name="Empty"/>`,
    )
    expect(read(file, 100)).toEqual([
      {
        name: 'A & B',
        isTruncated: false,
        rows: [
          { number: 4, cells: ['Ada  & co\ntwo', '', '', '007'], isHidden: true },
          { number: 5, cells: ['x', 'x'], isHidden: false },
          { number: 6, cells: ['x', 'x'], isHidden: false },
        ],
      },
    ])
  })

  const compoundFile = (text: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(500), Buffer.from(text, 'utf16le')])
  const list = () => makeWorkbook({ List: '<row><c t="str"><v>Ada</v></c></row>'.repeat(1_000) })
  test.each([
    ['cut', () => list().subarray(0, -300), 'damaged'],
    ['cut in its XML', () => makeWorkbook({ List: '<row><c' }), 'damaged'],
    ['locked with a password', () => compoundFile('EncryptedPackage'), 'locked with a password'],
    ['locked, of OpenDocument', () => makeOds('', '<manifest:encryption-data/>'), 'locked with a password'],
    ['an .xls', () => compoundFile('Workbook'), 'old Excel'],
    ['another ZIP file', () => zipSync({ 'a.txt': strToU8('a') }), 'neither a workbook'],
  ])('that is %s is refused', (_, makeFile, reason) => {
    expect(() => read(makeFile(), 100)).toThrow(reason)
  })

  test.each([
    ['declares', 'too big'],
    ['hides', 'damaged'],
  ])('that unpacks to a gigabyte, and %s it, is refused', { tags: 'large' }, (what, reason) => {
    const name = 'xl/workbook.xml'
    const archive = Buffer.from(zipSync({ [name]: Buffer.alloc(32 * 1024 * 1024, '<') }))
    // A directory of 32 entries for the same part, because a gigabyte takes long to make here.
    const directory = archive.readUInt32LE(archive.length - 6)
    const entry = archive.subarray(directory, -22)
    if (what === 'hides') entry.writeUInt32LE(1, 24)
    const end = archive.subarray(-22)
    end.writeUInt16LE(32, 8)
    end.writeUInt16LE(32, 10)
    const file = Buffer.concat([
      archive.subarray(0, directory),
      ...Array.from({ length: 32 }, () => entry),
      end,
    ])
    expect(() => read(file, 100)).toThrow(reason)
  })
})
