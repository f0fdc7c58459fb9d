import { readFileSync } from 'node:fs'
import { utils, write } from '@e965/xlsx'
import { expect, test } from 'vitest'
import { SourceError } from '../sheet.ts'
import { readArchive } from './read-archive.ts'

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

test('an .xls has its cells as the sheet shows them', async () => {
  const cells = [
    ['Name', 'Email', 'Password', 'Code', 'Day'],
    ['Zoë Łukasz 山田', 'zoe@example.com', '=1+1', 123, 45_000],
    ['Ada', 'ada@example.com', '00123 ', 0.5, true],
  ]
  const sheets = await readSheets(
    makeFile('biff8', cells, (sheet) => {
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
})

test('what a merged cell covers is not read', async () => {
  const cells = [
    ['Name', 'Email', 'Password'],
    ['Ada', 'ada@example.com', 'below'],
    ['under', 'under', 'under'],
  ]
  const [, sheet] = await readSheets(
    makeFile('biff8', cells, (sheet) => {
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
])('a workbook is read that was damaged to have %s', { timeout: 20_000 }, async (_, damage) => {
  const file = new Uint8Array(readFileSync('tests/fixtures/lists/libreoffice.xls'))
  for (const [at, byte] of Object.entries(damage)) file[Number(at)] = byte
  const [sheet] = await readSheets(file)
  expect(sheet?.rows).toHaveLength(21)
})

test.each([
  ['a workbook of before Excel 97', makeFile('biff5', [['Name']])],
  ['an .xlsb', makeFile('xlsb', [['Name']])],
  ['a workbook that is cut off', makeFile('biff8', [['Name', 'Email']]).subarray(0, 700)],
  ['a workbook that is too big', new Uint8Array(11 * 1024 * 1024)],
])('%s gets a sentence', async (_, file) => {
  if (file.length > 1e7) file.set(makeFile('biff8', [['Name']]))
  await expect(readArchive(file, 100)).rejects.toThrow(SourceError)
})
