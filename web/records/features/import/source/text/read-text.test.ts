import { describe, expect, test } from 'vitest'
import { finish } from '../../../../../../tests/support/steps.ts'
import { describeRow, previewInSteps, proposeOptions } from '../../preview.ts'
import { parseSource } from '../parse-source.ts'
import { parseSheet } from './parse-text.ts'

/** The fields of each row that would be added, and why others would not. */
async function read(text: string, trims = false) {
  const parsed = await parseSource(text)
  const options = { ...proposeOptions(parsed), trims }
  const { rows, spacedCounts } = finish(previewInSteps(parsed, options, []))
  const added = rows.map((row) => (row.outcome === 'new' ? Object.values(row.fields) : describeRow(row)))
  return { added, doubts: parsed.doubts?.map(([, english]) => english) ?? [], spaced: spacedCounts.password }
}

const header = 'Name,Email,Password'
const ada = ['Ada', 'ada@a.org', 'a1']
const bob = ['Bob', 'bob@a.org', 'b2']
const adaRow = ada.join()
const bobRow = bob.join()

describe('line ends', () => {
  const lineEnds = { LF: '\n', CRLF: '\r\n', CR: '\r', CRCRLF: '\r\r\n', LFCR: '\n\r' }
  for (const [first, firstEnd] of Object.entries(lineEnds))
    for (const [second, secondEnd] of Object.entries(lineEnds))
      for (const [third, thirdEnd] of Object.entries({ ...lineEnds, nothing: '' }))
        test(`${first}, ${second} and ${third} end rows`, async () => {
          const text = header + firstEnd + adaRow + secondEnd + bobRow + thirdEnd
          expect(await read(text)).toMatchObject({ added: [ada, bob], doubts: [] })
        })

  test.each(['\u0085', '\u2028', '\u2029'])('Unicode’s line end %j ends rows', async (end) => {
    for (const other of ['\n', '\r\n', end])
      expect((await read([header, adaRow, bobRow].join(end) + other)).added).toEqual([ada, bob])
    expect((await read(`${header}\r\n${adaRow}${end}${bobRow}\r\n`)).added).toEqual([ada, bob])
  })

  test.each(['\n', '\r\n', '\r', '\r\r\n', '\u0085', '\u2028', '\f', '\v'])(
    'within quotation marks %j is part of the cell',
    async (lineEnd) => {
      const password = `a${lineEnd}1`
      const text = `${header}\r\nAda,ada@a.org,"${password}"\n${bobRow}\r\n`
      expect((await read(text)).added).toEqual([['Ada', 'ada@a.org', password], bob])
    },
  )

  test.each(['\u0085', '\u2028', '\f', '\v'])('without them too, if %j ends no row', async (character) => {
    const text = `${header}\r\nAda,ada@a.org,a${character}1\r\n${bobRow}\r\n`
    expect((await read(text)).added).toEqual([['Ada', 'ada@a.org', `a${character}1`], bob])
  })

  test('a line break within cells is as it was, where Python on Windows has doubled the CR of each', async () => {
    const text = `${header}\r\nAda,ada@a.org,"a\r\n1\n2"\r\n`.replaceAll('\n', '\r\n')
    expect((await read(text)).added).toEqual([['Ada', 'ada@a.org', 'a\r\n1\n2']])
  })

  test.each(['"', '\\"'])(
    'a CRLF within a cell is asked about where CR CR LF ends the rows: %j',
    async (mark) => {
      const text = `"Name","Email","Password"\r\r\n"Ada","ada@a.org","a${mark}${mark}\r\n1"\r\r\n`
      expect((await read(text)).doubts).toEqual([
        'Line breaks in cells are written in another way than those between rows. Check the passwords.',
      ])
    },
  )

  test('CRs that are doubled are found where backslashes escape quotation marks', async () => {
    const row = '"Password","Name","Email"\r\n"\\"\\"\n1","Ada","ada@a.org"'
    const { added } = await read(row.replaceAll('\n', '\r\n'))
    expect(added).toEqual([['Ada', 'ada@a.org', '""\n1']])
  })

  test('rows that a line break within a cell has cut are not imported', async () => {
    const { added } = await read(
      `${header}\r\nAda,ada@a.org,a\n1\r\nBob\nby,bob@a.org,b2\r\nCy,cy@a.org,c3\r\n`,
    )
    const cut = 'A line break has cut this row.'
    expect(added).toEqual([cut, cut, cut, cut, ['Cy', 'cy@a.org', 'c3']])
  })
})

