import { strToU8, zipSync } from 'fflate'
import { describe, expect, test, vi } from 'vitest'
import { sample } from '../../../../../tests/support/sample.ts'
import { finish } from '../../../../../tests/support/steps.ts'
import { writeWorkbook } from '../../../model/spreadsheet/write-workbook.ts'
import { matchInSteps } from '../matching/match-rows.ts'
import { previewInSteps, proposeOptions } from '../preview.ts'
import { parseSource } from './parse-source.ts'
import { loadPart, SourceError, toSourceError } from './sheet.ts'

const file = (content: string | Uint8Array, name = 'staff.csv') =>
  new File([Buffer.from(content as string)], name)
const bytes = (text: string) => Buffer.from(text, 'latin1')
const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])))
const compound = (text: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(500), Buffer.from(text, 'utf16le')])
const noise = Uint8Array.from({ length: 5_000 }, (_, i) => (i * i * 31 + (i >> 3) * 7 + 11) % 251)

const rows = 'Name,Email,Password\nAda,ada@example.com,x1\nBob,bob@example.com,y2\n'
const letter = `Return-Path: <ada@example.com>\nFrom: Ada <ada@example.com>\nTo: Bob\nSubject: Team\n\n${rows}`
const history = ['Ada', 'Bob', 'Cy']
  .map(
    (name) =>
      `commit 0123456789abcdef\nAuthor: ${name} <${name}@example.com>\nDate:   today\n\n    Fix it\n\n`,
  )
  .join('')

const unreadable = 'This list can’t be read. Save it as .xlsx or CSV'

