import { describe, expect, test } from 'vitest'
import { finish } from '../../../../../tests/support/steps.ts'
import { writeWorkbook } from '../../../model/spreadsheet/write-workbook.ts'
import { describeRow, previewInSteps, proposeOptions } from '../preview.ts'
import { parseSource } from './parse-source.ts'

/** The fields of each row that would be added, or why it would not, and whether the columns are asked about. */
async function read(text: string) {
  const parsed = await parseSource(text)
  const options = proposeOptions(parsed)
  const { rows } = finish(previewInSteps(parsed, options, []))
  const added = rows.map((row) => (row.outcome === 'new' ? Object.values(row.fields) : describeRow(row)))
  const isAsked = options.isNameGuessed || options.isPasswordGuessed || options.isEmailGuessed
  return { added, isAsked, told: rows.map(describeRow) }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

const ada = ['Ada Lovelace', 'ada@a.org', 'a1']
const bob = ['Bob Hall', 'bob@a.org', 'b2']
const people = 'Ada,Lovelace,ada@a.org,a1\nBob,Hall,bob@a.org,b2\n'

describe('a header of two lines', () => {
  test.each([
    ['a title', 'Staff 2026,,,\nFirst name,Last name,Email,Password\n'],
    ['a title and an empty line', 'Staff 2026\n\nFirst name,Last name,Email,Password\n'],
    ['groups', 'Person,,Login,\nFirst name,Last name,Email,Password\n'],
    ['groups that are headers themselves', 'Name,,Account,\nFirst,Last,Email,Password\n'],
    ['words in two rows', 'Given,Family,Mail,Initial\nname,name,address,password\n'],
    ['columns in two rows', 'First name,Last name,Account,\n,,Email,Password\n'],
    ['line breaks in cells', '"First\nname","Last\r\nname","E-Mail\naddress",Password\n'],
    [
      'hints on a second line of cells',
      'First name,Last name,"Email\n(work)","Password\nat least 8 characters"\n',
    ],
    ['hints in brackets', 'First name (given),Last name [family],Email (work),Password (min. 8)\n'],
  ])('is read: %s', async (_, header) => {
    expect(await read(header + people)).toMatchObject({ added: [ada, bob], isAsked: false })
  })

  test('with hints in a row of their own is read, and the hints are told', async () => {
    const { added } = await read(`First name,Last name,Email,Password\ntext,text,required,min. 8\n${people}`)
    expect(added).toEqual(['This is not an email address.', ada, bob])
  })

  test('takes no row of people for a part of it', async () => {
    const { added } = await read('Name,Email,Password\nAda,,a1\nBob Hall,bob@a.org,b2\n')
    expect(added).toEqual(['The email is missing.', bob])
  })

  test('of two columns with different hints names neither', async () => {
    const header = 'First name,Last name,Email,Password (old),Password (new)\n'
    const { added } = await read(`${header}Ada,Lovelace,ada@a.org,o1,a1\n`)
    expect(added).toEqual(['The password is missing.'])
  })
})

test.each([
  ['first and last name', 'First name,Last name,Name,Email,Password\n,,Ada Lovelace,ada@a.org,a1\n'],
  ['display name', 'Display name,Title,Email,Password\n,Ada Lovelace,ada@a.org,a1\n'],
  ['none but a label', 'Label,URL,Username,Password\nAda Lovelace,,ada@a.org,a1\n'],
  ['none but the name of a secret', 'SecretName,URL,Username,Password\nAda Lovelace,,ada@a.org,a1\n'],
  ['none but an address', 'account_name,url,user,password\nAda Lovelace,https://a.org,ada@a.org,a1\n'],
])('empty columns of names give way to those with text: %s', async (_, text) => {
  expect((await read(text)).added).toEqual([ada])
})

describe('columns with the same header', () => {
  test.each([
    ['passwords', 'Name,Email,Password,Password\nAda Lovelace,ada@a.org,a1,o1\n'],
    ['passwords by other words', 'Name,Email,Password,pass\nAda Lovelace,ada@a.org,a1,o1\n'],
    [
      'passwords of other rows',
      'Name,Email,Password,password:\nAda Lovelace,ada@a.org,a1,\nBob,b@a.org,,b2\n',
    ],
    ['emails', 'Name,Email,E-mail,Password\nAda Lovelace,ada@a.org,ada@b.org,a1\n'],
  ])('are asked about: %s', async (_, text) => {
    const { added, isAsked } = await read(text)
    expect([added[0], isAsked]).toEqual([ada, true])
  })

  test.each([
    'Name,Email,Password,Password\nAda Lovelace,ada@a.org,a1,a1\n',
    'Name,Email,Password,Password\nAda Lovelace,ada@a.org,a1,\n',
  ])('are not, with the same texts or none: %j', async (text) => {
    expect(await read(text)).toMatchObject({ added: [ada], isAsked: false })
  })
})

describe('several emails in a cell', () => {
  test.each([', ', ';', '; ', ' ', '\n', ' / ', '/', ' | ', ' ::: '])(
    'are told, and the first is used: %j',
    async (between) => {
      const { added, told } = await read(
        `Name,Email,Password\nAda Lovelace,"ada@a.org${between}ada@b.org",a1\n`,
      )
      expect([added, told]).toEqual([[ada], ['the first of 2 emails']])
    },
  )
})

test('a name beside a given name is the surname, or the whole name if it contains it', async () => {
  const list = (name: string) => `Name,GivenName,Email,Password\n${name},Ada,ada@a.org,a1\n`
  for (const name of ['Lovelace', 'Ada Lovelace']) expect((await read(list(name))).added).toEqual([ada])
  expect((await read('GivenName,Name,Email,Password\nAda,Lovelace,ada@a.org,a1\n')).added).toEqual([ada])
})

test.each([
  'ada@a.org,x,Ada Lovelace 👩‍💻\nbob@a.org,y,Bob Hall\n',
  'ada@a.org,c,Ada\nbob@a.org,d,Bob\n',
  'c,ada@a.org,👩‍💻\n',
])('without a header, a column that may be the names or the passwords is asked about: %j', async (text) => {
  expect((await read(text)).isAsked).toBe(true)
})

test('a password that looks like an email takes no place of the emails', async () => {
  const { added } = await read('Ada Lovelace\ta|1@34\tada@a.org\nBob Hall\tb|2@34\tbob@a.org')
  expect(added[0]).toEqual(['Ada Lovelace', 'ada@a.org', 'a|1@34'])
})

test('formulas of text in some cells only, or in the only one, are asked about', async () => {
  const doubts = async (...passwords: string[]) => {
    const rows = passwords.map((password, i) => `Ada,p${i}@a.org,${password}\n`)
    return (await parseSource(`Name,Email,Password\n${rows.join('')}`)).doubts?.length
  }
  expect(await doubts('="a1"', 'b2')).toBe(1)
  expect(await doubts('="a1"', '="b2"')).toBe(0)
  expect(await doubts('="a1"')).toBe(1)
  expect(await doubts('="00123"')).toBe(0)
  expect(await doubts('="00123"', 'b2')).toBe(0)
  expect(await doubts('="1"', 'b2')).toBe(1)
  expect((await parseSource('Ada,ada@a.org,="a1"')).doubts).toHaveLength(1)
  const page = (cells: string) => `<table><tr><th>Name<th>Email<th>Password<tr><td>Ada${cells}</table>`
  const table = { name: 'a.xls', bytes: new TextEncoder().encode(page('<td>ada@a.org<td>="a1"')) }
  expect((await parseSource(table)).doubts).toHaveLength(1)
})

test('emails below a header of user names are asked about where another column has others', async () => {
  const isGuessed = async (other: string) =>
    (await parseSource(`userName,displayName,emails\nada@a.org,Ada,${other}\n`)).layout.isEmailGuessed
  expect(await isGuessed('ada@b.org')).toBe(true)
  expect(await isGuessed('ada@a.org')).toBe(false)
  expect(await isGuessed('')).toBe(false)
})

test.each([
  ['Surname,Rufname des Kindes,Email,Password\nLovelace,Ada,ada@example.com,x', true],
  ['Vorname,Zuname,Email,Password\nAda,Lovelace,ada@example.com,x', true],
  ['Name,,Email,Password\nAda,Lovelace,ada@example.com,x', true],
  ['Name,,Email,Password\nAda,,ada@example.com,x', false],
  ['Surname,Number,Email,Password\nLovelace,12,ada@example.com,x', false],
  ['Surname,Email,Password\nLovelace,ada@example.com,x', false],
  ['Name,Department,Email,Password\nAda,Maths,ada@example.com,x', false],
  ['First name,Last name,Department,Email,Password\nAda,Lovelace,Maths,ada@example.com,x', false],
])(
  'asks about a half of the names if the other half may be in an unknown column: %j',
  async (text, isGuessed) => {
    expect((await parseSource(text)).layout.isNameGuessed).toBe(isGuessed)
  },
)

test.each([
  ['asks where another column has passwords of somebody', 'Current password', ['curr-1x', 'curr-2y'], true],
  ['asks so in one word', 'currentPassword', ['curr-1x', 'curr-2y'], true],
  ['asks where a hint names another', 'Password (VPN)', ['vpn-1x', 'vpn-2y'], true],
  ['asks where the next column has no header', '', ['x9z', ''], true],
  ['does not ask where it is empty', '', ['', ''], false],
  ['does not ask about when passwords were changed', 'Password changed', ['2026-01-02', '2026-03-04'], false],
  ['does not ask about rules for passwords', 'Password rule', ['8 letters', '8 letters'], false],
  ['does not ask about the same passwords again', 'Repeat password', ['init-1a', 'init-2b'], false],
])('%s', async (_, header, [first, second], isAsked) => {
  const rows = `Ada Lovelace,ada@a.org,init-1a,${first}\nBob Hall,bob@a.org,init-2b,${second}\n`
  const result = await read(`Name,Email,Initial password,${header}\n${rows}`)
  expect(result).toMatchObject({
    added: [
      ['Ada Lovelace', 'ada@a.org', 'init-1a'],
      ['Bob Hall', 'bob@a.org', 'init-2b'],
    ],
    isAsked,
  })
})

test.each([
  ['below a header', ['Name', 'Email', 'Password']],
  ['below an unknown header', ['Wer', 'Wo', 'Was']],
  ['without a header', null],
])(
  'asks about a text behind a password in any row of a workbook, of fewer columns elsewhere: %s',
  async (_, header) => {
    const detect = async (tail: string[]) => {
      const people = Array.from({ length: 200 }, (_, i) => [
        `Ada ${letters[i % 26]}`,
        `p${i}@a.org`,
        `se-${i}`,
      ])
      const rows = [...(header ? [header] : []), ...people]
      const cells = rows.map((row, i) => (i === 181 ? [...row, ...tail] : row))
      const bytes = writeWorkbook(cells)
      const parsed = await parseSource(new File([bytes], 'list.xlsx'))
      expect(parsed.layout.columns).toMatchObject({ email: 1, password: 2 })
      return parsed.layout.isPasswordGuessed
    }
    expect(await detect(['cr2'])).toBe(true)
    expect(await detect([' '])).toBe(false)
    expect(await detect([])).toBe(false)
  },
)
