import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNightly } from '../../../../../../../tests/support/nightly.ts'
import { readList } from '../../../../../../../tests/support/read-list.ts'
import { seed } from '../../../../../../../tests/support/sample.ts'
import { hiddenSecret } from '../../../matching/match-rows.ts'
import { SourceError } from '../../sheet.ts'

type Align = 'left' | 'right' | 'center'
type Metric = keyof typeof measures

/** How programs count the columns that a text takes. */
const measures = {
  units: (text: string) => text.length,
  points: (text: string) => [...text].length,
  screen: (text: string) =>
    [...text].reduce((sum, character) => sum + (/\p{M}/u.test(character) ? 0 : isWide(character) ? 2 : 1), 0),
}
const isWide = (character: string) =>
  /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|\p{Emoji_Presentation}/u.test(character)

function pad(text: string, width: number, align: Align, metric: Metric): string {
  const spaces = Math.max(0, width - measures[metric](text))
  const before = { left: 0, right: spaces, center: Math.floor(spaces / 2) }[align]
  return ' '.repeat(before) + text + ' '.repeat(spaces - before)
}

const name = fc
  .array(
    fc.constantFrom(
      'Ada',
      'Lovelace',
      'Bob',
      'van',
      'Grace',
      'Jo',
      'O’Neil',
      'José',
      '山田',
      'さくら',
      'Zoe\u0308',
      '7',
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => words.join(' '))

const secret = fc
  .array(fc.constantFrom(...'abXY019!#.,;:-|', 'pass', 'word', ' ', '  ', 'é', '🎈', '...'), {
    minLength: 1,
    maxLength: 9,
  })
  .map((parts) => parts.join('').trim())
  .filter((text) => text !== '' && !hiddenSecret.test(text))

const person = fc.record({
  name,
  user: fc.constantFrom('a', 'ada', 'grace.hopper', 'b-1', 'somebody-else'),
  password: secret,
  other: fc.constantFrom('Navy', 'Royal Navy', 'IT', 'Human Resources', '7', '12.50', ''),
  number: fc.nat(2_000),
})

const headers = {
  name: ['Name', 'Full name', 'Employee Name', 'name'],
  email: ['Email', 'E-mail address', 'mail', 'email'],
  password: ['Password', 'Login password', 'pwd', 'Initial password'],
  other: ['Department', 'Job title', 'Where', 'Salary (net)'],
  number: ['Id', 'No.', 'Employee number'],
}
type Column = keyof typeof headers

const align = fc.constantFrom<Align>('left', 'left', 'left', 'right', 'right', 'center')

const shape = fc.record({
  columns: fc.subarray<Column>(['other', 'number']).chain((extra) => {
    const all: Column[] = ['name', 'email', 'password', ...extra]
    return fc.shuffledSubarray(all, { minLength: all.length })
  }),
  header: fc.record({
    name: fc.constantFrom(...headers.name),
    email: fc.constantFrom(...headers.email),
    password: fc.constantFrom(...headers.password),
    other: fc.constantFrom(...headers.other),
    number: fc.constantFrom(...headers.number),
  }),
  usual: align,
  /** Programs align numbers, and the header, in their own ways. */
  ofNumbers: fc.constantFrom<Align>('left', 'right'),
  ofHeader: fc.option(align),
  ofOneColumn: fc.option(fc.tuple(fc.nat(5), align)),
  index: fc.constantFrom('none', 'none', 'from 0', 'from 1', 'some', 'words'),
  gap: fc.constantFrom(' ', ' ', '  ', '  ', '   ', ' | ', ' │ ', '|'),
  rule: fc.constantFrom('none', 'none', 'columns', 'names', 'line', 'crossed', 'markdown'),
  hasBorder: fc.boolean(),
  indent: fc.constantFrom('', '', ' ', '  '),
  keepsEnds: fc.boolean(),
  metric: fc.constantFrom<Metric>('points', 'points', 'units', 'screen'),
  footer: fc.constantFrom('', '', '(3 rows)', '[3 rows x 3 columns]', '3 rows selected.'),
  title: fc.constantFrom('', '', '', 'Staff of 2026', '# A tibble: 3 × 3'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
})
type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never
type Person = typeof person extends fc.Arbitrary<infer Value> ? Value : never

const emailOf = ({ user }: Person, i: number) => `${user}${i}@example.com`

function cellOf(column: Column, person: Person, i: number): string {
  if (column === 'email') return emailOf(person, i)
  return column === 'number' ? `${person.number}` : person[column]
}

/** The numbers, or the words, that stand before the rows. */
function indexOf(kind: string, { number }: Person, i: number): string {
  return (
    { 'from 0': `${i}`, 'from 1': `${i + 1}`, some: `${number}`, words: ['one', 'two', 'three'][i % 3] }[
      kind
    ] ?? ''
  )
}

function draw(people: Person[], shape: Shape): string {
  const { columns, index, metric, indent, hasBorder } = shape
  const hasIndex = index !== 'none'
  const header = [...(hasIndex ? [''] : []), ...columns.map((column) => shape.header[column])]
  const rows = people.map((person, i) => [
    ...(hasIndex ? [indexOf(index, person, i)] : []),
    ...columns.map((column) => cellOf(column, person, i)),
  ])
  const widths = header.map((label, i) =>
    Math.max(...[label, ...rows.map((row) => row[i] ?? '')].map(measures[metric])),
  )
  const bar = shape.gap.trim()
  const edge = bar && hasBorder ? bar : ''
  const alignOf = (i: number, cell: string): Align => {
    if (hasIndex && i === 0) return shape.ofNumbers
    if (shape.ofOneColumn?.[0] === i) return shape.ofOneColumn[1]
    return /^[\d.]+$/.test(cell) && columns[i - Number(hasIndex)] === 'number' ? shape.ofNumbers : shape.usual
  }
  const write = (cells: string[], ofHeader?: Align | null) => {
    const padded = cells.map((cell, i) => {
      const align = ofHeader ?? alignOf(i, rows[0]?.[i] ?? cell)
      return pad(cell, widths[i] ?? 0, align, metric)
    })
    const line = indent + (edge && `${edge} `) + padded.join(shape.gap) + (edge && ` ${edge}`)
    return shape.keepsEnds ? line : line.trimEnd()
  }
  const total = widths.reduce((sum, width) => sum + width, 0) + shape.gap.length * (widths.length - 1)
  const dashes = (crossing: string) =>
    indent +
    (edge && `${crossing}-`) +
    widths
      .map((width) => '-'.repeat(width))
      .join([...shape.gap].map((sign) => (sign === bar ? crossing : '-')).join('')) +
    (edge && `-${crossing}`)
  const rules: Record<string, string[]> = {
    columns: bar ? [] : [write(widths.map((width) => '-'.repeat(width)))],
    names: bar
      ? []
      : [
          write(
            header.map((label) => '-'.repeat(label.length)),
            shape.ofHeader,
          ),
        ],
    line: [indent + '-'.repeat(total)],
    crossed: bar ? [dashes('+')] : [],
    markdown: bar === '|' ? [dashes('|')] : [],
  }
  const body = [write(header, shape.ofHeader), ...(rules[shape.rule] ?? []), ...rows.map((row) => write(row))]
  const title = shape.title === '' ? [] : [shape.title]
  return [...title, ...body, ...(shape.footer ? [shape.footer] : [])].join(shape.lineEnd)
}

test('a table that a program has drawn is right to the letter or asked about', {
  timeout: 3_600_000,
}, async () => {
  let right = 0
  const people = fc.array(person, { minLength: 1, maxLength: 9 })
  const property = fc.asyncProperty(people, shape, async (people, shape) => {
    const text = draw(people, shape)
    const { isAsked, added } = await readList(text).catch((error) => {
      if (!(error instanceof SourceError)) throw error
      return { isAsked: true, added: [] }
    })
    const found = added.map((fields) => Object.values(fields).slice(0, 3))
    const expected = people.map((person, i) => [person.name, emailOf(person, i), person.password])
    if (JSON.stringify(found) === JSON.stringify(expected)) right++
    else if (!isAsked) expect(found, text).toEqual(expected)
  })
  const numRuns = isNightly ? 100_000 : 2_000
  await fc.assert(property, { numRuns, seed })
  expect(right).toBeGreaterThan(numRuns * 0.4)
})

/** What programs have printed for the same three people. */
const tables: [program: string, text: string][] = [
  [
    'pandas',
    `
                  Name                     Email   Password
0         Ada Lovelace                 ada@a.org      se1x!
1                  Bob  bobby.tables@example.com        cr2
2  Carl Friedrich Gauß                   c@a.org  ultra#3rd
`,
  ],
  [
    'pandas, without numbers',
    `
               Name                    Email  Password
       Ada Lovelace                ada@a.org     se1x!
                Bob bobby.tables@example.com       cr2
Carl Friedrich Gauß                  c@a.org ultra#3rd
`,
  ],
  [
    'pandas, with a header to the left',
    `
  Name                 Email                     Password
0         Ada Lovelace                 ada@a.org      se1x!
1                  Bob  bobby.tables@example.com        cr2
2  Carl Friedrich Gauß                   c@a.org  ultra#3rd
`,
  ],
  [
    'pandas, with a header in the middle',
    `
          Name                   Email            Password
0         Ada Lovelace                 ada@a.org      se1x!
1                  Bob  bobby.tables@example.com        cr2
2  Carl Friedrich Gauß                   c@a.org  ultra#3rd
`,
  ],
  [
    'pandas, with an index of emails',
    `
                                         Name   Password
Email
ada@a.org                        Ada Lovelace      se1x!
bobby.tables@example.com                  Bob        cr2
c@a.org                   Carl Friedrich Gauß  ultra#3rd
`,
  ],
  [
    'R',
    `
                 Name                    Email  Password
1        Ada Lovelace                ada@a.org     se1x!
2                 Bob bobby.tables@example.com       cr2
3 Carl Friedrich Gauß                  c@a.org ultra#3rd
`,
  ],
  [
    'R, a tibble',
    `
# A tibble: 3 × 3
  Name                Email                    Password
  <chr>               <chr>                    <chr>
1 Ada Lovelace        ada@a.org                se1x!
2 Bob                 bobby.tables@example.com cr2
3 Carl Friedrich Gauß c@a.org                  ultra#3rd
`,
  ],
  [
    'DuckDB',
    `
┌─────────────────────┬──────────────────────────┬───────────┐
│        Name         │          Email           │ Password  │
│       varchar       │         varchar          │  varchar  │
├─────────────────────┼──────────────────────────┼───────────┤
│ Ada Lovelace        │ ada@a.org                │ se1x!     │
│ Bob                 │ bobby.tables@example.com │ cr2       │
│ Carl Friedrich Gauß │ c@a.org                  │ ultra#3rd │
└─────────────────────┴──────────────────────────┴───────────┘
`,
  ],
  [
    'Polars',
    `
shape: (3, 3)
┌─────────────────────┬──────────────────────────┬───────────┐
│ Name                ┆ Email                    ┆ Password  │
│ ---                 ┆ ---                      ┆ ---       │
│ str                 ┆ str                      ┆ str       │
╞═════════════════════╪══════════════════════════╪═══════════╡
│ Ada Lovelace        ┆ ada@a.org                ┆ se1x!     │
├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌┤
│ Bob                 ┆ bobby.tables@example.com ┆ cr2       │
├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌┤
│ Carl Friedrich Gauß ┆ c@a.org                  ┆ ultra#3rd │
└─────────────────────┴──────────────────────────┴───────────┘
`,
  ],
  [
    'Rich',
    `
                      ╷                          ╷
  Name                │ Email                    │ Password
╶─────────────────────┼──────────────────────────┼───────────╴
  Ada Lovelace        │ ada@a.org                │ se1x!
  Bob                 │ bobby.tables@example.com │ cr2
  Carl Friedrich Gauß │ c@a.org                  │ ultra#3rd
                      ╵                          ╵
`,
  ],
  [
    'Rich, in the middle',
    `

         Name                    Email             Password
 ────────────────────────────────────────────────────────────
     Ada Lovelace              ada@a.org             se1x!
          Bob           bobby.tables@example.com      cr2
  Carl Friedrich Gauß           c@a.org            ultra#3rd

`,
  ],
  [
    'PrettyTable for Word',
    `
|                Name |                    Email |  Password |
|        Ada Lovelace |                ada@a.org |     se1x! |
|                 Bob | bobby.tables@example.com |       cr2 |
| Carl Friedrich Gauß |                  c@a.org | ultra#3rd |
`,
  ],
  [
    'reStructuredText',
    `
===================  ========================  ==========
Name                 Email                     Password
===================  ========================  ==========
Ada Lovelace         ada@a.org                 se1x!
Bob                  bobby.tables@example.com  cr2
Carl Friedrich Gauß  c@a.org                   ultra#3rd
===================  ========================  ==========
`,
  ],
  [
    'Texttable',
    `
       Name                    Email             Password
==========================================================
Ada Lovelace          ada@a.org                  se1x!
Bob                   bobby.tables@example.com   cr2
Carl Friedrich Gauß   c@a.org                    ultra#3rd
`,
  ],
  [
    'column',
    `
Name                | Email                    | Password
Ada Lovelace        | ada@a.org                | se1x!
Bob                 | bobby.tables@example.com | cr2
Carl Friedrich Gauß | c@a.org                  | ultra#3rd
`,
  ],
]

test.each(tables)('reads what %s prints', async (_, text) => {
  const { added } = await readList(text)
  expect(added.map((fields) => Object.values(fields).slice(0, 3))).toEqual([
    ['Ada Lovelace', 'ada@a.org', 'se1x!'],
    ['Bob', 'bobby.tables@example.com', 'cr2'],
    ['Carl Friedrich Gauß', 'c@a.org', 'ultra#3rd'],
  ])
})

test('asks where spaces alone do not tell to which column a word belongs', async () => {
  const text = 'Name              Password\nAda Lovelace a@a.org  x1\n'
  expect((await readList('  Name   Password          Email\nAda    Hopper a1 ada@a.org')).isAsked).toBe(true)
  expect((await readList(text)).isAsked).toBe(true)
})

test('says where a program has left out rows', async () => {
  const rows = [
    '     Name      Email Password',
    '0     Ada  ada@a.org       x1',
    '..    ...        ...      ...',
    '99    Bob  bob@a.org       y2',
  ]
  const { isAsked, added } = await readList([...rows, '', '[100 rows x 3 columns]'].join('\n'))
  expect({ isAsked, count: added.length }).toEqual({ isAsked: true, count: 2 })
})
