import { expect, test } from 'vitest'
import { finish } from '../../../../../../tests/support/steps.ts'
import { describeRow, previewInSteps, proposeOptions } from '../../preview.ts'
import { parseSource } from '../parse-source.ts'

async function read(text: string) {
  const parsed = await parseSource(text)
  const { rows } = finish(previewInSteps(parsed, { ...proposeOptions(parsed), generates: true }, []))
  return rows.map((row) => (row.outcome === 'new' ? Object.values(row.fields) : describeRow(row)))
}

test.each([
  [
    'Lovelace, Ada <ada@a.org>; Hopper, Grace <g@a.org>',
    [
      ['Ada Lovelace', 'ada@a.org', ''],
      ['Grace Hopper', 'g@a.org', ''],
    ],
  ],
  [
    'Ada Lovelace <ada@a.org>, "Hopper, Grace" <g@a.org>,\nx@a.org',
    [['Ada Lovelace', 'ada@a.org', ''], ['Hopper, Grace', 'g@a.org', ''], 'The name is missing.'],
  ],
])('recipients of a mail program: %j', async (text, expected) => {
  expect(await read(text)).toEqual(expected)
})

test.each([
  ['[{"name":"Ada","email":"ada@a.org","password":12345678901234567890}]', '12345678901234567890'],
  ['{"total":1,"users":[{"name":"Ada","emails":[{"value":"ada@a.org"}],"password":1.50}]}', '1.50'],
  ['{"name":"Ada","email":"ada@a.org","password":"x\\ny"}\n', 'x\ny'],
  ['{"a1":{"name":"Ada","contact":{"email":"ada@a.org"},"password":"\\u00e9"}}', 'é'],
])('JSON, whose numbers keep their digits: %s', async (text, password) => {
  expect(await read(text)).toEqual([['Ada', 'ada@a.org', password]])
})

test('damaged JSON is no list', async () => {
  await expect(read('[{"name":"Ada","email":"ada@a.org"')).rejects.toThrow('damaged or incomplete')
})

test('contacts: folded, grouped, quoted-printable, with several emails', async () => {
  const old =
    'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\r\nller;J=C3=BCrgen\r\nEMAIL;HOME:a@b.org\r\nEMAIL;PREF;INTERNET:p@b.org\r\nEND:VCARD\r\n'
  const folded =
    'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\n  Love\\, lace\r\nitem1.EMAIL;TYPE="home,x":ada@a.\r\n org\r\nEND:VCARD\r\n'
  const group = 'BEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:All\nEND:VCARD\n'
  expect(await read(old + folded + group)).toEqual([
    ['Jürgen Müller', 'p@b.org', ''],
    ['Ada Love, lace', 'ada@a.org', ''],
    'Not a person.',
  ])
})

test('contacts whose name is a nickname, or has its separators escaped', async () => {
  const card = (name: string, email = 'a@b.org') =>
    `BEGIN:VCARD\nVERSION:3.0\n${name}\nEMAIL:${email}\nEND:VCARD\n`
  expect(
    await read(card('N:;;;;\nFN:\nNICKNAME:Ada') + card('N:Ab\\;Peter\\;\\;\\;;;;;', 'p@b.org')),
  ).toEqual([
    ['Ada', 'a@b.org', ''],
    ['Peter Ab', 'p@b.org', ''],
  ])
})

test.each(['QUJD', '\\n'])('JSON with a text of millions of characters: %j', async (part) => {
  const ada = { name: 'A "d" \\', email: 'ada@a.org', password: '1e5', photo: '' }
  const photo = part.repeat(12_000_000 / part.length)
  const text = JSON.stringify([ada]).replace('"photo":""', `"photo":"${photo}"`)
  expect(await read(text)).toEqual([['A "d" \\', 'ada@a.org', '1e5']])
})

test('a directory: folded, in Base64; a hashed password is none', async () => {
  const ada =
    'version: 1\n\n# people\ndn: cn=Ada,dc=x\nobjectClass: inetOrgPerson\ncn:: QWRh\nmail: ada@a.\n org\nuserPassword: {SSHA}abc\n'
  const bob = 'dn: cn=Bob\ncn: Bob\nmail: bob@a.org\nuserPassword:: e0NMRUFSfXgg\n'
  const unit = 'dn: ou=x\nobjectClass: organizationalUnit\nou: x\n'
  expect(await read(`${ada}\n${bob}\n${unit}`)).toEqual([
    ['Ada', 'ada@a.org', ''],
    ['Bob', 'bob@a.org', 'x '],
    'Not a person.',
  ])
})

