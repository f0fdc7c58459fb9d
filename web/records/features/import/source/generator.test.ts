import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EmployeeFields, fieldNames, pickFields } from '../../../../../contract/employees.ts'
import { makeEncoder } from '../../../../../tests/support/encode.ts'
import { isNightly } from '../../../../../tests/support/nightly.ts'
import { seed } from '../../../../../tests/support/sample.ts'
import { finish } from '../../../../../tests/support/steps.ts'
import { writeWorkbook } from '../../../model/spreadsheet/write-workbook.ts'
import { hiddenSecret } from '../matching/match-rows.ts'
import { previewInSteps, proposeOptions } from '../preview.ts'
import { decodeBytes } from './encodings/decode-bytes.ts'
import type { Encoding } from './encodings/encodings.ts'
import { parseSource } from './parse-source.ts'
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
  format: fc.constantFrom('csv', 'csv', 'csv', 'csv', 'json', 'json lines', 'nested json', 'workbook'),
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

function write(people: EmployeeFields[], possible: Encoding[], shape: Shape): File {
  const rows = layOut(people, shape)
  const toObjects = ([header = [], ...rows]: string[][]) =>
    rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i] || `column ${i}`, cell])))
  const objects = () =>
    toObjects(layOut(people, { ...shape, header: shape.header ?? ['name', 'email', 'password'] }))
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
  return new File([writers[shape.format]?.() ?? ''], 'list.csv')
}

/** Whether the page says that something may be wrong. */
async function readList(file: File) {
  const parsed = await parseSource(file)
  const options = proposeOptions(parsed)
  const { rows, counts, spacedCounts, doubts, areNamesBroken, problem } = finish(
    previewInSteps(parsed, options, []),
  )
  const isAsked =
    problem !== null ||
    counts.invalid > 0 ||
    counts.skipped > 0 ||
    parsed.isEncodingUnsure ||
    parsed.hasUnclosedQuote ||
    (parsed.doubts ?? []).length + doubts.length > 0 ||
    areNamesBroken ||
    parsed.escapedCellCount > 0 ||
    Object.values(spacedCounts).some((count) => count > 0) ||
    options.isPasswordGuessed ||
    options.isNameGuessed ||
    options.isEmailGuessed
  return { isAsked, added: rows.flatMap((row) => (row.outcome === 'new' ? [row.fields] : [])) }
}

test('a list in any shape is right to the letter or asked about', { timeout: 3_600_000 }, async () => {
  let right = 0
  const property = fc.asyncProperty(lists, shape, async ({ people: rows, encodings }, shape) => {
    const people = toPeople(rows)
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
  expect(right).toBeGreaterThan(numRuns * 0.5)
})
