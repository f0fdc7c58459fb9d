import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EmployeeFields, fieldNames, pickFields } from '../../../../../contract/employees.ts'
import { makeEncoder } from '../../../../../tests/support/encode.ts'
import { isNightly } from '../../../../../tests/support/nightly.ts'
import { createRandom } from '../../../../../tests/support/random.ts'
import { readList } from '../../../../../tests/support/read-list.ts'
import { seed } from '../../../../../tests/support/sample.ts'
import { writeWorkbook } from '../../../model/spreadsheet/write-workbook.ts'
import { hiddenSecret } from '../matching/match-rows.ts'
import { decodeBytes } from './encodings/decode-bytes.ts'
import type { Encoding } from './encodings/encodings.ts'
import { SourceError } from './sheet.ts'

/** Words of names, by the encodings that have their letters besides Unicode. */
const vocabularies: [encodings: Encoding[], words: string[]][] = [
  [
    ['windows-1252', 'macintosh', 'ibm850', 'iso-8859-15'],
    ['Jürgen', 'Zoë', 'François', 'Muñoz', 'Groß', 'Sørensen', 'O’Neil', 'Ada'],
  ],
  [
    ['windows-1250', 'ibm852', 'iso-8859-2'],
    ['Łukasz', 'Dvořák', 'Żółkiewski', 'Szűcs', 'Jiří', 'Anna', 'Šťastný'],
  ],
  [
    ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'],
    ['Анна', 'Щербакова', 'Жуков', 'Юрий', 'Ирина'],
  ],
  [
    ['windows-1253', 'ibm737', 'iso-8859-7'],
    ['Ελένη', 'Γεωργίου', 'Δημήτρης', 'Παπαδόπουλος'],
  ],
  [
    ['windows-1254', 'ibm857'],
    ['Ayşe', 'Yılmaz', 'Çağrı', 'İbrahim', 'Öztürk'],
  ],
  [
    ['shift_jis', 'euc-jp'],
    ['山田', '太郎', 'さくら', '鈴木'],
  ],
  [['gb18030'], ['王秀英', '张建国', '刘丽华']],
  [
    [],
    ['Ada', 'Grace', 'Lovelace', 'van', 'der', "O'Brien", 'Anne-Marie', 'José', '👩‍💻', 'Zoe\u0308', 'عائشة'],
  ],
]

const secret = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'abcXYZ0123456789!?#$%&*()+-=/.:@^~_<>[]{}'),
      fc.constantFrom(
        ',',
        ';',
        '\t',
        '|',
        '"',
        "'",
        '\\',
        ' ',
        '“',
        'a1',
        '\n',
        '\r\n',
        '00',
        '1e5',
        '""',
        "'=",
        '-+-',
        '-- --',
        '---',
      ),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '' && !hiddenSecret.test(text))

const headers = [
  ['Name', 'Email', 'Password'],
  ['Employee Name', 'E-mail address', 'Login password'],
  ['Mitarbeiter', 'E-Mail', 'Passwort'],
  ['Nom', 'Courriel', 'Mot de passe'],
  ['Nombre', 'Correo electrónico', 'Contraseña'],
  ['Jméno', 'E-mail', 'Heslo'],
  ['Персона', 'Почта', 'Пароль'],
  ['Wer', 'Wo', 'Was'],
  ['display_name', 'mail', 'pwd'],
  null,
]

const shape = fc.record({
  format: fc.constantFrom(
    ...[
      'csv',
      'csv',
      'csv',
      'csv',
      'csv',
      'csv',
      'json',
      'json lines',
      'nested json',
      'json columns',
      'workbook',
    ],
    ...['psql', 'psql expanded', 'mysql', 'markdown', 'web table', 'xml', 'labels', 'ini', 'yaml'],
    ...['web application', 'columns', 'ruled columns'],
    ...['dif', 'sylk', 'braces', 'words', 'fields'],
    ...['tuples', 'blocks of Terraform', 'lists in a list', 'two columns', 'Jira', 'MediaWiki'],
  ),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 2 }),
  quotes: fc.constantFrom('all', 'needed', 'backslash', 'none'),
  padding: fc.constantFrom('', '', '', ' '),
  header: fc.constantFrom(...headers),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  extra: fc.subarray(['empty', 'department', 'number']),
  title: fc.constantFrom('', '', 'Staff of 2026'),
  encoding: fc.nat(),
  hasMark: fc.boolean(),
  endsWithLine: fc.boolean(),
  /** On Windows, Python writes a CR before each LF, unless it is told not to; other programs do so at the ends of rows only. */
  doubledReturns: fc.constantFrom('none', 'none', 'all', 'rows'),
  /** Line breaks are not quoted. */
  hasBareBreaks: fc.nat(9).map((number) => number === 0),
})
type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never

