import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync, strToU8 } from 'fflate'
import { expect, test } from 'vitest'
import { parseSource } from '../parse-source.ts'

const damaged = 'This workbook is damaged'
/** What it holds may not be known before the damage is. */
const damagedOrPacked = /This workbook is damaged|This is a compressed file/

const cell = (row: number, column: number, text: string, more = 'ValueType="60"') =>
  `<gnm:Cell Row="${row}" Col="${column}" ${more}>${text}</gnm:Cell>`
const row = (number: number, name: string, password: string) =>
  cell(number, 0, name) + cell(number, 1, `${name.toLowerCase()}@example.com`) + password
const header = ['Name', 'Email', 'Password'].map((text, i) => cell(0, i, text)).join('')
const sheet = (name: string, cells: string, { before = '', after = '', visibility = 'VISIBLE' } = {}) =>
  `<gnm:Sheet Visibility="GNM_SHEET_VISIBILITY_${visibility}"><gnm:Name>${name}</gnm:Name><gnm:Names><gnm:Name><gnm:name>Print_Area</gnm:name></gnm:Name></gnm:Names>${before}<gnm:Cells>${cells}</gnm:Cells>${after}</gnm:Sheet>`
const workbook = (...sheets: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets>${sheets.join('')}</gnm:Sheets></gnm:Workbook>`

const pack = (text: string) => gzipSync(strToU8(text))
const read = (content: string | Uint8Array) =>
  parseSource(new File([Buffer.from(content as string)], 'staff.gnumeric'))

test('a workbook that Gnumeric has saved has every cell, packed and unpacked', async () => {
  const saved = readFileSync('tests/fixtures/lists/gnumeric.gnumeric')
  const other = await read(readFileSync('tests/fixtures/lists/gnumeric.xlsx'))
  expect(other.rows).toHaveLength(21)
  for (const content of [saved, gunzipSync(saved)]) expect((await read(content)).rows).toEqual(other.rows)
})

test('a cell is what its sheet shows; of formulas the file has no result', async () => {
  const area = (start: number, code: string) =>
    `<gnm:StyleRegion startCol="2" startRow="${start}" endCol="2" endRow="${start}"><gnm:Style Format="${code}"><gnm:Condition><gnm:Style Format="0%"/></gnm:Condition></gnm:Style></gnm:StyleRegion>`
  const styles = `<gnm:Styles>${area(2, 'ddmmyyyy')}${area(1, '00000')}<gnm:StyleRegion startCol="0" startRow="3" endCol="255" endRow="65535"><gnm:Style Format="General"/></gnm:StyleRegion></gnm:Styles>`
  const passwords = [
    cell(1, 2, '123', 'ValueType="40"'),
    cell(2, 2, '31118', 'ValueType="40" ValueFormat="0.00"'),
    cell(3, 2, '0.5', 'ValueType="40" ValueFormat="0%"'),
    cell(4, 2, 'TRUE', 'ValueType="20"'),
    cell(5, 2, '#N/A', 'ValueType="50"'),
    cell(6, 2, '=1+1', ''),
    cell(7, 2, '=&quot;00123&quot;', ''),
    cell(8, 2, '=1+1'),
    cell(9, 2, ' a\n b '),
    cell(10, 2, 'covered'),
  ]
  const rows = passwords.map((password, i) => row(i + 1, `P${i}`, password)).join('')
  const merged = '<gnm:MergedRegions><gnm:Merge>C10:C11</gnm:Merge></gnm:MergedRegions>'
  const text = workbook(sheet('List', header + rows, { before: styles, after: merged }))
  for (const content of [text, pack(text)]) {
    const source = await read(content)
    const data = source.rows.slice(1)
    expect(data.map(({ cells }) => cells[2] ?? '')).toEqual([
      '00123',
      '12031985',
      '50%',
      'TRUE',
      '',
      '',
      '00123',
      '=1+1',
      ' a\n b ',
      '',
    ])
    expect(data.filter(({ failedColumns }) => failedColumns).map(({ number }) => number)).toEqual([6, 7])
  }
})

test('hidden sheets, columns and rows are told, and not chosen', async () => {
  const before =
    '<gnm:Cols><gnm:ColInfo No="0" Count="3"/><gnm:ColInfo No="3" Hidden="1"/></gnm:Cols><gnm:Rows><gnm:RowInfo No="2" Hidden="1" Count="2"/></gnm:Rows>'
  const rows = ['Ada', 'Bob', 'Cy'].map((name, i) =>
    row(i + 1, name, cell(i + 1, 2, `x${i}`) + cell(i + 1, 3, 'old')),
  )
  const list = sheet('List', header + rows.join(''), { before })
  const old = sheet('Old', header + row(1, 'Old', cell(1, 2, 'old')), { visibility: 'VERY_HIDDEN' })
  const { workbook: found } = await read(pack(workbook(old, list)))
  expect(found).toEqual({
    sheets: [
      { name: 'Old', isHidden: true },
      { name: 'List', isHidden: false },
    ],
    sheet: 1,
    hiddenRowCount: 2,
    hiddenColumnCount: 1,
  })
})

test('the days of an old Mac are four years later', async () => {
  const days = cell(1, 2, '29656', 'ValueType="40" ValueFormat="ddmmyyyy"')
  const text = workbook(sheet('List', header + row(1, 'Ada', days))).replace(
    '<gnm:Sheets>',
    '<gnm:DateConvention>Apple:1904</gnm:DateConvention><gnm:Sheets>',
  )
  expect((await read(text)).rows[1]?.cells[2]).toBe('12031985')
})

const list = workbook(sheet('List', header + row(1, 'Ada', cell(1, 2, 'x1'))))

test.each([
  ['is cut off', pack(list.repeat(1_000)).subarray(0, -9), damagedOrPacked],
  ['has another checksum', pack(list).with(-8, (pack(list).at(-8) ?? 0) ^ 1), damagedOrPacked],
  ['has no order of rows', workbook(sheet('List', row(1, 'Ada', '') + header)), damaged],
  ['has a cell without a place', list.replace('Row="1"', ''), damaged],
  ['has a cell in no place', list.replace('Row="1"', 'Row="1e999"'), damaged],
  ['has no rows', workbook(sheet('List', '')), 'The workbook is empty.'],
  ['unpacks to more than is read', pack(list + ' '.repeat(129 * 2 ** 20)), 'This workbook is too big.'],
  [
    'has too many formats',
    workbook(
      sheet('List', '', {
        before:
          '<gnm:StyleRegion startCol="0" startRow="0" endCol="255" endRow="1"><gnm:Style Format="0"/></gnm:StyleRegion>'.repeat(
            4_000,
          ),
      }),
    ),
    'This workbook is too big.',
  ],
  [
    'is another file that gzip has packed',
    pack('Name,Email\nAda,ada@example.com'),
    'This is a compressed file.',
  ],
])('a file that %s is refused', async (_, content, problem) => {
  await expect(read(content)).rejects.toThrow(problem)
})
