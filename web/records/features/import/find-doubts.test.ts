import { expect, test } from 'vitest'
import { finish } from '../../../../tests/support/steps.ts'
import { writeWorkbook } from '../../model/spreadsheet/write-workbook.ts'
import { previewInSteps, proposeOptions } from './preview.ts'
import { parseSource } from './source/parse-source.ts'

async function findDoubts(source: string | File): Promise<string[]> {
  const parsed = await parseSource(source)
  const { doubts, areNamesBroken, counts } = finish(previewInSteps(parsed, proposeOptions(parsed), []))
  expect(counts).toMatchObject({ new: parsed.rows.length - 1, invalid: 0 })
  return [...doubts.map(([, english]) => String(english)), ...(areNamesBroken ? ['the names'] : [])]
}

const listOf = (...people: [name: string, password: string][]) =>
  [
    ['Name', 'Email', 'Password'],
    ...people.map(([name, password], i) => [name, `p${i}@example.com`, password]),
  ]
    .map((cells) => cells.join('\t'))
    .join('\n')

const plain: [string, string] = ['Grace Hopper', 'c0bol-60 {x}+y$z&amp%zz']

test.each([
  ['6t1J,&gt;AVonp', /such as &amp; may stand/],
  ['a&#39;b1', /such as &amp; may stand/],
  ['NULL', /such as NULL may stand/],
  ['\\N', /such as NULL may stand/],
  ['(null)', /such as NULL may stand/],
  ['$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', /look encrypted/],
  ['{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3', /look encrypted/],
  ['pbkdf2_sha256$260000$abcdefgh$e2PIbsdM3IxQEVyoFZkTsd4OgcLAPbpcYhlC4Iv4', /look encrypted/],
  ['5f4dcc3b5aa765d61d8327deb882cf99', /look encrypted/],
  ['1.23457E+15', /such as 1.2E\+15 or 4-Mar/],
  ['9,99E+14', /such as 1.2E\+15 or 4-Mar/],
  ['4-Mar', /such as 1.2E\+15 or 4-Mar/],
  ['Mar-85', /such as 1.2E\+15 or 4-Mar/],
  ['abc123 (please change)', /may be no part/],
  ['n/a', /such as NULL may stand/],
  ['-', /such as NULL may stand/],
  ['tbd', /such as NULL may stand/],
  ['(same)', /such as NULL may stand/],
  ['see vault', /such as NULL may stand/],
  ['same as before', /such as NULL may stand/],
  ['xxxxx', /such as NULL may stand/],
  ['two_x000D_lines', /such as _x0041_/],
  ['p%22w', /such as %22 may stand/],
  ['secret\u00adpass', /can’t be seen/],
  ['secret\u200bpass', /can’t be seen/],
  ['secret\ufffdpass', /can’t be seen/],
])('the password %j is asked about', async (password, doubt) => {
  expect(await findDoubts(listOf(plain))).toEqual([])
  expect(await findDoubts(listOf(plain, ['Ada', password]))).toEqual([expect.stringMatching(doubt)])
})

test.each([
  'ZoÃ« MÃ¼ller',
  'JÃ¶rg StraÃŸe',
  'Zo√´ M√ºller',
  'Oâ€™Neil',
  'РђРЅРЅР°',
  'M\ufffdller',
  'M?ller',
  'Zo=C3=AB',
  'Zo%C3%AB',
  'Zo\\u00eb',
  "Finn O\\'Neil",
  'Ada \\"A\\" Lovelace',
  '\u001e;L30 \u001820=>20',
  'A &amp; B',
  '> Ada',
  '+Ada',
  '-Ada',
  'NULL',
])('the name %j is asked about', async (name) => {
  expect(await findDoubts(listOf(plain, [name, 'en9ine!']))).toHaveLength(1)
})

test.each([
  'Zoë Müller',
  'JOÃO CONCEIÇÃO',
  'Anne-Marie O’Neil',
  'Łukasz Żółkiewski',
  'Россия Русь',
  'Ελένη',
  '山田 太郎',
  'Jennifer Null',
  'Who? Me',
  'R&D',
  'AD\\nina',
  "D'Arcy",
])('the name %j is not', async (name) => {
  expect(await findDoubts(listOf(plain, [name, 'en9ine!']))).toEqual([])
})

test('a sign before the emails is asked about: it may stand before the passwords too', async () => {
  const table = 'Name\t&Email\t&Password\nAda\t&ada@example.com\t&00123\nBob\t&bob@example.com\t&en9ine!'
  expect(await findDoubts(table)).toEqual([expect.stringMatching('may be no part')])
})

test('backslashes that may all be escapes are asked about in text, not in a workbook', async () => {
  const escaped: [string, string] = ['Ada', 'se\\tcret']
  expect(await findDoubts(listOf(plain, escaped))).toEqual([expect.stringMatching(/such as \\t may stand/)])
  expect(await findDoubts(listOf(plain, escaped, ['Bob', 'a\\Xb']))).toEqual([])
  const workbook = writeWorkbook(
    listOf(plain, escaped)
      .split('\n')
      .map((line) => line.split('\t')),
  )
  expect(await findDoubts(new File([workbook], 'staff.xlsx'))).toEqual([])
})

test.each(['<masked>', '*MASKED*', '[hidden]', '********'])('%j is no password', async (password) => {
  const parsed = await parseSource(listOf(plain, ['Ada', password]))
  const { rows } = finish(previewInSteps(parsed, proposeOptions(parsed), []))
  expect(rows.map(({ outcome }) => outcome)).toEqual(['new', 'invalid'])
})

test('a month alone is not asked about', async () => {
  expect(await findDoubts(listOf(plain, ['Ada', 'May']))).toEqual([])
})

test('numbers that are shorter than most are asked about: their zeros may be lost', async () => {
  const listOfPins = (...pins: string[]) => listOf(...pins.map((pin): [string, string] => ['Ada', pin]))
  const doubt = expect.stringMatching(/shorter than the others/)
  expect(await findDoubts(listOfPins('4711', '1234', '815', '9876'))).toEqual([doubt])
  expect(await findDoubts(listOfPins('4711', '1234', '0815', '9876'))).toEqual([])
  expect(await findDoubts(listOfPins('4711', '123456', '815', '98765'))).toEqual([])
})