test('of an entry with several passwords none is left out', async () => {
  const ada =
    'dn: cn=Ada\ncn: Ada\nmail: ada@a.org\nuserPassword: old1\nuserPassword: {SSHA}x\nuserPassword: a1\n'
  expect(await read(ada)).toEqual([['Ada', 'ada@a.org', 'old1\na1']])
})

test('columns with unknown headers are guessed, and asked about', async () => {
  const text = 'Kdo;Oddeleni;E-mail;Tajemstvi\nJan Novák;IT;jan@a.cz;x9#Kq2\nEva Malá;IT;eva@a.cz;aB3$eF'
  expect((await parseSource(text)).layout).toMatchObject({
    columns: { email: 2, password: 3 },
    isNameGuessed: true,
    isPasswordGuessed: true,
  })
})

test.each([
  'Name,GivenName,Email,Password\nAda Lovelace,Ada,ada@a.org,x',
  'First name,Name,Email,Password\nAda,Lovelace,ada@a.org,x',
])('a name beside the first name is the whole one if it contains it: %j', async (text) => {
  expect(await read(text)).toEqual([['Ada Lovelace', 'ada@a.org', 'x']])
})

test('of several emails in a cell the first is used, which is told', async () => {
  const parsed = await parseSource('Name,Email,Password\nAda,ada@a.org; ada@b.org,x')
  const [row] = finish(previewInSteps(parsed, proposeOptions(parsed), [])).rows
  expect([row?.outcome, row?.fields.email, row && describeRow(row)]).toEqual([
    'new',
    'ada@a.org',
    'the first of 2 emails',
  ])
})

test('separators of another kind at the ends of all lines, which a spreadsheet has added, are no text', async () => {
  const list = (trailer: string, ends = trailer) =>
    `Name,Email,Password${trailer}\r\nAda,ada@a.org,x1${ends}\r\n\r\nBob,bob@a.org,y2${ends}\r\n`
  const people = (ends = '') => [
    ['Ada', 'ada@a.org', `x1${ends}`],
    ['Bob', 'bob@a.org', `y2${ends}`],
  ]
  expect(await read(list(';;;'))).toEqual(people())
  expect(await read(list(';'))).toEqual(people())
  expect(await read(list('', ';'))).toEqual(people(';'))
  expect(await read(list(',,'))).toEqual(people())
})

test('lines that are enclosed as a whole are rows, with the marks in them', async () => {
  expect(await read('"Name,Email,Password"\r\n"Ada,ada@a.org,x1"\r\n"Bob,bob@a.org,""y,2"""\r\n')).toEqual([
    ['Ada', 'ada@a.org', 'x1'],
    ['Bob', 'bob@a.org', 'y,2'],
  ])
})

test('the character that DOS ends a text with is no row', async () => {
  expect(await read('Name,Email,Password\r\nAda,ada@a.org,x1\r\n\x1a')).toEqual([['Ada', 'ada@a.org', 'x1']])
})

test('a bar in a cell of an Org table is read, as Org writes it', async () => {
  const rows =
    '| Ada | ada@a.org | a\\vert{}b |\n| Bob | bob@a.org | c\\vert 2 |\n| Eve | eve@a.org | \\vertical |'
  expect(await read(`| Name | Email | Password |\n|------+-------+----------|\n${rows}`)).toEqual([
    ['Ada', 'ada@a.org', 'a|b'],
    ['Bob', 'bob@a.org', 'c| 2'],
    ['Eve', 'eve@a.org', '\\vertical'],
  ])
})

test('numbers of rows before the first column of a table are no part of the names', async () => {
  const rows = ' 0  Ada   ada@a.org  a1x\n10  Bob   bob@a.org  b2x'
  expect(await read(`    name  email      password\n${rows}`)).toEqual([
    ['Ada', 'ada@a.org', 'a1x'],
    ['Bob', 'bob@a.org', 'b2x'],
  ])
})