describe('spaces', () => {
  test.each([
    ['Name, Email, Password\nAda, ada@a.org, "sec,ret"\nBob, bob@a.org, secret1', ['sec,ret', 'secret1']],
    ['Name,Email,Password\nAda, ada@a.org, "sec,ret"\nBob, bob@a.org, secret1', ['sec,ret', 'secret1']],
    ['Name;  Email;  Password\r\nAda;  ada@a.org;  " x "\r\nBob;  bob@a.org;  b2', [' x ', 'b2']],
    ['Name , Email , Password\nAda , ada@a.org , x\nBob , bob@a.org , "y, z"', ['x', 'y, z']],
    ['Name,\u00a0Email,\u00a0Password\nAda,\u00a0ada@a.org,\u00a0x', ['x']],
    [' Name | Email | Password\n Ada | ada@a.org | x\n Bob | bob@a.org | ', ['x', undefined]],
  ])('of every cell belong to the delimiters: %j', async (text, passwords) => {
    const { added, spaced } = await read(text)
    expect(added.map((row) => (Array.isArray(row) ? row[2] : undefined))).toEqual(passwords)
    expect([added[0]?.[0], spaced]).toEqual(['Ada', passwords[0] === ' x ' ? 1 : 0])
  })

  test.each(['x ', ' x', '\u00a0x', 'x\t', '\u200bx'])(
    'of some passwords are counted, and removed only if the user says so: %j',
    async (password) => {
      const text = `${header}\nAda,ada@a.org,${password}\n${bobRow}`
      expect(await read(text)).toMatchObject({ added: [['Ada', 'ada@a.org', password], bob], spaced: 1 })
      expect((await read(text, true)).added).toEqual([['Ada', 'ada@a.org', 'x'], bob])
    },
  )

  test('before quotation marks make them a part of the text, until they are removed', async () => {
    const text = `${header}\nAda,ada@a.org, "x ""y"""\n${bobRow}`
    expect(await read(text)).toMatchObject({ added: [['Ada', 'ada@a.org', ' "x ""y"""'], bob], spaced: 1 })
    expect((await read(text, true)).added).toEqual([['Ada', 'ada@a.org', 'x "y"'], bob])
  })
})

describe('quotation marks', () => {
  test.each(['“”', '„“', '””', '«»', '‘’', "''", '``'])(
    'of another kind enclose all cells: %s',
    async ([open, close]) => {
      const quote = (cells: string[]) => cells.map((cell) => `${open}${cell}${close}`).join()
      const rows = [ada, ['Hopper, Grace', 'grace@a.org', 'x,y'], ['Bo', 'bo@a.org', `z${close}${close}1`]]
      const { added } = await read([quote(header.split(',')), ...rows.map(quote)].join('\n'))
      expect(added).toEqual([ada, ['Hopper, Grace', 'grace@a.org', 'x,y'], ['Bo', 'bo@a.org', `z${close}1`]])
    },
  )

  test('are text where they enclose some passwords only', async () => {
    expect((await read(`${header}\nAda,ada@a.org,'x'\n${bobRow}`)).added[0]?.[2]).toBe("'x'")
  })

  test('are escaped by backslashes, if no other reading is whole', async () => {
    const escaped = await read(
      '"Name","Email","Password"\n"Ada","ada@a.org","a\\"1, \\"2"\n"Bob","bob@a.org","b2"',
    )
    expect(escaped).toEqual({ added: [['Ada', 'ada@a.org', 'a"1, "2'], bob], doubts: [], spaced: 0 })
    const plain = await read('"Name","Email","Password"\n"Ada","ada@a.org","a\\"\n"Bob","bob@a.org","b2"')
    expect(plain.added).toEqual([['Ada', 'ada@a.org', 'a\\'], bob])
    const rows = await read('"a\\"\n1","Ada","ada@a.org"\n"b2","Bob","bob@a.org"')
    expect(rows.added).toEqual([['Ada', 'ada@a.org', 'a"\n1'], bob])
    const { added, doubts } = await read('"Name","Email","Password"\n"Ada","ada@a.org","a\\"\\\\"')
    expect([added[0]?.[2], doubts]).toEqual([
      'a"\\',
      ['Backslashes before quotation marks are left out. Check the passwords.'],
    ])
  })

  const literal = 'Quotation marks are read as part of the text. Check the passwords.'
  test.each([
    ['"abc', 'def'],
    ['"abc', 'def"'],
    ['"abc"', 'def'],
    ['"abc', '"def'],
  ])('that enclose nothing are text, which is told: %s and %s', async (first, second) => {
    const text = `Name\tEmail\tPassword\nAda\tada@a.org\t${first}\nBob\tbob@a.org\t${second}\n`
    const { added, doubts } = await read(text)
    expect(added).toEqual([
      ['Ada', 'ada@a.org', first],
      ['Bob', 'bob@a.org', second],
    ])
    expect(doubts).toEqual([literal])
  })

  test.each(["'it''s'", "'a\"b'", '„a1“', '«a1»'])(
    'of another kind around some cells are text, which is told: %s',
    async (password) => {
      const { added, doubts } = await read(`${header}\nAda,ada@a.org,${password}\n${bobRow}`)
      expect(added).toEqual([['Ada', 'ada@a.org', password], bob])
      expect(doubts).toEqual([literal])
    },
  )

  test('that make one cell of two rows are told, wherever the emails are', async () => {
    const text = 'Email,Password,Name\nada@a.org,"a1,Ada\nbob@a.org,b2",Bob\ncy@a.org,c3,Cy\nd@a.org,d4,Di\n'
    expect((await read(text)).doubts).not.toEqual([])
  })

  test.each([
    [`${header}\nAda,ada@a.org,"a1"`, true],
    [`${header}\nAda,ada@a.org,"a1"\n${bobRow}`, true],
    [`${header}\nAda,ada@a.org,"a1"\nBob,bob@a.org,"b2"`, false],
    [`${header}\n"Ada","ada@a.org","a1"\n"Bob","bob@a.org",1234`, false],
    [`${header}\n"Ada Lovelace",ada@a.org,a1\nBob,bob@a.org,"b,2"`, false],
    // The text may be four quotation marks and a space.
    [`${header}\nAda,ada@a.org,"""" \n${bobRow}`, true],
    [`${header},Team\nAda,ada@a.org,"\t" ,Navy\nBob,bob@a.org,b2,Navy`, true],
  ])('that enclose a cell without need, unlike others, are told: %j', async (text, isTold) => {
    expect((await read(text)).doubts).toEqual(
      isTold ? ['Quotation marks around some cells are left out. Check the passwords.'] : [],
    )
  })

  test('that are not doubled are read as text, and told', async () => {
    const text = '"Name","Email","Password"\n"Ada","ada@a.org","a"1"\n"Bob","bob@a.org","b2"'
    expect(await read(text)).toMatchObject({
      added: [['Ada', 'ada@a.org', 'a"1'], bob],
      doubts: ['Quotation marks within cells are not doubled. Check the passwords.'],
    })
  })
})

