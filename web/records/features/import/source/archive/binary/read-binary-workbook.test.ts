import { readFileSync } from 'node:fs'
import { CFB, utils, write } from '@e965/xlsx'
import { expect, test } from 'vitest'
import { SourceError } from '../../sheet.ts'
import { readArchive } from '../read-archive.ts'
import { checkRecords } from './check-records.ts'

type Format = 'biff8' | 'xlsb' | 'biff5'

function makeFile(
  bookType: Format,
  cells: unknown[][],
  change: (sheet: ReturnType<typeof utils.aoa_to_sheet>) => void = () => {},
) {
  const sheet = utils.aoa_to_sheet(cells)
  change(sheet)
  const workbook = utils.book_new()
  utils.book_append_sheet(workbook, utils.aoa_to_sheet([['old']]), 'Old')
  utils.book_append_sheet(workbook, sheet, 'Staff')
  workbook.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] }
  return new Uint8Array(write(workbook, { type: 'array', bookType, cellStyles: true }))
}

async function readSheets(file: Uint8Array) {
  const sheets = await readArchive(file, 100, () => {}, 'en')
  if (typeof sheets === 'string') throw new Error('It is no workbook.')
  return sheets
}

test.each(['biff8', 'xlsb'] as const)(
  'a workbook as %s has its cells as the sheet shows them',
  async (bookType) => {
    const cells = [
      ['Name', 'Email', 'Password', 'Code', 'Day'],
      ['Zoë Łukasz 山田', 'zoe@example.com', '=1+1', 123, 45_000],
      ['Ada', 'ada@example.com', '00123 ', 0.5, true],
    ]
    const sheets = await readSheets(
      makeFile(bookType, cells, (sheet) => {
        Object.assign(sheet.D2, { z: '00000' })
        Object.assign(sheet.E2, { z: 'yyyy-mm-dd' })
        Object.assign(sheet.D3, { z: '0%' })
      }),
    )
    expect(sheets.map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ['Old', true],
      ['Staff', false],
    ])
    expect(sheets[1]?.rows.map((row) => row.cells)).toEqual([
      ['Name', 'Email', 'Password', 'Code', 'Day'],
      ['Zoë Łukasz 山田', 'zoe@example.com', '=1+1', '00123', '2023-03-15'],
      ['Ada', 'ada@example.com', '00123 ', '50%', 'TRUE'],
    ])
    expect(sheets[1]?.rows[2]?.localColumns).toEqual([4])
  },
)

test.each(['biff8', 'xlsb'] as const)('what a merged cell covers is not read as %s', async (bookType) => {
  const cells = [
    ['Name', 'Email', 'Password'],
    ['Ada', 'ada@example.com', 'below'],
    ['under', 'under', 'under'],
  ]
  const [, sheet] = await readSheets(
    makeFile(bookType, cells, (sheet) => {
      sheet['!merges'] = [utils.decode_range('B2:C2'), utils.decode_range('A3:C3')]
    }),
  )
  expect(sheet?.rows.map((row) => row.cells)).toEqual([
    ['Name', 'Email', 'Password'],
    ['Ada', 'ada@example.com', ''],
    ['under', '', ''],
  ])
})

test('a formula that is a text is that text, also without its result; of others the result is read', async () => {
  const formula = (token: number) => [8, 0, token, 5, 0, ...Buffer.from('00123')]
  const cells = [
    ['Name', 'Password'],
    ['Ada', 0],
    ['Bob', 7],
  ]
  const [, sheet] = await readSheets(
    makeFile('biff8', cells, (sheet) => {
      Object.assign(sheet.B2, { f: '"00123"', bf: formula(0x17) })
      Object.assign(sheet.B3, { f: 'damaged', bf: formula(0x1f) })
    }),
  )
  expect(sheet?.rows.map((row) => row.cells[1])).toEqual(['Password', '00123', '7'])
})

test.each([
  ['a formula that would not end', { 2653: 0xc3, 4969: 33 }],
  ['properties that would fill the memory', { 9: 173, 98: 50, 2736: 34, 2939: 84, 6903: 251, 7806: 14 }],
  ['shared texts in a sheet', { 374: 125, 3434: 175, 3811: 230, 4219: 252, 6676: 212, 7528: 181, 8160: 177 }],
])('a workbook is read that was damaged to have %s', { timeout: 20_000 }, async (_, damage) => {
  const file = new Uint8Array(readFileSync('tests/fixtures/lists/libreoffice.xls'))
  for (const [at, byte] of Object.entries(damage)) file[Number(at)] = byte
  const [sheet] = await readSheets(file)
  expect(sheet?.rows).toHaveLength(21)
})

