import { describe, expect, test } from 'vitest'
import { maxBatchSize } from '../../../contract/batches.ts'
import { decodeText } from './decode.ts'
import { detectColumns } from './detect-columns.ts'
import { parseSheet } from './parse-sheet.ts'

const cellsOf = async (text: string) => (await parseSheet(text)).rows.map(({ cells }) => cells)
const layoutOf = async (text: string) => detectColumns((await parseSheet(text)).rows)

describe('import: reading', () => {
  test.each([
    ['commas', 'a,b\nc,d'],
    ['semicolons', 'a;b\nc;d'],
    ['tabs, as pasted', 'a\tb\r\nc\td\r\n'],
    ['empty lines', '\na;b\n\nc;d\n\n'],
    ['bars', 'a|b\nc|d'],
    ['old Mac line ends', 'a,b\rc,d\r'],
    ['quotes', '"a","b"\r\n"c","d"'],
    ['a line that names the delimiter', 'sep=;\r\na;b\r\nc;d'],
  ])('recognises %s', async (_, text) => {
    expect(await cellsOf(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  test('keeps delimiters, line ends and quotes in quotes', async () => {
    expect(await cellsOf('"a;\r\nb","say ""hi""",5" disk\r\nc,d,e')).toEqual([
      ['a;\r\nb', 'say "hi"', '5" disk'],
      ['c', 'd', 'e'],
    ])
  })

  test('numbers rows as a spreadsheet does, and leaves empty ones out', async () => {
    const { rows } = await parseSheet('name,email\r\n\r\n,\r\nAda,ada@example.com\r\n\r\n')
    expect(rows.map(({ number }) => number)).toEqual([1, 4])
  })

  test('says when a quotation mark is never closed, and when there are too many rows', async () => {
    expect(await parseSheet('a,b\n"c,d\ne,f')).toMatchObject({ hasUnclosedQuote: true, isTruncated: false })
    const long = await parseSheet('a,b\n'.repeat(maxBatchSize + 5))
    expect([long.isTruncated, long.rows.length, long.hasUnclosedQuote]).toEqual([
      true,
      maxBatchSize + 1,
      false,
    ])
  })

  test('reads UTF-8 and UTF-16 with and without their mark, and Windows-1252', () => {
    const text = 'Employee Name;Email\r\nZoë Müller;zoe@example.com\r\n'
    const utf16 = (mark: string) => new Uint8Array(Buffer.from(mark + text, 'utf16le'))
    const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16())
    const encode = (text: string) => new TextEncoder().encode(text)
    const files: [string, Uint8Array][] = [
      ['utf-8', encode(text)],
      ['utf-8', encode(`\ufeff${text}`)],
      ['utf-16le', utf16('\ufeff')],
      ['utf-16le', utf16('')],
      ['utf-16be', swapped(utf16('\ufeff'))],
      ['utf-16be', swapped(utf16(''))],
      ['windows-1252', new Uint8Array(Buffer.from(text, 'latin1'))],
    ]
    for (const [encoding, bytes] of files) expect(decodeText(bytes)).toEqual({ text, encoding })
    expect(decodeText(new Uint8Array([0x80, 0x20, 0x93])).text).toBe('€ “')
    expect(decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8' })
  })
})

describe('import: columns', () => {
  test.each([
    ['Employee Name,Email,Password', [0, 1, 2]],
    ['Password,E-Mail Address,Full name', [2, 1, 0]],
    ['id,eName,note,email,password', [1, 3, 4]],
    ['Kennwort;Mitarbeiter;E-Mail', [1, 2, 0]],
    ['Nom,Adresse e-mail,Mot de passe', [0, 1, 2]],
    ['Nombre,Correo electrónico,Contraseña', [0, 1, 2]],
    ['氏名,メールアドレス,パスワード', [0, 1, 2]],
    ['Name,Department,Email', [0, 2, null]],
  ])('finds them by the header %s', async (header, [eName, email, password]) => {
    const layout = await layoutOf(`${header}\n${header.includes(';') ? 'x;y;z' : 'x,y,z'}`)
    expect(layout).toEqual({ hasHeader: true, columns: { eName, email, password } })
  })

  test('without a header: the emails where they are, then name and password in order', async () => {
    expect(await layoutOf('ada@example.com\tAda\tsecret\ngrace@example.com\tGrace\tx')).toEqual({
      hasHeader: false,
      columns: { eName: 1, email: 0, password: 2 },
    })
  })

  test('without a header and with more than three columns, no password is guessed', async () => {
    expect(await layoutOf('Ada,ada@example.com,Maths,London')).toEqual({
      hasHeader: false,
      columns: { eName: 0, email: 1, password: null },
    })
  })

  test('a header without a name for the emails: they are found by what stands below', async () => {
    expect(await layoutOf('Name,Contact\nAda,ada@example.com')).toEqual({
      hasHeader: true,
      columns: { eName: 0, email: 1, password: null },
    })
  })

  test('nothing to recognise is no column for the email, and no error', async () => {
    expect(await layoutOf('just a sentence')).toEqual({
      hasHeader: false,
      columns: { eName: 0, email: null, password: null },
    })
    expect(await layoutOf('')).toEqual({
      hasHeader: false,
      columns: { eName: null, email: null, password: null },
    })
  })
})