const lists = fc.constantFrom(...vocabularies).chain(([encodings, words]) =>
  fc.record({
    encodings: fc.constant(encodings),
    people: fc.array(fc.tuple(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }), secret), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
)

/** The forms that show a text as it is, but for the line ends of some. */
const exactForms = /^(csv|json.*|workbook|xml|yaml)$/

/** A password as a form can show it, where outer and repeated white space is nothing but layout. */
function asShown(password: string, format: string): string {
  if (exactForms.test(format)) return password
  const lines = password.split(/\r?\n|\r/).map((line) => line.replace(/[\t ]+/g, ' ').trim())
  // A line of nothing but quotation marks is a blank one to every reader.
  const shown = lines.filter((line) => /[^\s"]/.test(line)).join(format === 'markdown' ? ' ' : '\n')
  return shown === '' || hiddenSecret.test(shown) ? 'x1' : shown
}

const toPeople = (rows: [string[], string][]): EmployeeFields[] =>
  rows.map(([words, password], i) => {
    const values = [words.join(' '), `person${i}@example.com`, password]
    return Object.fromEntries(fieldNames.map((name, j) => [name, values[j]])) as EmployeeFields
  })

/** The cells of the people, with columns that are not imported. */
function layOut(people: EmployeeFields[], { header, order, extra }: Shape): string[][] {
  const columns = [...order, ...extra]
  const title = columns.map((column) =>
    typeof column === 'number' ? (header?.[column] ?? '') : `x-${column}`,
  )
  const rows = people.map((person, i) =>
    columns.map((column) => {
      if (typeof column === 'number') return Object.values(pickFields(person))[column] ?? ''
      return { empty: '', department: ['Navy', 'Maths'][i % 2], number: `${1_000 + i}` }[column] ?? ''
    }),
  )
  return header ? [title, ...rows] : rows
}

function writeCsv(
  rows: string[][],
  { delimiter, quotes, padding, title, endsWithLine, ...shape }: Shape,
): string {
  // Without a line end nothing tells that CRs are doubled.
  const doubledReturns = rows.length > 1 || endsWithLine ? shape.doubledReturns : 'none'
  const lineEnds = doubledReturns === 'none' ? shape.lineEnds : ['\r\n']
  const special = new RegExp(`["\\r\\n${delimiter === '|' ? '\\|' : delimiter}]|^\\s|\\s$`)
  const quote = (cell: string) => {
    // A line of nothing but separators is no row, and nobody can tell quotation marks around a cell from those of a program.
    const isWithText = cell.split(/[\r\n]+/).every((line) => /[^\s",;|]/.test(line))
    const isBare = shape.hasBareBreaks ? isWithText : !/[\r\n]/.test(cell)
    const isPlain = quotes === 'none' && isBare && !/^"([^"]|"")*"$/.test(cell)
    if (isPlain || (quotes === 'needed' && !special.test(cell))) return cell
    const inner = quotes === 'backslash' ? cell.replace(/["\\]/g, '\\$&') : cell.replaceAll('"', '""')
    return `"${inner}"`
  }
  const lines = rows.map((cells) => cells.map(quote).join(delimiter + padding))
  const all = title && rows.length > 1 ? [title, '', ...lines] : lines
  const extra = doubledReturns === 'rows' ? '\r' : ''
  const end = (i: number) => extra + (lineEnds[i % lineEnds.length] ?? '\n')
  const text = all.map((line, i) => (i === all.length - 1 && !endsWithLine ? line : line + end(i))).join('')
  return doubledReturns === 'all' ? text.replaceAll('\n', '\r\n') : text
}

const encoders = new Map<Encoding, ReturnType<typeof makeEncoder>>()

function encode(text: string, possible: Encoding[], { encoding, hasMark }: Shape): Uint8Array<ArrayBuffer> {
  const choices: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', ...possible]
  const chosen = choices[encoding % choices.length] ?? 'utf-8'
  const mark = hasMark ? '\ufeff' : ''
  if (chosen === 'utf-8') return new Uint8Array(Buffer.from(mark + text))
  const wide = new Uint8Array(Buffer.from(mark + text, 'utf16le'))
  if (chosen === 'utf-16le') return wide
  if (chosen === 'utf-16be') return new Uint8Array(Buffer.from(wide).swap16())
  const encoder = encoders.get(chosen) ?? makeEncoder(chosen)
  encoders.set(chosen, encoder)
  const bytes = encoder(text)
  return decodeBytes(bytes, chosen) === text ? bytes : new Uint8Array(Buffer.from(mark + text))
}

const widthOf = (texts: readonly string[]) => Math.max(...texts.map((text) => [...text].length))
const padTo = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - [...text].length))

/** A table as databases print it: a cell of several lines goes on below, in psql with a sign. */
function drawTable(rows: string[][], isPsql: boolean): string {
  const cells = rows.map((row) => row.map((cell) => cell.split(/\r?\n|\r/)))
  const widths = (rows[0] ?? []).map((_, column) => widthOf(cells.flatMap((row) => row[column] ?? [])))
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+')
  const drawLine = (row: string[][], line: number) =>
    row
      .map((parts, i) => {
        const goesOn = isPsql && line < parts.length - 1
        return ` ${padTo(parts[line] ?? '', widths[i] ?? 0)}${goesOn ? '+' : ' '}`
      })
      .join('|')
  const drawRow = (row: string[][]) =>
    Array.from({ length: Math.max(...row.map((parts) => parts.length)) }, (_, i) => drawLine(row, i))
  const [header = [], ...data] = cells.map(drawRow)
  if (isPsql) return [...header, rule, ...data.flat(), `(${data.length} rows)`, ''].join('\n')
  const border = `+${rule}+`
  const bar = (lines: string[]) => lines.map((line) => `|${line}|`)
  return [border, ...bar(header), border, ...bar(data.flat()), border, ''].join('\n')
}

const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const tag = (name: string, content: string) => `<${name}>${content}</${name}>`

const writeWebTable = ([header = [], ...rows]: string[][], dress: (cell: string) => string) => {
  const row = (cells: string[], name: string) =>
    tag(
      'tr',
      cells.map((cell) => tag(name, dress(escapeMarkup(cell).replaceAll(/\r?\n|\r/g, '<br>')))).join(''),
    )
  return tag('html', tag('table', [row(header, 'th'), ...rows.map((cells) => row(cells, 'td'))].join('\n')))
}

/** The lines of a list whose columns begin below one another. */
function drawColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => widthOf(rows.map((row) => row[column] ?? '')) + 2)
  return rows.map((row) => row.map((cell, i) => padTo(cell, widths[i] ?? 0)).join(''))
}

/** How programs and people write lists in other forms, by the header and the rows. */
const otherForms: Record<string, (rows: string[][]) => string> = {
  psql: (rows) => drawTable(rows, true),
  mysql: (rows) => drawTable(rows, false),
  'psql expanded': ([header = [], ...rows]) => {
    const width = widthOf(header)
    return rows
      .map((row, i) => {
        const lines = header.map((label, j) => `${padTo(label, width)} | ${row[j]}`)
        return [`-[ RECORD ${i + 1} ]${'-'.repeat(width)}`, ...lines].join('\n')
      })
      .join('\n')
  },
  markdown: ([header = [], ...rows]) => {
    const line = (cells: string[]) => `| ${cells.join(' | ')} |`
    const escapeBar = (cell: string) => cell.replaceAll('|', '\\|').replaceAll(/\s/g, ' ')
    return [line(header), line(header.map(() => '---')), ...rows.map((row) => line(row.map(escapeBar)))].join(
      '\n',
    )
  },
  'web table': (rows) => writeWebTable(rows, (cell) => cell),
  'web application': (rows) =>
    writeWebTable(
      rows,
      (cell) => `\n  <span hidden>was <b>x</b></span>${cell}<button type="button">Copy</button>\n`,
    ),
  columns: (rows) => drawColumns(rows).join('\r\n'),
  'ruled columns': (rows) => {
    const [header = '', ...lines] = drawColumns(rows)
    return [
      header,
      header.replaceAll(/\S(?: ?\S)* */g, (name) => padTo('-'.repeat(name.length - 2), name.length)),
      ...lines,
    ].join('\n')
  },
  xml: ([header = [], ...rows]) => {
    const nameOf = (label: string) => label.replaceAll(/[^\p{L}\d-]/gu, '_')
    const items = rows.map((row) =>
      tag('user', header.map((label, i) => tag(nameOf(label), escapeMarkup(row[i] ?? ''))).join('\n  ')),
    )
    return `<?xml version="1.0"?>\n${tag('users', items.join('\n'))}`
  },
  labels: ([header = [], ...rows]) =>
    rows.map((row) => header.map((label, i) => `${label}: ${row[i]}`).join('\n')).join('\n\n'),
  ini: ([header = [], ...rows]) =>
    rows
      .map((row, i) => [`[user${i}]`, ...header.map((label, j) => `${label} = ${row[j]}`)].join('\n'))
      .join('\n'),
  yaml: ([header = [], ...rows]) =>
    rows
      .map((row) =>
        header.map((label, i) => `${i === 0 ? '- ' : '  '}${label}: ${JSON.stringify(row[i])}`).join('\n'),
      )
      .join('\n'),
  dif: (rows) => {
    const cells = rows.map((row) => row.map((cell) => `1,0\n"${cell.replaceAll('"', '""')}"`))
    const tuples = cells.map((row) => ['-1,0\nBOT', ...row].join('\n'))
    return ['TABLE\n0,1\n"EXCEL"', 'DATA\n0,0\n""', ...tuples, '-1,0\nEOD\n'].join('\n')
  },
  sylk: (rows) => {
    const encodeCell = (cell: string) => cell.replaceAll(';', ';;').replaceAll(/\r?\n|\r/g, '\x1b :')
    const lines = rows.flatMap((row, y) =>
      row.map((cell, x) => `C;Y${y + 1};X${x + 1};K"${encodeCell(cell)}"`),
    )
    return ['ID;PWXL;N;E', ...lines, 'E', ''].join('\r\n')
  },
  braces: ([header = [], ...rows]) =>
    rows
      .map((row) => `- {${header.map((label, i) => `${label}: ${JSON.stringify(row[i])}`).join(', ')}}`)
      .join('\n'),
  tuples: (rows) =>
    rows
      .slice(1)
      .map((row) => `(${row.map((cell) => `'${cell.replaceAll("'", "''")}'`).join(', ')})`)
      .join(',\n'),
  'blocks of Terraform': ([header = [], ...rows]) =>
    rows
      .map(
        (row, i) =>
          `resource "user" "u${i}" {\n${header.map((label, j) => `  ${label} = ${JSON.stringify(row[j])}\n`).join('')}}\n`,
      )
      .join('\n'),
  'lists in a list': ([[first = '', ...header] = [], ...rows]) =>
    rows
      .map(([top, ...row]) =>
        [`- ${first}: ${top}`, ...header.map((label, i) => `  - ${label}: ${row[i]}`)].join('\n'),
      )
      .join('\n'),
  'two columns': ([header = [], ...rows]) => {
    const width = widthOf(header)
    return rows
      .map((row) => header.map((label, i) => `${padTo(label, width)} ${row[i]}`).join('\n'))
      .join('\n\n')
  },
  Jira: ([header = [], ...rows]) =>
    [
      `||${header.join('||')}||`,
      ...rows.map((row) => `|${row.map((cell) => cell.replaceAll('|', '\\|')).join('|')}|`),
    ].join('\n'),
  MediaWiki: ([header = [], ...rows]) =>
    ['{|', `! ${header.join(' !! ')}`, ...rows.map((row) => `|-\n| ${row.join(' || ')}`), '|}'].join('\n'),
  words: (rows) => rows.map((row) => row.join(' ')).join('\n'),
  fields: (rows) => rows.flat().join('\n'),
  'json columns': ([header = [], ...rows]) =>
    JSON.stringify(Object.fromEntries(header.map((label, i) => [label, rows.map((row) => row[i])]))),
}

function write(people: EmployeeFields[], possible: Encoding[], shape: Shape): File {
  const rows = layOut(people, shape)
  const toObjects = ([header = [], ...rows]: string[][]) =>
    rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i] || `column ${i}`, cell])))
  const titled = () => layOut(people, { ...shape, header: shape.header ?? ['name', 'email', 'password'] })
  const objects = () => toObjects(titled())
  const writers: Record<string, () => Uint8Array<ArrayBuffer>> = {
    csv: () => encode(writeCsv(rows, shape), possible, shape),
    json: () => encode(JSON.stringify(objects()), [], shape),
    'json lines': () =>
      encode(
        objects()
          .map((object) => JSON.stringify(object))
          .join('\n'),
        [],
        shape,
      ),
    'nested json': () => encode(JSON.stringify({ meta: { total: 3 }, users: objects() }, null, 2), [], shape),
    workbook: () => writeWorkbook(rows),
  }
  const other = otherForms[shape.format]
  return new File(
    [other ? encode(other(titled()), [], shape) : (writers[shape.format]?.() ?? '')],
    'list.csv',
  )
}

