import { strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { SourceError } from '../../sheet.ts'
import { readArchive } from '../read-archive.ts'

type Bytes = readonly number[]
const short = (value: number) => [value & 0xff, (value >> 8) & 0xff]
const long = (value: number) => [...short(value), ...short(value >>> 16)]
const double = (value: number) => [...new Uint8Array(new Float64Array([value]).buffer)]
const text = (value: string) => [...long(value.length), ...Buffer.from(value, 'utf16le')]
const record = (type: number, ...bytes: Bytes) => [
  ...(type < 128 ? [type] : [(type & 127) | 128, type >> 7]),
  ...(bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]),
  ...bytes,
]
const row = (number: number, isHidden = false) =>
  record(0, ...long(number), ...long(0), ...short(300), 0, isHidden ? 0x10 : 0, 0, ...long(0))
const cell = (type: number, column: number, style: number, ...value: Bytes) =>
  record(type, ...long(column), ...short(style), 0, 0, ...value)
/** Behind the cell before it. */
const shortCell = (type: number, style: number, ...value: Bytes) =>
  record(type, ...short(style), 0, 0, ...value)
const end = record(146)

const relationship = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`
const makeFile = (sheet: Bytes, { is1904 = false, state = 0 } = {}) =>
  zipSync({
    '_rels/.rels': strToU8(`<R>${relationship('a', 'officeDocument', 'xl/workbook.bin')}</R>`),
    'xl/_rels/workbook.bin.rels': strToU8(
      `<R>${relationship('s', 'worksheet', 'worksheets/sheet1.bin')}${relationship('t', 'sharedStrings', 'sharedStrings.bin')}${relationship('y', 'styles', 'styles.bin')}</R>`,
    ),
    'xl/workbook.bin': Uint8Array.from([
      ...record(153, ...long(Number(is1904)), ...long(0), ...text('')),
      ...record(156, ...long(state), ...long(1), ...text('s'), ...text('Staff')),
    ]),
    'xl/sharedStrings.bin': Uint8Array.from([
      ...record(159, ...long(2), ...long(2)),
      ...record(19, 0, ...text('Ada')),
      // With formats of its characters behind it.
      ...record(19, 1, ...text('Zoë'), ...long(1), ...short(0), ...short(0)),
    ]),
    'xl/styles.bin': Uint8Array.from([
      ...record(44, ...short(164), ...text('00000')),
      ...record(626, ...long(1)),
      ...record(47, ...short(0), ...short(9)),
      ...record(627),
      ...record(617, ...long(3)),
      ...record(47, ...short(0), ...short(0)),
      ...record(47, ...short(0), ...short(164)),
      ...record(47, ...short(0), ...short(9)),
      ...record(618),
    ]),
    'xl/worksheets/sheet1.bin': Uint8Array.from(sheet),
  })

async function readSheets(file: Uint8Array) {
  const sheets = await readArchive(file, 100, () => {}, 'en')
  if (typeof sheets === 'string') throw new Error('It is no workbook.')
  return sheets
}

test('has each kind of cell', async () => {
  const packed = (value: number) => long((value << 2) | 2)
  const [sheet] = await readSheets(
    makeFile([
      ...record(60, ...long(3), ...long(3), ...long(0), ...long(0), ...short(1)),
      ...record(145),
      ...row(0),
      ...cell(7, 0, 0, ...long(0)),
      ...cell(7, 2, 0, ...long(1)),
      ...cell(6, 3, 0, ...text('secret ')),
      ...cell(2, 4, 1, ...packed(123)),
      ...cell(2, 5, 0, ...long((1_250 << 2) | 3)),
      ...row(2, true),
      ...cell(5, 0, 2, ...double(0.5)),
      ...cell(4, 1, 0, 1),
      ...cell(3, 2, 0, 0x2a),
      ...cell(62, 3, 0, 1, ...text('rich'), ...long(0)),
      ...cell(8, 4, 0, ...text('text'), ...short(0), ...long(0)),
      // Stands between the cells of formulas.
      ...record(427, ...long(0)),
      ...cell(9, 5, 0, ...double(7), ...short(0)),
      ...cell(10, 6, 0, 0, ...short(0)),
      ...cell(11, 7, 0, 7, ...short(0)),
      ...row(3),
      ...cell(1, 0, 0),
      ...shortCell(18, 0, ...long(0)),
      ...shortCell(12, 0),
      ...shortCell(13, 1, ...packed(7)),
      ...shortCell(17, 0, ...text('behind')),
      ...end,
    ]),
  )
  expect(sheet?.rows.map(({ number, cells }) => [number, ...cells])).toEqual([
    [1, 'Ada', '', 'Zoë', 'secret ', '00123', '12.5'],
    [3, '50%', 'TRUE', '', 'rich', 'text', '7', 'FALSE', ''],
    [4, '', 'Ada', '', '00007', 'behind'],
  ])
  expect(sheet?.rows.map(({ isHidden }) => isHidden)).toEqual([false, true, false])
  expect(sheet?.rows[1]?.failedColumns).toEqual([2, 7])
  expect(sheet?.hiddenColumns).toEqual(new Set([3]))
})

test.each([
  ['a cell', cell(7, 0, 1, ...long(0)), true],
  ['a part of a shared text', cell(7, 0, 0, ...long(1)), true],
  ['a part of a text', cell(62, 0, 0, 1, ...text('Zoë'), ...long(1), ...short(1), ...short(1)), true],
  ['no cell', [...cell(7, 0, 0, ...long(0)), ...cell(62, 1, 0, 0, ...text('Zoë'))], false],
])('tells whether text is struck out: %s', async (_, cells, isStruck) => {
  const files = unzipSync(makeFile([...row(0), ...cells, ...end]))
  const style = (font: number) => record(47, ...short(0), ...short(0), ...short(font))
  const font = (flags: number) => record(43, ...short(200), ...short(flags))
  const styles = [...font(0), ...font(8), ...record(617), ...style(0), ...style(1), ...record(618)]
  const texts = [
    ...record(19, 0, ...text('Ada')),
    ...record(19, 1, ...text('Zoë'), ...long(1), ...short(1), ...short(1)),
  ]
  files['xl/styles.bin'] = Uint8Array.from(styles)
  files['xl/sharedStrings.bin'] = Uint8Array.from(texts)
  const [sheet] = await readSheets(zipSync(files))
  expect(sheet?.hasStruckText ?? false).toBe(isStruck)
})

test.each([0, 1, 2])('tells whether the sheet is hidden: %i', async (state) => {
  const [sheet] = await readSheets(makeFile([...row(0), ...cell(7, 0, 0, ...long(0)), ...end], { state }))
  expect(sheet).toMatchObject({ name: 'Staff', isHidden: state > 0 })
})

test.each([
  ['without its end', [...row(0), ...cell(7, 0, 0, ...long(0))]],
  ['with a text that is longer than its record', [...row(0), ...cell(6, 0, 0, ...long(9)), ...end]],
  ['with a record that is longer than the sheet', [...row(0), 6, 99]],
  ['with a cell before another', [...row(0), ...cell(4, 1, 0, 1), ...cell(4, 0, 0, 1), ...end]],
])('a sheet %s is damaged', async (_, sheet) => {
  await expect(readArchive(makeFile(sheet), 100)).rejects.toThrow(SourceError)
})
