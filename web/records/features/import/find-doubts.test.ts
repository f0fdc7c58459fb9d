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

const plain: [string, string] = ['Grace Hopper', 'c0bol-60{x}+y$z&amp%zz']

test.each([
  ['6t1J,&gt;AVonp', /such as &amp; may stand/],
  ['a&#39;b1', /such as &amp; may stand/],
  ['NULL', /such as NULL may stand/],
  ['\\N', /such as NULL may stand/],
  ['<NA>', /such as NULL may stand/],
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
  ['pÃ¤ss1', /can’t be seen/],
  ['pa\u0308ss1', /can’t be seen/],
  ['ｅｎ９ｉｎｅ', /can’t be seen/],
  ['abc©1', /word processor/],
  ['[a.me](https://a.me)', /may be no part/],
  ['a@b1<mailto:a@b1>', /may be no part/],
  ['<http://a.me|a.me>', /may be no part/],
  ['PW:en9ine', /may be no part/],
  ['pass=en9ine', /may be no part/],
  ['p1/en9ine', /may be no part/],
  ['p1@example.com: en9ine', /may be no part/],
  ['Passwort', /such as NULL may stand/],
  ['\u0024{ADA_PASSWORD}', /such as NULL may stand/],
  ['{REF:P@I:46C9B1FFBD4ABC4BBB260C6190BAD20C}', /such as NULL may stand/],
  ['a&euro;b1', /such as &amp; may stand/],
  ['a%0Ab1', /such as %22 may stand/],
  ['a=3Db1', /such as %22 may stand/],
  ['12.03.1985', /such as 1.2E\+15 or 4-Mar/],
  ['3/12/85', /such as 1.2E\+15 or 4-Mar/],
  ['1985-03-12 00:00:00', /such as 1.2E\+15 or 4-Mar/],
  ['123456.0', /such as 1.2E\+15 or 4-Mar/],
  ['12:30:00', /such as 1.2E\+15 or 4-Mar/],
  ['50%', /such as 1.2E\+15 or 4-Mar/],
  ['🔑en9ine', /may be no part/],
  ['en9ineCopy', /may be no part/],
  ['en9ine\u00ad', /can’t be seen/],
  ['1,234,567', /such as 1.2E\+15 or 4-Mar/],
  ['gesperrt', /such as NULL may stand/],
  ['Unbekannt.', /such as NULL may stand/],
  ['idem', /such as NULL may stand/],
  ['s. o.', /such as NULL may stand/],
  ['siehe KeePass', /such as NULL may stand/],
  ['なし', /such as NULL may stand/],
  ['TRUE', /such as NULL may stand/],
  ['nein', /such as NULL may stand/],
  ['SSO', /such as NULL may stand/],
  ['-"-', /such as NULL may stand/],
  ['--"--', /such as NULL may stand/],
  ['########', /such as NULL may stand/],
  ['System.Object[]', /such as NULL may stand/],
  ['System.Security.SecureString', /such as NULL may stand/],
  ['2.5vLpZ1qJYtQ0xkGdBfWm3A==|9aTnW4oRhXb2sKcE8yUiDg==|q1w2e3r4t5y6=', /look encrypted/],
  ['ENC(Gx8f3dLkPqRs==)', /look encrypted/],
  ['01000000d08c9ddf0115d1118c7a00c04fc297eb', /look encrypted/],
  ['U2FsdGVkX1+abcdefgh', /look encrypted/],
  ['old1 -> en9ine', /may be no part/],
  ['en9ine <- changed', /may be no part/],
  ['en9ine # of May', /may be no part/],
  ['en9ine // old', /may be no part/],
  ['en9ine / m1', /may be no part/],
  ['en9ine [old]', /may be no part/],
  ['~~old1~~ en9ine', /may be no part/],
  ['en9ine<br>m1', /may be no part/],
  ['en9“ine”x', /word processor/],
  ['c0bol–60', /word processor/],
  ['en***!x', /may be cut/],
  ['e•••••x', /may be cut/],
  ['en9ine…', /may be cut/],
  ['en9ine...', /may be cut/],
  ["'00123", /begin with an apostrophe/],
  ['https://example.com/reset/1', /look like a name or an address/],
  ['eve@example.com', /look like a name or an address/],
  ['Grace Hopper', /look like a name or an address/],
  ['P1@EXAMPLE.com', /look like a name or an address/],
  ['Ada', /look like a name or an address/],
])('the password %j is asked about', async (password, doubt) => {
  expect(await findDoubts(listOf(plain))).toEqual([])
  expect(await findDoubts(listOf(plain, ['Ada', password]))).toEqual([expect.stringMatching(doubt)])
})

