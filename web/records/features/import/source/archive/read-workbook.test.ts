import { strToU8, type Zippable, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { sample } from '../../../../../../tests/support/sample.ts'
import { SourceError } from '../sheet.ts'
import { readArchive } from './read-archive.ts'
import type { WorkbookSheet } from './sheets.ts'

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

const read = async (file: Uint8Array, maxRows: number) =>
  (await readArchive(file, maxRows, undefined, 'en-GB')) as WorkbookSheet[]

const cellsOf = async (rows: string, more?: Record<string, string>) =>
  (await read(makeWorkbook({ List: rows }, more), 100))[0]?.rows.map(({ cells }) => cells)

describe('a workbook', () => {
  test('has shared, rich and inline strings, without phonetic text, and with escaped characters', async () => {
    const strings =
      '<sst><si><t>Ada &amp; co</t></si><si><r><t xml:space="preserve">Grace </t></r><r><t>Hopper</t></r><rPh><t>x</t></rPh></si></sst>'
    const row =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t> a_x000D_&#10;_x005F_x0041_&#x1F600;</t></is></c></row>'
    expect(await cellsOf(row, { 'xl/sharedStrings.xml': strings })).toEqual([
      ['Ada & co', 'Grace Hopper', '', ' a\r\n_x0041_😀'],
    ])
  })

  test.each([
    ['<vertAlign val="superscript"/>', true],
    ['<b/>', false],
  ])('tells whether a part of a text is the number of a footnote: %s', async (format, isTold) => {
    const texts = `<si><r><rPr>${format}</rPr><t>old</t></r><r><t>a1</t></r></si>`
    const row = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    const more = { 'xl/sharedStrings.xml': `<sst>${texts}</sst>` }
    const [sheet] = await read(makeWorkbook({ List: row }, more), 100)
    expect(sheet?.mayHaveOtherText).toBe(isTold)
  })

  test.each([
    ['a_x000D_&#10;b _x005F_x0041_ _x_x0041', 'a\r\nb _x0041_ _x_x0041', false],
    ['a_x0041_b', 'a_x0041_b', true],
    ['a_x005F_b', 'a_x005F_b', true],
    ['a_x0001_b', 'a\x01b', true],
    ['a_x000d_', 'a\r', true],
  ])(
    'has texts that look like escapes, which is told if they may be texts: %s',
    async (xml, text, isDoubtful) => {
      const inline = `<row><c t="inlineStr"><is><t>${xml}</t></is></c></row>`
      const shared = { 'xl/sharedStrings.xml': `<sst><si><t>${xml}</t></si></sst>` }
      const files = [
        makeWorkbook({ List: inline }),
        makeWorkbook({ List: '<row><c t="s"><v>0</v></c></row>' }, shared),
      ]
      for (const file of files) {
        const [sheet] = await read(file, 100)
        expect([sheet?.rows[0]?.cells, sheet?.hasDoubtfulEscapes ?? false]).toEqual([[text], isDoubtful])
      }
    },
  )

  test('has numbers as they are shown', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="2"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    const cell = (value: string, style = 0, type = 'n') => `<c t="${type}" s="${style}"><v>${value}</v></c>`
    const row = `<row>${cell('4711')}${cell('0.30000000000000004')}${cell('1.2E+16')}${cell('42', 1)}${cell('7.5', 2)}${cell('46000', 3)}${cell('007', 0, 'str')}${cell('1', 0, 'b')}</row>`
    expect(await cellsOf(row, { 'xl/styles.xml': styles })).toEqual([
      ['4711', '0.3', '12000000000000000', '00042', '7.50', '09/12/2025', '007', 'TRUE'],
    ])
  })

  test('has several sheets; empty rows are left out, hidden ones are marked', async () => {
    const text = (value: string) => `<c t="str"><v>${value}</v></c>`
    const file = makeWorkbook({
      Notes: '',
      'A &amp; B': `<row r="3" hidden="1">${text('x')}</row><row r="4">${text(' ')}</row><row r="9">${text('y')}</row>`,
    })
    expect(await read(file, 1)).toMatchObject([
      { name: 'A & B', isTruncated: true, rows: [{ number: 3, cells: ['x'], isHidden: true }] },
    ])
  })

  const attribute = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

  /** A cell of each value in the format beside it, in a workbook that counts dates from 1904 or not. */
  async function show(cells: [value: string, code: string, type?: string][], is1904 = false) {
    const codes = cells.map(
      ([, code], i) => `<numFmt numFmtId="${200 + i}" formatCode="${attribute(code)}"/>`,
    )
    const styles = cells.map((_, i) => `<xf numFmtId="${200 + i}"/>`)
    const row = cells.map(([value, , type = 'n'], i) => `<c s="${i}" t="${type}"><v>${value}</v></c>`)
    const workbook =
      '<workbook><workbookPr date1904="1"/><sheets><sheet name="List" r:id="rId1"/></sheets></workbook>'
    const file = makeWorkbook(
      { List: `<row>${row.join('')}</row>` },
      {
        'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
        ...(is1904 ? { 'xl/workbook.xml': workbook } : {}),
      },
    )
    const [sheet] = await read(file, 100)
    return { cells: sheet?.rows[0]?.cells, local: sheet?.rows[0]?.localColumns ?? [] }
  }

  test.each([
    ['a birthday', 'ddmmyyyy', '31119', '13031985'],
    ['a date', 'dd.mm.yyyy', '31119', '13.03.1985'],
    ['a date before March 1900', 'yyyy-mm-dd', '59', '1900-02-28'],
    ['a date in German', '[$-407]d. mmmm yyyy;@', '31119', '13. März 1985'],
    ['a time', 'hh:mm', '0.75', '18:00'],
    ['a duration', '[h]:mm', '1.5', '36:00'],
    ['a percentage', '0%', '0.05', '5%'],
    ['a fraction', '# ?/?', '0.75', '3/4'],
    ['an exponent', '0E+00', '123456', '1E+05'],
    ['a postal code', '00000', '123', '00123'],
    [
      'more digits than a number keeps',
      '00000000000000000000',
      '12345678901234567890',
      '12345678901234567890',
    ],
    ['a telephone number', '(000) 000-0000', '4155551234', '(415) 555-1234'],
    ['the shorter of two telephone numbers', '[<=9999999]###-####;(###) ###-####', '5551234', '555-1234'],
    ['a negative number in red', '0;[Red]-0', '-5', '-5'],
    ['a number with a unit', '0" pieces"', '5', '5 pieces'],
    ['a number aligned with others', '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', '12', '12'],
    ['a number as text', '@', '12345678901', '12345678901'],
    ['a number in a format beyond what Excel takes', '0'.repeat(256), '5', '5'],
  ])('shows %s as its sheet does', async (_, code, value, text) => {
    expect(await show([[value, code]])).toEqual({ cells: [text], local: [] })
  })

  test.each([
    ['a date with slashes', 'dd/mm/yyyy', '31119', '13/03/1985'],
    ['the name of a month', 'd mmm yyyy', '31119', '13 Mar 1985'],
    ['a decimal', '0.00', '7.5', '7.50'],
    ['a decimal without a format', 'General', '0.30000000000000004', '0.3'],
    ['thousands', '#,##0', '1234', '1,234'],
    ['a number that the format hides', ';;;', '4711', '4711'],
    ['a format in German', 'Standard', '31119', '31119'],
    ['more digits than Excel shows', 'General', '12345678901234567890', '12345678901234567890'],
    ['digits that Excel has lost', 'General', '1.5900181062945699E+17', '159001810629457000'],
  ])('says that other computers may show %s otherwise', async (_, code, value, text) => {
    expect(await show([[value, code]])).toEqual({ cells: [text], local: [0] })
  })

  test('that counts dates from 1904 has the dates that its sheet shows, and the same times', async () => {
    const cells: [string, string][] = [
      ['29657', 'ddmmyyyy'],
      ['1.5', '[h]:mm'],
      ['29657', '0'],
    ]
    expect((await show(cells, true)).cells).toEqual(['13031985', '36:00', '29657'])
  })

  test('formats text, but without what aligns it', async () => {
    const cells: [string, string, string][] = [
      ['x', '"id-"@', 'str'],
      ['x', '_(@_)', 'str'],
      ['x', ';;;', 'str'],
      ['2020-01-02T00:00:00', 'yyyymmdd', 'd'],
    ]
    expect(await show(cells)).toEqual({ cells: ['id-x', 'x', 'x', '20200102'], local: [2] })
  })

  test('has the texts of formulas that are texts; others that were not computed have failed, as errors have', async () => {
    const formula = (text: string, value = '<v/>', type = 'n') => `<c t="${type}"><f>${text}</f>${value}</c>`
    const row = [
      formula('"00123"'),
      formula('"a ""b"""', '<v>0</v>'),
      formula('A1&amp;B1'),
      formula('A1', '', 'str'),
      formula('A1', '<v>#N/A</v>', 'e'),
      formula('1+1', '<v>2</v>'),
      '<c t="str"><v>#N/A</v></c>',
    ]
    const [sheet] = await read(makeWorkbook({ List: `<row>${row.join('')}</row>` }), 100)
    expect(sheet?.rows).toMatchObject([
      { cells: ['00123', 'a "b"', '', '', '', '2', '#N/A'], failedColumns: [2, 4] },
    ])
  })

  test('that was written without computing has no result of its formulas', async () => {
    const workbook =
      '<workbook><sheets><sheet name="List" r:id="rId1"/></sheets><calcPr fullCalcOnLoad="1"/></workbook>'
    const row = '<row><c><f>A2</f><v>0</v></c><c><v>0</v></c></row>'
    const [sheet] = await read(makeWorkbook({ List: row }, { 'xl/workbook.xml': workbook }), 100)
    expect(sheet?.rows).toMatchObject([{ cells: ['', '0'], failedColumns: [0] }])
  })

  test('may have parts of other names, in folders of its own, with other slashes', async () => {
    const types = ['officeDocument', 'worksheet', 'sharedStrings']
    const relate = (...targets: string[]) =>
      `<Relationships>${targets.map((target, i) => `<Relationship Id="rId${i + 1}" Type="http://x/relationships/${types[i]}" Target="${target}"/>`).join('')}</Relationships>`
    const parts = {
      '_rels\\.rels': relate('\\Book\\Data%201.xml'),
      'book\\data 1.xml': '<x:workbook><x:sheets><x:sheet name="List" r:id="rId2"/></x:sheets></x:workbook>',
      'BOOK\\_rels\\data 1.xml.rels': relate('no.xml', './tab.xml', '../strings.xml'),
      'book/Tab.xml':
        '<x:worksheet><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      'strings.xml': '<x:sst><x:si><x:t>Ada</x:t></x:si></x:sst>',
    }
    const file = zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])))
    expect(await read(file, 100)).toMatchObject([{ rows: [{ cells: ['Ada'] }] }])
  })

  test('tells hidden sheets and columns, and columns beyond those that are read', async () => {
    const sheets = ['visible', 'hidden', 'veryHidden'].map(
      (state, i) => `<sheet name="${state}" state="${state}" r:id="rId${i + 1}"/>`,
    )
    const text = (reference: string) => `<c r="${reference}" t="str"><v>x</v></c>`
    const columns = '<cols><col min="2" max="16384" hidden="1"/></cols>'
    const file = makeWorkbook(
      {
        a: `<row>${text('A1')}${text('IW1')}</row>`,
        b: `<row>${text('IV1')}</row>`,
        c: `</sheetData>${columns}<sheetData><row>${text('B1')}</row>`,
      },
      { 'xl/workbook.xml': `<workbook><sheets>${sheets.join('')}</sheets></workbook>` },
    )
    const found = await read(file, 100)
    expect(found.map(({ isHidden }) => isHidden)).toEqual([false, true, true])
    expect(found.map(({ hasMoreColumns }) => hasMoreColumns)).toEqual([true, false, false])
    expect(found.map(({ hiddenColumns }) => hiddenColumns.has(1))).toEqual([false, false, true])
  })

  const makeOds = (tables: string, manifest = '<manifest/>') =>
    zipSync({
      'content.xml': strToU8(
        `<office:document-content><office:spreadsheet>${tables}</office:spreadsheet></office:document-content>`,
      ),
      'META-INF/manifest.xml': strToU8(manifest),
    })
  const cell = (text: string, attributes = '') => `<table:table-cell ${attributes}>${text}</table:table-cell>`

  test('of OpenDocument has cells as they are shown, repeated ones and hidden rows, but no comments', async () => {
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
    expect(await read(file, 100)).toMatchObject([
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

  test.each([
    ['style:text-position="super 58%"', true],
    ['fo:font-weight="bold"', undefined],
  ])(
    'of OpenDocument tells whether a part of a text is the number of a footnote: %s',
    async (format, told) => {
      const style = `<style:style style:name="T1" style:family="text"><style:text-properties ${format}/></style:style>`
      const text = cell('<text:p><text:span text:style-name="T1">old</text:span>a1</text:p>')
      const table = `<table:table table:name="A"><table:table-row>${text}</table:table-row></table:table>`
      const [sheet] = await read(makeOds(`${style}${table}`), 100)
      expect(sheet?.mayHaveOtherText).toBe(told)
    },
  )

  test('leaves out what a merged cell covers', async () => {
    const row = (number: number) =>
      `<row r="${number}">${['A', 'B', 'C'].map((column) => `<c r="${column}${number}" t="str"><v>${column}${number}</v></c>`).join('')}</row>`
    const rows = `${row(1)}${row(2)}${row(3)}<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C2:C3"/></mergeCells>`
    const [sheet] = await read(makeWorkbook({ List: rows }), 100)
    expect(sheet?.rows.map(({ cells }) => cells)).toEqual([
      ['A1', '', 'C1'],
      ['A2', 'B2', 'C2'],
      ['A3', 'B3', ''],
    ])
  })

  test('of OpenDocument leaves out what a merged cell covers, also where it holds values', async () => {
    const covered = (text: string) =>
      `<table:covered-table-cell><text:p>${text}</text:p></table:covered-table-cell>`
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
    const span = (text: string, attributes: string) => cell(`<text:p>${text}</text:p>`, attributes)
    const rows = [
      row(span('A1', 'table:number-columns-spanned="2"'), covered('B1'), cell('<text:p>C1</text:p>')),
      row(span('A2', ''), span('B2', 'table:number-rows-spanned="2"'), span('C2', '')),
      row(span('A3', ''), covered('B3'), span('C3', '')),
    ]
    const [sheet] = await read(makeOds(`<table:table>${rows.join('')}</table:table>`), 100)
    expect(sheet?.rows.map(({ cells }) => cells)).toEqual([
      ['A1', '', 'C1'],
      ['A2', 'B2', 'C2'],
      ['A3', '', 'C3'],
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
    ['of before Excel 97', () => compoundFile('Book'), 'can’t be read'],
    ['an .xls without content', () => compoundFile('Workbook'), 'damaged'],
    ['another ZIP file', () => zipSync({ 'a.txt': strToU8('a') }), 'a compressed file'],
  ])('that is %s is refused', async (_, makeFile, reason) => {
    await expect(read(makeFile(), 100)).rejects.toThrow(reason)
  })

  test.each(['declares', 'hides'])(
    'that unpacks to a gigabyte, and %s it, is refused',
    { tags: 'large' },
    async (what) => {
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
      await expect(read(file, 100)).rejects.toThrow('damaged')
    },
  )

  test('of many stored parts that declare less than they have is refused', async () => {
    const file = Buffer.from(zipSync({ 'xl/workbook.xml': [Buffer.alloc(2 ** 21, ' '), { level: 0 }] }))
    const directory = file.readUInt32LE(file.length - 6)
    const entry = file.subarray(directory, -22)
    entry.writeUInt32LE(0, 24)
    const end = file.subarray(-22)
    for (const at of [8, 10]) end.writeUInt16LE(5_000, at)
    const entries = Array.from({ length: 5_000 }, () => entry)
    const bomb = Buffer.concat([file.subarray(0, directory), ...entries, end])
    await expect(read(bomb, 100)).rejects.toThrow('damaged')
  })

  test('that has a stored part read again and again, and declares less than it has, is refused', {
    tags: 'large',
  }, async () => {
    const [type, target] = ['officeDocument', 'sharedStrings'].map(
      (name) => `Type="x/${name}" Target="book.xml"`,
    )
    const book = Buffer.alloc(48 * 2 ** 20, ' ')
    book.write('<workbook>')
    book.write('</workbook>', book.length - '</workbook>'.length)
    const file = Buffer.from(
      zipSync({
        '_rels/.rels': strToU8(`<Relationship Id="a" ${type}/>`),
        '_rels/book.xml.rels': strToU8(`<Relationship Id="a" ${target}/>`),
        'book.xml': [book, { level: 0 }],
      }),
    )
    file.writeUInt32LE(0, file.lastIndexOf('book.xml') - 22)
    await expect(read(file, 100)).rejects.toThrow('too big')
  })

  test('of a cell that is repeated a million times is refused', async () => {
    const row = `<table:table-row table:number-rows-repeated="1000000">${cell(`<text:p>${'x'.repeat(1_000)}</text:p>`, 'table:number-columns-repeated="256"')}</table:table-row>`
    await expect(read(makeOds(`<table:table>${row}</table:table>`), 100_001)).rejects.toThrow('too big')
    const strings = `<sst><si><t>${'x'.repeat(10_000)}</t></si></sst>`
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(20_000)
    const file = makeWorkbook({ List: rows }, { 'xl/sharedStrings.xml': strings })
    await expect(read(file, 100_001)).rejects.toThrow('too big')
  })

  test.each(
    sample(
      [
        '<cellXfs ',
        '<xf ',
        '<cellXfs>',
        '<row><c r="',
        '&#x',
        '&amp',
        '<!--',
        '<![CDATA[',
        '"',
        '_x000',
        '="',
        '<a><b ',
        '<a b="c" ',
      ],
      5,
    ),
  )('that repeats %j is read within seconds', async (text) => {
    const xml = text.repeat(2 ** 20 / text.length)
    const files = [
      makeWorkbook({ List: '<row><c><v>1</v></c></row>' }, { 'xl/styles.xml': `<styleSheet>${xml}` }),
      makeWorkbook({ List: xml }),
      makeWorkbook({ List: `<row><c t="str"><v>${xml}</v></c></row>` }),
      makeWorkbook({ List: '' }, { 'xl/workbook.xml': `<workbook>${xml}`, '_rels/.rels': xml }),
      makeOds(xml),
      makeOds(cell(`<text:p>${xml}`)),
    ]
    for (const file of files) {
      const start = performance.now()
      await read(file, 100).catch((error) => expect(error).toBeInstanceOf(SourceError))
      expect(performance.now() - start).toBeLessThan(3_000)
    }
  })
})