test.each([
  ['a workbook of before Excel 97', makeFile('biff5', [['Name']])],
  ['an .xlsb that is cut off', makeFile('xlsb', [['Name', 'Email']]).subarray(0, -700)],
  ['a workbook that is cut off', makeFile('biff8', [['Name', 'Email']]).subarray(0, 700)],
  ['a workbook that is too big', new Uint8Array(11 * 1024 * 1024)],
])('%s gets a sentence', async (_, file) => {
  if (file.length > 1e7) file.set(makeFile('biff8', [['Name']]))
  await expect(readArchive(file, 100)).rejects.toThrow(SourceError)
})

type Bytes = readonly number[]
const word = (value: number) => [value & 0xff, (value >> 8) & 0xff]
const long = (value: number) => [...word(value), ...word(value >> 16)]
const makeRecord = (type: number, ...bytes: Bytes) => [...word(type), ...word(bytes.length), ...bytes]
const repeat = (count: number, bytes: Bytes) => Array.from({ length: count }, () => bytes).flat()
const letters = (text: string) => [...Buffer.from(text, 'latin1')]

const makeBegin = (kind: number, version = 0x600) =>
  makeRecord(0x809, ...word(version), ...word(kind), ...repeat(12, [0]))
const end = makeRecord(0x0a)
const makeName = (position: number, text: string) =>
  makeRecord(0x85, ...long(position), 0, 0, text.length, 0, ...letters(text))
const makeLabel = (row: number, column: number, text: string, count = text.length) =>
  makeRecord(0x204, ...word(row), ...word(column), 0, 0, ...word(count), 0, ...letters(text))
const makeSharedCell = (row: number, index: number) =>
  makeRecord(0xfd, ...word(row), 0, 0, 0, 0, ...long(index))
const makeShared = (text: string) => [...word(text.length), 0, ...letters(text)]

const wrap = (stream: Bytes, other: Bytes = []) => {
  const file = CFB.utils.cfb_new()
  if (other.length > 0) CFB.utils.cfb_add(file, '/Other', Buffer.from(other))
  CFB.utils.cfb_add(file, '/Workbook', Buffer.from(stream))
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer)
}

/** A workbook with one sheet. */
function makeStream(global: Bytes, cells: Bytes, version?: number): number[] {
  const start = makeBegin(5)
  const nameLength = makeName(0, 'Staff').length
  const position = start.length + nameLength + global.length + end.length
  return [
    ...[...start, ...makeName(position, 'Staff'), ...global, ...end],
    ...[...makeBegin(0x10, version), ...cells, ...end],
  ]
}

const label = makeLabel(0, 0, 'Ada')
const shared = makeShared('Ada')
const makeTexts = (count: number, ...bytes: Bytes) =>
  makeRecord(0xfc, ...long(count), ...long(count), ...bytes)

test.each([
  ['a shared text whose length is cut off', makeStream(makeTexts(2, ...shared, 9), makeSharedCell(0, 0))],
  ['more shared texts than the record holds', makeStream(makeTexts(9e8, ...shared), makeSharedCell(0, 0))],
  [
    'shared texts, the last of which has more characters than the record',
    makeStream(makeTexts(2, ...shared, 255, 255, 0, 1), makeSharedCell(0, 0)),
  ],
  [
    'shared texts, the last of which has more formats than the record',
    makeStream(makeTexts(2, ...shared, 1, 0, 12, 255, 255, 255, 255, 255, 255, 1), makeSharedCell(0, 0)),
  ],
  [
    'a shared text with its formats in continuations',
    makeStream(
      [
        ...makeTexts(2, 1, 0, 12, ...word(1), ...long(4), ...letters('x'), 0),
        ...[...makeRecord(0x3c, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0), ...makeRecord(0x3c, 1, ...letters('A\0d\0'))],
        ...makeRecord(0x3c, 0, ...letters('a')),
      ],
      makeSharedCell(0, 1),
    ),
  ],
  [
    'merged cells that the records do not hold',
    makeStream([], [...label, ...repeat(1_300, makeRecord(0xe5, 255, 255))]),
  ],
  ['a formula whose length is cut off', makeStream([], [...label, ...makeRecord(0x06, ...repeat(20, [0]))])],
  [
    'a formula in a continuation',
    makeStream(
      [],
      [...label, ...makeRecord(0x06, ...repeat(20, [0])), ...makeRecord(0x3c, 3, 0, 0x1f, 0, 0)],
    ),
  ],
  [
    'shared texts in a sheet',
    makeStream(makeTexts(1, ...shared), [...makeTexts(1, 9), ...makeSharedCell(0, 0)]),
  ],
  ['a sheet of another version', makeStream([], label, 0x500)],
  [
    'a record behind the last sheet that would lock it',
    [...makeStream([], label), ...makeRecord(0x2f, 1, 0)],
  ],
  ['a column that no sheet has', makeStream([], [...label, ...makeLabel(0, 65_535, 'far')])],
])('of a workbook with %s the rest is read', async (_, stream) => {
  const sheets = await readSheets(wrap(stream))
  expect(sheets.map(({ name, rows }) => [name, rows.map((row) => row.cells)])).toEqual([['Staff', [['Ada']]]])
})

