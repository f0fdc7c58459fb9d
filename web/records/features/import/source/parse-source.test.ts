import { describe, expect, test } from 'vitest'
import { maxBatchSize } from '../../../../../contract/batches.ts'
import { detectColumns } from './detect-columns.ts'
import { decodeText } from './encodings/decode.ts'
import { encodings } from './encodings/encodings.ts'
import { parseSource } from './parse-source.ts'
import { parseSheet } from './text/parse-text.ts'

const parseCells = async (text: string) => parseSheet(text).rows.map(({ cells }) => cells)
const detectLayout = async (text: string) => detectColumns(parseSheet(text).rows)

describe('import: parsing', () => {
  test.each([
    ['commas', 'a,b\nc,d'],
    ['semicolons', 'a;b\nc;d'],
    ['tabs, as copied from a spreadsheet', 'a\tb\r\nc\td\r\n'],
    ['empty lines', '\na;b\n\nc;d\n\n'],
    ['vertical bars', 'a|b\nc|d'],
    ['carriage returns as line breaks', 'a,b\rc,d\r'],
    ['quotes', '"a","b"\r\n"c","d"'],
    ['a line that declares the delimiter', 'sep=;\r\na;b\r\nc;d'],
  ])('recognises %s', async (_, text) => {
    expect(await parseCells(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  test('preserves delimiters, line breaks and quotes inside quotes', async () => {
    expect(await parseCells('"a;\r\nb","say ""hi""",5" disk\r\nc,d,e')).toEqual([
      ['a;\r\nb', 'say "hi"', '5" disk'],
      ['c', 'd', 'e'],
    ])
  })

  test('numbers rows like a spreadsheet and skips empty ones', async () => {
    const { rows } = parseSheet('name,email\r\n\r\n,\r\nAda,ada@example.com\r\n\r\n')
    expect(rows.map(({ number }) => number)).toEqual([1, 4])
  })

  test('leaves out the columns behind the last one with any text', async () => {
    const empty = ','.repeat(250)
    const { rows } = await parseSource(`Name,Email,Password${empty}\nAda,ada@a.org,x, ${empty.slice(1)}`)
    expect(rows.map(({ cells }) => cells.length)).toEqual([3, 3])
  })

  test('detects an unclosed quotation mark and too many rows', async () => {
    expect(parseSheet('"a","b"\n"c,d\ne,f')).toMatchObject({ hasUnclosedQuote: true, isTruncated: false })
    const long = parseSheet('a,b\n'.repeat(maxBatchSize + 5))
    expect([long.isTruncated, long.rows.length, long.hasUnclosedQuote]).toEqual([
      true,
      maxBatchSize + 1,
      false,
    ])
  })

  test('decodes UTF-8 and UTF-16 with and without byte order mark, and Windows-1252', async () => {
    const text = 'Employee Name;Email\r\nZoë Müller;zoe@example.com\r\n'
    const utf16 = (byteOrderMark: string) => new Uint8Array(Buffer.from(byteOrderMark + text, 'utf16le'))
    const swapBytes = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16())
    const encode = (text: string) => new TextEncoder().encode(text)
    const files: [string, Uint8Array][] = [
      ['utf-8', encode(text)],
      ['utf-8', encode(`\ufeff${text}`)],
      ['utf-16le', utf16('\ufeff')],
      ['utf-16le', utf16('')],
      ['utf-16be', swapBytes(utf16('\ufeff'))],
      ['utf-16be', swapBytes(utf16(''))],
      ['windows-1252', new Uint8Array(Buffer.from(text, 'latin1'))],
    ]
    for (const [encoding, bytes] of files)
      expect(await decodeText(bytes, undefined, ['de'])).toMatchObject({ text, encoding })
    for (const { encoding } of encodings)
      expect(await decodeText(encode('a'), encoding)).toMatchObject({ encoding, isSure: true })
    expect(await decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8', isSure: true })
  })
})

describe('import: detecting columns', () => {
  test('ignores a long text in the first row, whatever it contains', async () => {
    const layout = await detectLayout(`${'['.repeat(300_000)},email\nAda,ada@example.com`)
    expect(layout.columns).toMatchObject({ email: 1 })
  })

  test.each([
    ['Employee Name,Email,Password', [0, 1, 2]],
    ['Password,E-Mail Address,Full name', [2, 1, 0]],
    ['id,eName,note,email,password', [1, 3, 4]],
    ['Kennwort;Mitarbeiter;E-Mail', [1, 2, 0]],
    ['Nom,Adresse e-mail,Mot de passe', [0, 1, 2]],
    ['Nombre,Correo electrónico,Contraseña', [0, 1, 2]],
    ['氏名,メールアドレス,パスワード', [0, 1, 2]],
    ['Name,Department,Email', [0, 2, null]],
  ])('finds columns by the header %s', async (header, [eName, email, password]) => {
    const layout = await detectLayout(`${header}\n${header.includes(';') ? 'x;y;z' : 'x,y,z'}`)
    expect(layout).toMatchObject({ hasHeader: true, columns: { eName, lastName: null, email, password } })
  })

  test.each([
    [
      'the email by its content, then name and password in order',
      'a@b.org\tAda\tx\ng@b.org\tGrace\ty',
      false,
      [1, 0, 2],
    ],
    ['no password among more than three columns', 'Ada,ada@example.com,Maths,London', false, [0, 1, null]],
    [
      'the email by its content under a header that does not name it',
      'Name,Contact\nAda,a@b.org',
      true,
      [0, 1, null],
    ],
    ['no email in other text', 'just a sentence', false, [0, null, null]],
    ['nothing in an empty text', '', false, [null, null, null]],
  ])('finds %s', async (_, text, hasHeader, [eName, email, password]) => {
    expect(await detectLayout(text)).toMatchObject({
      hasHeader,
      columns: { eName, lastName: null, email, password },
    })
  })

  test.each([
    ['Ada,ada@example.com,Maths,en9ine!\nGrace,grace@example.com,Navy,c0bol-60', 3],
    ['en9ine!,Ada,Maths,ada@example.com', 0],
    ['Ada,ada@example.com,en9ine!,c0bol-60', null],
    ['Ada,ada@example.com,Flat 4,London', null],
    ['Ada,ada@example.com,AB-1042,2026-01-01', null],
    ['Ada,ada@example.com,https://a.org/b1,Maths', null],
    ['Ada,ada@example.com,Team-9000,Maths\nGrace,g@example.com,Team-9000,Navy', null],
  ])('without a header guesses the one column that looks like passwords: %j', async (text, password) => {
    expect(await detectLayout(text)).toMatchObject({
      isPasswordGuessed: password !== null,
      columns: { password },
    })
  })

  test.each([
    ['Wer,Wo,Was\nAda,ada@example.com,x', true],
    ['Ada,ada@example,x\nGrace,grace@example.com,x', false],
    ['Ada,ada @ home,x\nGrace,grace@example.com,x', false],
    ['Ada,none,s3cret\nGrace,grace@example.com,x', false],
    ['Ada,,x\nGrace,grace@example.com,x', false],
  ])(
    'takes a row of unknown words above emails for a header, but no row of data: %j',
    async (text, hasHeader) => {
      expect((await detectLayout(text)).hasHeader).toBe(hasHeader)
    },
  )

  test.each([
    ['Name,Username,Contact\nAda,ada,ada@example.com', 2],
    ['Email,Username,Name\n,ada@example.com,Ada', 1],
    ['Username,Email,Name\nada@a.org,ada@example.com,Ada', 1],
  ])('prefers the column that contains emails to one that only has the name: %j', async (text, email) => {
    expect((await detectLayout(text)).columns.email).toBe(email)
  })
})