test.each([
  ['of a code beside a sign that programs encode too', 'x{%22}y'],
  ['of a code beside a percent sign alone', 'x%22%y'],
  ['of an address that no person has', '*v?Kh@hq.os'],
])('a password is not asked about because %s', async (_, password) => {
  expect(await findDoubts(listOf(plain, ['Ada', password]))).toEqual([])
})

test('a few of many passwords may begin with an apostrophe, unless spreadsheets would change what follows', async () => {
  const many = (...passwords: string[]) =>
    listOf(
      ...Array.from({ length: 20 }, (_, i): [string, string] => ['Ada', `en9ine${i}!`]),
      ...passwords.map((password): [string, string] => ['Bob', password]),
    )
  const doubt = expect.stringMatching('begin with an apostrophe')
  expect(await findDoubts(many("'rf)pGja", "'y1:m2<df"))).toEqual([])
  expect(await findDoubts(many("'a1", "'b2", "'c3"))).toEqual([doubt])
  for (const changed of ["'00123", "'3/4", "'1e5", "'4-Mar", "'TRUE"])
    expect(await findDoubts(many(changed))).toEqual([doubt])
})

const oneWord: [string, string][] = [
  ['Bob', 'b0b!x'],
  ['Cy', 'cy-77'],
]

test('several words are asked about where most passwords are one', async () => {
  const doubt = expect.stringMatching('several words or lines')
  expect(await findDoubts(listOf(...oneWord))).toEqual([])
  expect(await findDoubts(listOf(...oneWord, ['Ada', 'en9ine!x, please change']))).toEqual([doubt])
  expect(await findDoubts(listOf(['Ada', 'correct horse'], ['Bob', 'battery staple']))).toEqual([])
})

test('several lines are asked about wherever they are', async () => {
  const doubt = expect.stringMatching('several words or lines')
  expect(await findDoubts(listOf(['Ada', '"en9ine!x\nm1"']))).toEqual([doubt])
})

test.each([
  ['=', '='],
  ['~', '~'],
  ['_', '_'],
  ['{{', '}}'],
  ['[', ']'],
])('%s and %s around all passwords are asked about', async (open, close) => {
  const enclosed = oneWord.map(([name, password]): [string, string] => [name, open + password + close])
  expect(await findDoubts(listOf(...enclosed))).toEqual([expect.stringMatching('may be no part')])
  expect(await findDoubts(listOf(['Ada', 'en9ine!'], ...enclosed))).toEqual([])
})

test.each(['.', ',', ';'])('%s behind all passwords is asked about', async (end) => {
  const ended = oneWord.map(([name, password]): [string, string] => [name, password + end])
  expect(await findDoubts(listOf(...ended))).toEqual([expect.stringMatching('may be no part')])
  expect(await findDoubts(listOf(['Ada', 'en9ine!'], ...ended))).toEqual([])
})

test('passwords that are all Base64 of readable text are asked about', async () => {
  const encode = (password: string) => Buffer.from(password).toString('base64')
  const encoded = oneWord.map(([name, password]): [string, string] => [name, encode(password)])
  expect(await findDoubts(listOf(...encoded))).toEqual([expect.stringMatching('look encrypted')])
  expect(await findDoubts(listOf(['Ada', 'en9ine!'], ...encoded))).toEqual([])
})

test('a password that looks like a name is asked about where the name looks like a password', async () => {
  expect(await findDoubts(listOf(...oneWord, ['c0bol-60', 'Grace']))).toEqual([
    expect.stringMatching('look like a name'),
  ])
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
  'Cleartext-Password := x',
  'Zo%C3%AB',
  'Zo\\u00eb',
  "Finn O\\'Neil",
  'Ada \\"A\\" Lovelace',
  '\u001e;L30 \u001820=>20',
  'A &amp; B',
  '> Ada',
  '+Ada',
  '-Ada',
  '12;#Ada',
  'Ada (https://example.com/Ada-123)',
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
  expect(await findDoubts(listOf(escaped, ['Bob', 'a\\Xb']))).toEqual([])
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

test('asks about names with the number of their row', async () => {
  expect(await findDoubts('Name Email Password\n1 Ada ada@a.org a1x\n2 Bob bob@a.org b2x\n')).toEqual([
    'the names',
  ])
})

test('asks about labels before all emails or passwords', async () => {
  const withLabel = /may be no part of some cells/
  const emails =
    'Name\tEmail\tPassword\nAda\tUser|7|ada@example.com\ten9ine!\nBob\tUser|7|bob@example.com\tbr1dge?'
  expect(await findDoubts(emails)).toEqual([expect.stringMatching(withLabel)])
  const all = listOf(['Ada', 'password en9ine!'], ['Bob', 'password br1dge?'])
  expect(await findDoubts(all)).toEqual([expect.stringMatching(withLabel)])
})