test.each([
  ['a cell that is longer than its record', makeStream([], makeLabel(0, 0, 'Ada', 65_535))],
  [
    'a name of a sheet that is longer than its record',
    makeStream(makeRecord(0x85, 9, 0, 0, 0, 0, 0, 9, 0), label),
  ],
  ['a format that is longer than its record', makeStream(makeRecord(0x41e, 9, 0, 255, 255, 0), label)],
  ['a cell with a shared text that is cut off', makeStream(makeTexts(1, 9, 0, 0, 65), makeSharedCell(0, 0))],
  ['text instead of records', [...makeRecord(0x0a), ...letters('Name,Email\nAda,a@b.org\n')]],
])('a workbook with %s is damaged', async (_, stream) => {
  await expect(readSheets(wrap(stream))).rejects.toThrow('This workbook is damaged')
})

test('more records of merged cells than a program writes are too many', async () => {
  const stream = makeStream([], [...label, ...repeat(5_001, makeRecord(0xe5, 0, 0))])
  await expect(readSheets(wrap(stream))).rejects.toThrow('too big')
})

test('a shared text in more pieces than a program writes is too big', () => {
  const start = Buffer.from([...makeBegin(5), ...makeTexts(1, 255, 255, 0, 65)])
  const piece = Buffer.from(makeRecord(0x3c, 0, 65))
  const stream = Buffer.concat([start, Buffer.alloc(150_000 * piece.length, piece)])
  expect(() => checkRecords(stream)).toThrow('too big')
})

test('a workbook with a password is locked, whatever is behind', async () => {
  const stream = makeStream([...makeRecord(0x2f, 1, 0, 1), ...makeRecord(0x41e, 9, 0, 255, 255, 0)], label)
  await expect(readSheets(wrap(stream))).rejects.toThrow('locked with a password')
})

test('a sheet that has several names is read once', async () => {
  const stream = makeStream(Array.from({ length: 300 }, (_, i) => makeName(i, 'Staff')).flat(), label)
  expect(await readSheets(wrap(stream))).toHaveLength(1)
})

test('columns are hidden up to the last that a sheet has', () => {
  const columns = makeRecord(0x7d, 0, 0, 255, 255, 0, 0, 0, 0, 1, 0, 0, 0)
  const stream = Uint8Array.from(makeStream([], [...repeat(100, columns), ...label]))
  const checked = Buffer.from(checkRecords(stream))
  const at = checked.indexOf(Buffer.from(columns.slice(0, 6)))
  expect(checked.readUInt16LE(at + 6)).toBe(255)
  expect(
    repeat(1, [...checked])
      .join()
      .split('125,0,12,0').length - 1,
  ).toBe(16)
})

test('a chain of sectors without an end beside the workbook is left alone', async () => {
  const file = wrap(makeStream([], label), repeat(5_000, [1]))
  const view = new DataView(file.buffer, file.byteOffset)
  const table = (view.getUint32(76, true) + 1) * 512
  const entry = Buffer.from(file.buffer, file.byteOffset).indexOf(Buffer.from('Other\0', 'utf16le'))
  const start = view.getUint32(entry + 116, true)
  view.setUint32(entry + 116, start + 1, true)
  view.setUint32(table + 4 * (start + 2), start + 1, true)
  const [sheet] = await readSheets(file)
  expect(sheet?.rows.map((row) => row.cells)).toEqual([['Ada']])
})