test('a space that begins each row is the text’s where no space begins the header', async () => {
  expect(await read('Password, Email, Name\n a1, ada@a.org, Ada')).toMatchObject({
    added: [['Ada', 'ada@a.org', ' a1']],
    spaced: 1,
  })
})

describe('delimiters', () => {
  test.each([
    ['Name;Email;Quota;Password\nAda;ada@a.org;1,5;a1\nBob;bob@a.org;2,5;b2', [ada, bob]],
    ['Name\tEmail\tPassword\nAda\tada@a.org\tx,y;z|1', [['Ada', 'ada@a.org', 'x,y;z|1']]],
    ['\ufeffsep=^\r\nName^Email^Password\r\nAda^ada@a.org^a1', [ada]],
    ['"SEP=;"\r\nName;Email;Password\r\nAda;ada@a.org;a1', [ada]],
    [`\ufeff${header}\r\n${adaRow}\r\n\ufeff${bobRow}`, [ada, bob]],
  ])('are found: %j', async (text, added) => {
    expect((await read(text)).added).toEqual(added)
  })

  test.each([
    'Name\tEmail\tPassword\tTeam\nAda\tada@a.org\tsec\tret\t',
    'Name,Email,Password,Team\nAda,ada@a.org,sec,ret,\nBob,bob@a.org,b,2,',
    'ada@a.org;Ada Lovelace;,;\nbob@a.org;Bob;,',
    'Name,Email,Password,\nAda,ada@a.org,a1,\nBob,bob@a.org,b,2\n',
    'Name\tEmail\tPassword\t\nAda\tada@a.org\tsec\tret\n',
  ])(
    'in a password before a column that is empty, or behind some rows, are asked about: %j',
    async (text) => {
      expect((await read(text)).doubts).toEqual([
        'Some rows end with an empty cell that others lack, so something may be in the wrong column. Check the passwords.',
      ])
    },
  )

  test('in a password without quotation marks make the row too wide to import', async () => {
    const { added } = await read(`${header}\nAda,ada@a.org,sec,ret\n${bobRow}`)
    expect(added).toEqual(['This row has more cells than the others.', bob])
  })

  test('beyond 256 columns are told, and cost no time', async () => {
    const { rows, doubts } = parseSheet(`Name,Email,Password\nAda,ada@a.org,x${','.repeat(400_000)}y`)
    expect([rows[1]?.cells.length, doubts?.map(([, english]) => english)]).toEqual([
      256,
      ['Columns beyond the 256th are not read.'],
    ])
    const { usedColumns } = await parseSource(`Name,Email,Password\nAda,ada@a.org,x${','.repeat(400_000)}y`)
    expect(usedColumns).toEqual([0, 1, 2])
  })
})