describe('what is no list is named, whatever its name ends with:', () => {
  test.each([
    ['a PNG picture', bytes('\x89PNG\r\n\x1a\n\0\0'), 'This is a picture'],
    ['a JPEG picture', bytes('\xff\xd8\xff\xe0\0\x10JFIF'), 'This is a picture'],
    ['a HEIC picture', bytes('\0\0\0\x18ftypheic\0'), 'This is a picture'],
    ['a drawing', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>', 'This is a picture'],
    ['a video', bytes('\0\0\0\x18ftypmp42\0'), 'This is a recording'],
    ['a PDF', '%PDF-1.7\n1 0 obj', 'This is a PDF'],
    ['a letter of Word', zip({ 'word/document.xml': '<w:document/>' }), 'This is a document'],
    ['an old letter of Word', compound('WordDocument'), 'This is a document'],
    ['a letter of LibreOffice', zip({ 'content.xml': '<office:text/>' }), 'This is a document'],
    ['a flat letter', '<?xml version="1.0"?><office:document><office:text/></office:document>', 'a document'],
    ['a rich text', '{\\rtf1\\ansi Dear Ada, ada@example.com', 'This is a document'],
    ['slides', zip({ 'ppt/presentation.xml': '' }), 'This is a document'],
    ['a ZIP file', zip({ 'a.txt': 'a' }), 'This is a compressed file'],
    ['an empty ZIP file', zip({}), 'This is a compressed file'],
    ['a gzip file', bytes('\x1f\x8b\x08\0'), 'This is a compressed file'],
    ['a 7z file', bytes('7z\xbc\xaf\x27\x1c'), 'This is a compressed file'],
    ['a Numbers file', zip({ 'Index/Document.iwa': '' }), 'This is a file of Numbers'],
    ['a program', bytes('MZ\x90\0\x03\0\0\0'), 'This is a program'],
    ['a script of a shell', '#!/bin/sh\necho a,b\n', 'This is a program'],
    ['noise', noise, 'There is no list'],
    [
      'a message',
      'Received: from a\r\nFrom: Ada <ada@example.com>\r\nSubject: team\r\n\r\nBob, bob@example.com\r\n',
      'This is a message',
    ],
    [
      'an archive of messages',
      `From ada@example.com Mon Nov 30 10:00:00 2026\n${letter}`,
      'This is a message',
    ],
    ['a message of a Mac', `1234      \n${letter}`, 'This is a message'],
    ['a message below blank lines', `\n\n${letter}`, 'This is a message'],
    ['a message in UTF-16', Buffer.from(`\ufeff${letter}`, 'utf16le'), 'This is a message'],
    ['a message with long fields', `X-Field: ${'x'.repeat(5_000)}\n y\n${letter}`, 'This is a message'],
    ['a message that was copied', `From: Ada\nTo: Bob\nDate: today\n\n${rows}`, 'This is a message'],
    ['a message in another language', `Von: Ada\nAn: Bob\nBetreff: Team\n\n${rows}`, 'This is a message'],
    ['a forwarded message', `---- Forwarded message ----\n${letter}`, 'This is a message'],
    ['a forwarded message of a Mac', `Begin forwarded message:\n\n${letter}`, 'This is a message'],
    ['a response of a server', `HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\n${rows}`, 'a message'],
    ['a request', `POST /staff HTTP/1.1\nHost: example.com\n\n${rows}`, 'This is a message'],
    ['a message that is encrypted', '-----BEGIN PGP MESSAGE-----\n\nhQEM\n', 'This is a message'],
    ['a paper', `\\documentclass{article}\n\\begin{document}\n${rows}`, 'This is a document'],
    ['a table of LaTeX', '% Team\n\\begin{tabular}{ll}\nAda & ada@example.com \\\\\n', 'This is a document'],
    ['differences', `--- a.csv\t2026\n+++ b.csv\t2026\n@@ -1,2 +1,2 @@\n${rows}`, 'no list'],
    ['differences of a commit', `diff --git a/a.csv b/a.csv\n${rows}`, 'no list'],
    ['the history of a program', history, 'no list'],
    ['a calendar', 'BEGIN:VCALENDAR\nATTENDEE;CN=Ada:mailto:ada@example.com\nEND:VCALENDAR\n', 'no list'],
    ['subtitles', '1\n00:00:01,000 --> 00:00:04,000\nada@example.com\n', 'no list'],
    ['subtitles of the web', 'WEBVTT\n\n00:01.000 --> 00:04.000\nada@example.com\n', 'no list'],
    ['the accounts of a computer', 'ada@example.com:x:1000:1000:Ada:/home/ada:/bin/sh\n', unreadable],
    [
      'a list in a program',
      "<?php\n$users = array(array('email' => 'ada@a.org'), array('email' => 'bob@a.org'));\n",
      unreadable,
    ],
    ['a web page of a list', '<!doctype html><ul><li>Ada &lt;ada@example.com&gt;</ul>', 'without a table'],
    ['a web page', '<!DOCTYPE html><html><body><p>Ada, ada@example.com</p></body></html>', 'without a table'],
    [
      'code',
      'import { a, b } from "c"\n\nfunction run(a, b) {\n  return [a, b]\n}\n\nrun(1, 2)\n',
      'There is no list',
    ],
    [
      'a letter',
      'Dear Ada,\n\nthank you for it, which I have read.\nI will answer soon.\n\nYours,\nCharles\n',
      'no list',
    ],
    [
      'a letter with a comma in each line',
      'Dear Ada,\n\nthank you for your letter, which I have read.\nBest wishes, Bob\n',
      'no list',
    ],
    [
      'the users of a switch',
      '!\nusername ada@a.org password 0 x1\nusername bob@a.org secret y2\n!\n',
      unreadable,
    ],
    [
      'the users of a router',
      '/ppp secret\nadd name=ada@a.org password=x1 profile=a\nadd name=bob@a.org password="y 2" profile=b\n',
      unreadable,
    ],
    [
      'the users of a RADIUS server',
      'ada@a.org\tCleartext-Password := "x1"\n\tReply-Message := "Hello"\n\nbob@a.org\tCleartext-Password := "y2"\n',
      unreadable,
    ],
    [
      'the accounts of a mail program',
      'machine a.org login ada@a.org password x1\nmachine b.org login bob@a.org password y2\n',
      unreadable,
    ],
    [
      'maps of Clojure',
      '[{:name "Ada", :email "ada@a.org"}\n {:name "Bob", :email "bob@a.org"}]',
      unreadable,
    ],
    [
      'YAML whose texts are below their names',
      '- name: >-\n    Ada\n  email: ada@a.org\n- name: >-\n    Bob\n  email: bob@a.org\n',
      unreadable,
    ],
  ])('%s', async (_, content, problem) => {
    for (const name of ['staff.csv', 'staff.xlsx', 'staff'])
      await expect(parseSource(file(content, name))).rejects.toThrow(problem)
  })

  test.each([
    ['Name,Email,Password\nAda,ada@example.com,x'],
    ['ada@example.com\nbob@example.com'],
    ['Ada;x1\nBob;x2'],
    ['Ada,Maths, \nBob,Navy, '],
    ['Update;Ada;ada@example.com\nCreate;Bob;bob@example.com'],
    ['BMW,Ada,ada@example.com'],
    ['MZ;Ada;ada@example.com'],
    ['Name: Ada\nSubject: Maths\nEmail: ada@example.com\nPassword: x1\n'],
    ['Received: a laptop\nName: Ada\nEmail: ada@example.com\nPassword: x1\n'],
    ['From: Bern\nDate: 2026\nName: Ada\nEmail: ada@example.com\nPassword: x1\n'],
    ['Set;Ada;ada@example.com\nSet;Bob;bob@example.com'],
  ])('but a list is none of it: %j', async (text) => {
    expect((await parseSource(file(text))).rows.length).toBeGreaterThan(0)
  })
})

/** The fields that would be imported, and what is told about the cells. */
async function readAll(content: string | Uint8Array) {
  const source = await parseSource(file(content, 'staff.xls'))
  const { hasHeader, columns } = source.layout
  const rows = source.rows.slice(hasHeader ? 1 : 0)
  return {
    rows: finish(matchInSteps(rows, columns, [])).map(({ fields }) => Object.values(fields)),
    failed: rows.flatMap(({ failedColumns = [] }) => failedColumns),
    local: rows.flatMap(({ localColumns = [] }) => localColumns),
    workbook: source.workbook,
    doubts: source.doubts,
  }
}

describe('a web page that is saved as .xls', () => {
  test('has the emails that its links write to', async () => {
    const row = (name: string, email: string, text: string) =>
      `<tr><td>${name}<td><a class=x href="mailto:${email}?subject=Hi">${text}</a><td>x1</tr>`
    const table = `<table>${row('Ada', 'ada@example.com', 'write')}${row('Bob', 'bob@example.com', 'bob@example.com')}</table>`
    expect((await readAll(table)).rows).toEqual([
      ['Ada', 'ada@example.com', 'x1'],
      ['Bob', 'bob@example.com', 'x1'],
    ])
  })

  test('has tags that end behind the signs in their attributes', async () => {
    const row = (name: string, password: string) =>
      `<tr><td data-v="<b>${name}">${name}</td><td title='a > b'>${name}@example.com</td><td data-v="two<br/>" id="c">${password}</td></tr>`
    const table = `<table>${row('ada', 'a1')}${row('bob', "it's")}<tr><td title=it's>cy</td><td>cy@example.com<td x="1>c3</tr></table>`
    expect((await readAll(table)).rows).toEqual([
      ['ada', 'ada@example.com', 'a1'],
      ['bob', 'bob@example.com', "it's"],
      ['cy', 'cy@example.com', 'c3'],
    ])
  })

  test('is read without a table around its rows, as the shell of SQLite writes them', async () => {
    const row = (cells: string[], name: string) =>
      `<TR>${cells.map((cell) => `<${name}>${cell}</${name}>\n`).join('')}</TR>\n`
    const rows = row(['name', 'email', 'password'], 'TH') + row(['Ada', 'ada@example.com', 'a&lt;1'], 'TD')
    expect((await readAll(rows)).rows).toEqual([['Ada', 'ada@example.com', 'a<1']])
  })

  const page = (body: string, head = '') => `<html><head>${head}</head><body>${body}</body></html>`

  test('has the cells of its table as they are shown', async () => {
    const table = `<table><caption>Staff</caption>
      <tr><th rowspan=2>Name</th><th>Email<th>Password</tr>
      <tr><td colspan="2"></td></tr>
      <tr><td>Zo&euml; &amp;  <b>co</b></td><td><a href="x">zoe@example.com</a></td><td>a&lt;b &#x1F600;</td></tr>
      <tr><td>Bob<br>Ray</td><td>bob@example.com</td><td x:num="123">="00123"</td></tr>
      <tr style="display:none"><td>Old</td><td>old@example.com</td><td>#N/A</td></tr></table>`
    const read = await readAll(page(`<table><tr><td>Menu</td></tr></table>${table}`))
    expect(read.rows).toEqual([
      ['Zoë &  co', 'zoe@example.com', 'a<b 😀'],
      ['Bob\nRay', 'bob@example.com', '00123'],
      ['Old', 'old@example.com', ''],
    ])
    expect([read.failed, read.local]).toEqual([[2], []])
    expect(read.workbook).toMatchObject({
      sheet: 1,
      hiddenRowCount: 1,
      sheets: [{ name: '1' }, { name: 'Staff' }],
    })
  })

  test('has the spaces of its texts, but not those of its layout', async () => {
    const cells = (name: string, password: string) =>
      `<tr>\n  <td> ${name} </td>\n  <td>\n    ${name}@example.com\n  </td><td>${password}</td></tr>`
    const rows = [
      cells('ada', ' a1'),
      cells('bob', 'b1  c'),
      cells('cy', '<p> d1 </p>'),
      cells('di', 'e1 '),
      cells('eve', '<span style="mso-spacerun:yes">&nbsp; </span>f1'),
    ]
    const read = await readAll(
      page(`<table><tr><th> Name </th><th>Email</th><th>Password</th></tr>${rows.join('')}</table>`),
    )
    expect(read.rows.map(([name, , password]) => [name, password])).toEqual([
      ['ada', ' a1'],
      ['bob', 'b1  c'],
      ['cy', 'd1'],
      ['di', 'e1 '],
      ['eve', '  f1'],
    ])
  })

  test('has no text that nobody sees, and of a button only where there is no other', async () => {
    const row = (name: string, password: string, attribute = '') =>
      `<tr ${attribute}><td>${name}</td><td>${name}@example.com</td><td>${password}</td></tr>`
    const old = '<span style="display: none">old<span>er</span></span>'
    const rows = [
      row('ada', `${old}a1<button><b>Copy</b></button>`),
      row('bob', `<i hidden>old</i>b1<img hidden>`),
      row('cy', '<button class="hidden-xs">c1</button>'),
      row('di', '<input type=hidden value=x><input value="d&amp;1">'),
      row('eve', 'e1<span style="visibility:hidden">x'),
      row('flo', '<b title="hidden">f1</b>', 'hidden'),
    ]
    const list = `<table><tr><th>Name<th>Email<th>Password</tr>${rows.join('')}</table>`
    const read = await readAll(
      page(`<div style="display:none"><p>${list.replaceAll('a1', 'z1')}</div>${list}`),
    )
    expect(read.rows.map(([, , password]) => password)).toEqual(['a1', 'b1', 'c1', 'd&1', 'e1', 'f1'])
    expect(read.workbook).toMatchObject({ sheet: 1, hiddenRowCount: 1, sheets: [{ isHidden: true }, {}] })
    expect(read.doubts).toEqual([])
  })

  test.each([
    '<details><summary>Show</summary>a1</details>',
    'a1<span role="tooltip">Copied</span>',
    'a1<i class="icon material-icons">content_copy</i>',
    '<ruby>a1<rp>(</rp><rt>ei one</rt><rp>)</rp></ruby>',
    '<code class="secret">a1</code>',
    '<span class=SpellE>a</span>1',
    '<i class="icon"></i>a1<i class="icon"> </i>',
    '<span style="font-size:0">x</span><span style="opacity: 0">x</span>a1',
  ])('has no text of signs and controls in its cells: %s', async (cell) => {
    const table = `<table><tr><td>Ada<td>ada@example.com<td>${cell}</table>`
    const { rows, doubts } = await readAll(table)
    expect([rows, doubts]).toEqual([[['Ada', 'ada@example.com', 'a1']], []])
  })

  test.each([
    'a1 <a href="#">Show</a>',
    'a1<span class="badge sr-only">secret</span>',
    'a1<sup>1</sup>',
    'a1<span class="badge">new</span>',
    '<span class="a">a1</span><span class="b">new</span>',
  ])('asks about text that may be no part of a cell: %s', async (cell) => {
    const table = (password: string) => `<table><tr><td>Ada<td>ada@example.com<td>${password}</table>`
    expect((await readAll(table(cell))).doubts).toHaveLength(1)
    const linked = table(
      'a1 <a href="http://b.de">b.de</a> <a href="mailto:c@d.de">me</a><a href=x><img></a>',
    )
    expect((await readAll(linked)).doubts).toEqual([])
  })

  test('has the line breaks of its texts', async () => {
    const texts = [
      'a<br><br>b',
      '<pre>a\r\nb\n</pre>',
      '<p>a</p>\n<p>b</p>',
      'a<br>',
      '<div>a</div><br><div>b</div>',
    ]
    const rows = texts.map((text, i) => `<tr><td>Ada<td>n${i}@example.com<td>${text}</tr>`)
    const read = await readAll(`<table><tr><td>Name<td>Email<td>Password</tr>${rows.join('\n')}</table>`)
    expect(read.rows.map(([, , password]) => password)).toEqual(['a\n\nb', 'a\nb', 'a\nb', 'a', 'a\n\nb'])
  })

  test('is found in a table around it, and read in the encoding that it names', async () => {
    const inner = '<table><tr><td>Name<td>Email<td>Password<tr><td>Анна<td>anna@example.com<td>x</table>'
    const text = page(`<table><tr><td>${inner}</td></tr></table>`, '<meta charset="windows-1251">')
    const cyrillic = [...text].map((character) => {
      const code = character.codePointAt(0) ?? 0
      return code > 0x400 ? code - 0x410 + 0xc0 : code
    })
    expect((await readAll(Uint8Array.from(cyrillic))).rows).toEqual([['Анна', 'anna@example.com', 'x']])
  })

  test.each(
    sample(
      [
        '<td>',
        '<table>',
        '<',
        '<!--',
        '<!---->',
        '<script>',
        '&',
        '<td colspan=',
        '<td x="',
        '<td x=\'">',
        '\n ',
        '=""',
        '<br>',
        '@a.',
        ' ',
        '<b hidden>',
        '<b class=',
        '<a href=x>y',
        ' class="hidden-',
        '<input value=',
        '<pre>\n',
      ],
      4,
    ),
  )('that repeats %j is read within seconds of the processor', async (text) => {
    const start = process.threadCpuUsage()
    const repeated = text.repeat(2 ** 20 / text.length)
    await parseSource(file(`<table><tr><td>a<td>${repeated}`)).catch(() => {})
    await parseSource(file(`<table><tr><td>a<td>${repeated}</table>`)).catch(() => {})
    await parseSource(file(`<html>${repeated}`)).catch(() => {})
    // Without a tag behind it.
    await parseSource(file(`${repeated.slice(0, 500)}x`)).catch(() => {})
    const { user, system } = process.threadCpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(6_000)
  })
})

test('of several tables with emails one is read, which is told', async () => {
  const table = (email: string) => `<table><tr><td>Ada<td>${email}<td>x1</table>`
  const readDoubts = async (html: string) =>
    ((await readAll(html)).doubts ?? []).map((doubt) => String(doubt[1]))
  const told = [expect.stringMatching('Several sheets have emails')]
  expect(await readDoubts(table('a@b.org') + table('b@b.org'))).toEqual(told)
  expect(await readDoubts(table('a@b.org') + table('b'))).toEqual([])
  expect(await readDoubts(`${table('a@b.org')}<div hidden>${table('b@b.org')}</div>`)).toEqual([])
})

test('a name of several lines is asked about', async () => {
  const source = await parseSource('<table><tr><td>Ada<br>Engineer<td>ada@example.com<td>x1</table>')
  const { areNamesBroken } = finish(previewInSteps(source, proposeOptions(source), []))
  expect(areNamesBroken).toBe(true)
})

test('a web table is also read if its source is pasted, and an address is no element', async () => {
  const table = '<table><tr><td>Ada<td>ada@example.com<td>x1</table>'
  expect((await parseSource(table)).rows).toMatchObject([{ cells: ['Ada', 'ada@example.com', 'x1'] }])
  expect((await parseSource('<p@example.com>, <b@example.com>')).rows).toHaveLength(3)
})

test('the XML of Excel 2003 has its cells as they are shown', async () => {
  const cell = (type: string, text: string, attributes = '') =>
    `<Cell ${attributes}><Data ss:Type="${type}">${text}</Data></Cell>`
  const commented =
    '<Cell ss:Index="2"><Data ss:Type="String">bob@example.com</Data><Comment><ss:Data>no</ss:Data></Comment></Cell>'
  const rows = [
    ['Name', 'Email', 'Password'].map((text) => cell('String', text)),
    [
      cell('String', 'Ada<B> L</B>'),
      cell('String', 'ada@example.com'),
      cell('Number', '123', 'ss:StyleID="s1"'),
    ],
    [cell('String', 'Bob'), commented, cell('DateTime', '1985-03-13T00:00:00.000', 'ss:StyleID="s2"')],
    [cell('String', 'Eve'), cell('String', 'eve@example.com'), cell('Error', '#N/A')],
  ]
  const sheet = (name: string, body: string, more = '') =>
    `<Worksheet ss:Name="${name}"><Table>${body}</Table>${more}</Worksheet>`
  const list = rows.map((cells) => `<Row>${cells.join('')}</Row>`).join('')
  const hidden = '<WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions>'
  const styles =
    '<Styles><Style ss:ID="s1"><NumberFormat ss:Format="00000"/></Style><Style ss:ID="s2"><NumberFormat ss:Format="ddmmyyyy"/></Style></Styles>'
  const xml = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">${styles}${sheet('Old', list, hidden)}${sheet('List', list)}</Workbook>`
  const read = await readAll(xml)
  expect(read.rows).toEqual([
    ['Ada L', 'ada@example.com', '00123'],
    ['Bob', 'bob@example.com', '13031985'],
    ['Eve', 'eve@example.com', ''],
  ])
  expect([read.failed, read.local]).toEqual([[2], []])
  expect(read.workbook).toMatchObject({ sheet: 1, sheets: [{ isHidden: true }, { isHidden: false }] })
})

test('a text that only looks like a formula of white space is itself', async () => {
  const { rows } = await readAll(
    'Name\tEmail\tPassword\nAda\tada@example.com\t="  " \nBob\tbob@example.com\tx\n',
  )
  expect(rows[0]?.[2]).toBe('="  " ')
})

test('a text has the results of formulas that are texts, and no cell that failed', async () => {
  const text = 'Name,Email,Password\n"=""Ada""",ada@example.com,"=""00123"""\nBob,bob@example.com,#REF!\n'
  const { rows, failed } = await readAll(text)
  expect(rows).toEqual([
    ['Ada', 'ada@example.com', '00123'],
    ['Bob', 'bob@example.com', ''],
  ])
  expect(failed).toEqual([2])
})

test('memory that the browser does not give, or an error of a reader, is no lost connection', async () => {
  const tryToAllocate = () => new ArrayBuffer(Number.MAX_SAFE_INTEGER)
  expect(tryToAllocate).toThrow(RangeError)
  const problemOf = (error: unknown) => String(toSourceError(error).problem[1])
  expect(problemOf(new RangeError('Array buffer allocation failed'))).toContain('not enough memory')
  expect(problemOf(new TypeError('x is undefined'))).toContain('This list can’t be read.')
  const part = Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  await expect(loadPart(part)).rejects.toThrow('didn’t load')
  const known = new SourceError('')
  expect(toSourceError(known)).toBe(known)
})

test('a reader that did not load is no damaged workbook', async () => {
  vi.doMock('./archive/read-workbook.ts', () => Promise.reject(new TypeError('Failed to fetch')))
  const workbook = file(writeWorkbook([['Name', 'Email']]))
  await expect(parseSource(workbook)).rejects.toThrow('didn’t load')
  vi.doUnmock('./archive/read-workbook.ts')
})