test('a list in any shape is right to the letter or asked about', { timeout: 3_600_000 }, async () => {
  let right = 0
  const property = fc.asyncProperty(lists, shape, async ({ people: rows, encodings }, shape) => {
    const people = toPeople(rows.map(([words, password]) => [words, asShown(password, shape.format)]))
    const { isAsked, added } = await readList(write(people, encodings, shape)).catch((error) => {
      if (!(error instanceof SourceError)) throw error
      return { isAsked: true, added: [] }
    })
    const isRight = JSON.stringify(added) === JSON.stringify(people)
    if (isRight) right++
    else if (!isAsked) expect(added).toEqual(people)
  })
  const numRuns = isNightly ? 100_000 : 2_000
  await fc.assert(property, { numRuns, seed })
  expect(right).toBeGreaterThan(numRuns * 0.4)
})

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

test.each([
  ['letters and digits', letters, 0.03],
  ['some signs', `${letters}!@#$%^&*`, 0.15],
  ['all signs of a keyboard', `${letters}!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`, 0.15],
])('lists of random passwords of %s are hardly ever asked about', async (_, signs, share) => {
  const random = createRandom(seed)
  const makeSecret = () => Array.from({ length: 12 + random(9) }, () => signs[random(signs.length)]).join('')
  const count = isNightly ? 2_000 : 100
  let asked = 0
  for (let i = 0; i < count; i++) {
    const people = toPeople(Array.from({ length: 50 }, () => [['Ada'], makeSecret()]))
    const cells = people.map((person) => Object.values(pickFields(person)))
    const text = [['Name', 'Email', 'Password'], ...cells]
      .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
      .join('\r\n')
    const { isAsked, added } = await readList(new File([text], 'list.csv'))
    if (isAsked) asked++
    else expect(added).toEqual(people)
  }
  expect(asked).toBeLessThanOrEqual(count * share)
})

/** What people and programs make of a password, which nobody could sign in with. */
const changes: Record<string, (password: string) => string> = {
  'a remark behind it': (password) => `${password} (until May)`,
  'another behind it': (password) => `old1 -> ${password}`,
  'several words': (password) => `${password}, please change it`,
  'several lines': (password) => `${password}\nm1`,
  'a remark in its place': () => 'see vault',
  'a word in its place': () => 'gesperrt',
  'a date': () => '12.03.1985',
  'a number of a program': () => '123456.0',
  'an address': () => 'https://example.com/reset',
  'another’s email': () => 'eve@example.com',
  'a name': () => 'Grace Hopper',
  'the marks of a text': (password) => `'${password}`,
  'its middle hidden': (password) => `${password}****${password}`,
  'its end cut': (password) => `${password}…`,
  'other dashes': (password) => `${password}–${password}`,
  entities: (password) => `${password}&uuml;`,
  'its encryption': () => 'ENC(Gx8f3dLkPqRs==)',
}

test('a password that was changed on its way is asked about, in whatever form', async () => {
  const plainSecret = fc.stringMatching(/^[a-z]{3,8}[0-9]{2,4}[!+=?]?$/)
  const people = fc.array(plainSecret, { minLength: 2, maxLength: 5 })
  const format = fc.constantFrom('csv', 'workbook', 'json', 'xml', 'sylk')
  const property = fc.asyncProperty(
    people,
    shape,
    format,
    fc.constantFrom(...Object.keys(changes)),
    async (secrets, shape, format, change) => {
      const [first = '', ...others] = secrets
      const changed = [changes[change]?.(first) ?? '', ...others]
      const list = toPeople(changed.map((password) => [['Ada', 'Lovelace'], password]))
      const read = readList(write(list, [], { ...shape, format }))
      const { isAsked } = await read.catch(() => ({ isAsked: true }))
      expect(isAsked, change).toBe(true)
    },
  )
  await fc.assert(property, { numRuns: isNightly ? 20_000 : 300, seed })
})
