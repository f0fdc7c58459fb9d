import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  type Employee,
  type EmployeeFields,
  mapFields,
  maxFieldLength,
  pickFields,
} from '../../../../../contract/employees.ts'
import {
  arbitraryEmail,
  arbitraryEmployees,
  arbitraryText,
} from '../../../../../tests/support/arbitraries.ts'
import { makeEmployees, named, renamed } from '../../../../../tests/support/people.ts'
import { finish } from '../../../../../tests/support/steps.ts'
import { applyBatch } from '../../../../backends/batch.ts'
import { describeRow } from '../preview.ts'
import type { ColumnIndices } from '../source/detect-columns.ts'
import type { SheetRow } from '../source/sheet.ts'
import { buildBatch, matchInSteps } from './match-rows.ts'

const matchRows = (...args: Parameters<typeof matchInSteps>) => finish(matchInSteps(...args))
const columns: ColumnIndices = { ...mapFields(() => null), eName: 0, lastName: null, email: 1, password: 2 }
const ada: Employee = { id: 'a', ...named('Ada', { password: 'engine' }) }
const grace: Employee = { id: 'g', ...named('Grace', { password: 'cobol' }) }

const sharing = (i: number): Employee => ({
  id: `r${i}`,
  ...named(`Ada ${i}`, { email: ada.email, password: `p${i}` }),
})

/** How often a text is compared or prepared for that. */
function countComparisons(work: () => void): number {
  const spies = (['normalize', 'trim'] as const).map((name) => vi.spyOn(String.prototype, name))
  work()
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return count
}

const createSheet = (rows: string[][]): SheetRow[] => rows.map((cells, i) => ({ number: i + 2, cells }))
const match = (rows: string[][], employees: Employee[] = [ada, grace], columnIndices = columns) =>
  matchRows(createSheet(rows), columnIndices, employees)
const outcomesOf = (...args: Parameters<typeof match>) => match(...args).map(({ outcome }) => outcome)
const reasonsOf = (...args: Parameters<typeof match>) =>
  match(...args).map((row) => (row.outcome === 'invalid' ? describeRow(row) : ''))

describe('import: matching rows by email', () => {
  test('a row is new, changed or unchanged; ignores case and outer white space of the email', async () => {
    const rows = [
      ['Alan', 'alan@example.com', 'bombe'],
      ['Ada King', ' ADA@Example.com ', 'engine'],
      ['Grace', 'grace@EXAMPLE.com', 'cobol'],
    ]
    expect(outcomesOf(rows)).toEqual(['new', 'changed', 'unchanged'])
    expect(await buildBatch(match(rows))).toEqual({
      add: [named('Alan', { password: 'bombe' })],
      update: [{ seen: ada, fields: pickFields(renamed('Ada King', ada)) }],
      remove: [],
    })
  })

  test('takes a name and an email without what nobody sees, and a password as it is', () => {
    const hidden = [['Al\u00adan\u200b', 'al\u00adan@example.com', 'bom\u00adbe']]
    expect(match(hidden)).toMatchObject([
      { outcome: 'new', fields: named('Alan', { password: 'bom\u00adbe' }) },
    ])
    expect(match(hidden, [{ id: 'n', ...named('Alan', { password: 'bom\u00adbe' }) }])).toMatchObject([
      { outcome: 'unchanged' },
    ])
    const stored = { id: 's', ...named('Alan', { eName: 'Al\u00adan\u200b', password: 'bom\u00adbe' }) }
    expect(outcomesOf(hidden, [stored])).toEqual(['unchanged'])
    const unseen = '\u200b\u00ad'
    expect(match([[unseen, 'alan@example.com', 'bombe']])).toMatchObject([{ fields: { eName: unseen } }])
  })

  test('blank cells, short rows and missing columns leave existing values unchanged', () => {
    const rows = [
      ['', ada.email, ''],
      ['  ', ada.email, ' \t'],
      ['Ada', ada.email],
    ]
    for (const row of rows) expect(outcomesOf([row])).toEqual(['unchanged'])
    const withoutPassword = { ...columns, password: null }
    expect(outcomesOf([['Ada', ada.email, 'x']], [ada], withoutPassword)).toEqual(['unchanged'])
    const [changed] = match([['Ada King', ada.email, '']])
    expect(changed).toMatchObject({ outcome: 'changed', fields: pickFields(renamed('Ada King', ada)) })
  })

  test.each([
    ['Zoë', 'Zoe\u0308'],
    ['Zoe\u0308', 'Zoë'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['=1;+2', "'=1;''+2"],
    ["'tis", "''tis"],
    ['a\rb\0', 'a_x000D_b_x0000_'],
    ['=a\rb', "'=a_x000D_b"],
  ])('the same text in other letters is unchanged: %j as %j', (text, cell) => {
    const zoe = { id: 'z', ...named('Zoë', { password: text }) }
    expect(outcomesOf([['Zoë', zoe.email, cell]], [zoe])).toEqual(['unchanged'])
    expect(outcomesOf([[cell, zoe.email, text]], [renamed(text, zoe)])).toEqual(['unchanged'])
  })

  test('other text is changed, and what is the same retains its letters', () => {
    const zoe = { id: 'z', ...named('Zoë', { password: 'a\r\nb' }) }
    for (const other of ['a b', 'a\n\nb', 'A\nb', ' a\r\nb', "'a\r\nb"]) {
      const [changed] = match([['Zoe\u0308', zoe.email, other]], [zoe])
      expect(changed).toMatchObject({ outcome: 'changed', fields: named('Zoë', { password: other }) })
    }
  })

  test.each([
    ['The email is missing.', ['No Email', '', 'p']],
    ['This is not an email address.', ['Not An Email', 'nobody', 'p']],
    ['The name is missing.', ['', 'new@example.com', 'p']],
    ['The password is missing.', ['New', 'new@example.com', '']],
    ['The name is too long.', ['x'.repeat(maxFieldLength + 1), 'long@example.com', 'p']],
    ['The name is too long.', ['x'.repeat(maxFieldLength + 1), 'ada@example.com', 'p']],
    ['The password contains invalid characters.', ['Half', 'half@example.com', '\ud800']],
  ])('states why a row is invalid: %s', (reason, row) => {
    expect(reasonsOf([row])).toEqual([reason])
  })

  test.each(['', '****', ' ******** ', '•••', '∙∙∙∙', '●'])(
    'a password of only asterisks or bullets is none: "%s"',
    (hidden) => {
      const rows = [
        ['New', 'new@example.com', hidden],
        ['Ada', ada.email, hidden],
      ]
      expect(outcomesOf(rows)).toEqual(['invalid', 'unchanged'])
      expect(outcomesOf([['New', 'new@example.com', '*a*']])).toEqual(['new'])
    },
  )

  test('generates different passwords, which no spreadsheet evaluates, only for new records without one', async () => {
    const people = makeEmployees(200)
    const rows = [...people.map(({ eName, email }) => [eName, email]), ['Ada King', ada.email]]
    expect(outcomesOf(rows)).toEqual([...people.map(() => 'invalid'), 'changed'])
    const { add, update } = await buildBatch(
      matchRows(createSheet(rows), columns, [ada], { generates: true }),
    )
    expect(add.map(({ eName, email }) => [eName, email])).toEqual(rows.slice(0, -1))
    expect(new Set(add.map(({ password }) => password)).size).toBe(people.length)
    for (const { password } of add) expect(password).toMatch(/^[^-=+@].{19}$/)
    expect(update).toEqual([{ seen: ada, fields: pickFields(renamed('Ada King', ada)) }])
  })

  test('a password in the file takes precedence over a generated one for the same email', async () => {
    const rows = createSheet([
      ['Alan', 'alan@example.com', ''],
      ['Alan', 'ALAN@example.com', 'bombe'],
    ])
    const matched = matchRows(rows, columns, [], { generates: true })
    expect(matched.map(({ outcome }) => outcome)).toEqual(['unchanged', 'new'])
    expect((await buildBatch(matched)).add).toMatchObject([{ password: 'bombe' }])
  })

  test('uses the first of two rows with one email; the second says so, or is invalid', () => {
    const alan = ['Alan', 'alan@example.com', 'bombe']
    expect(outcomesOf([alan, alan])).toEqual(['new', 'unchanged'])
    expect(match([alan, alan, alan]).map(describeRow)).toEqual(['', 'Same as row 2', 'Same as row 2'])
    const known = [ada.eName, ada.email, '']
    expect(match([known, known]).map(describeRow)).toEqual(['', 'Same as row 2'])
    const reason = 'Row 2 has the same email but different data.'
    expect(reasonsOf([alan, ['Other', 'ALAN@example.com', 'p']])).toEqual(['', reason])
    const rows = ['Ada 2', 'Ada 3'].map((name) => [name, ada.email, ''])
    expect(outcomesOf(rows)).toEqual(['changed', 'invalid'])
  })

  test('matches rows by name if several records share an email; an ambiguous row is invalid', () => {
    const employees = [ada, renamed('Ada the second', { ...ada, id: 't' })]
    const rows = ['Ada the second', 'Ada'].map((name) => [name, ada.email, 'engine'])
    expect(outcomesOf(rows, employees)).toEqual(['unchanged', 'unchanged'])
    const [changed] = match([['Ada the second', ada.email, 'new']], employees)
    expect(changed).toMatchObject({ outcome: 'changed', seen: { id: 't' } })
    const reason = '2 records have this email. It isn’t clear which one is meant.'
    expect(reasonsOf([['Somebody', ada.email, 'p']], employees)).toEqual([reason])
  })
})

describe('import: matching any rows', () => {
  const anyRows = fc.array(
    fc.record({
      eName: fc.oneof(arbitraryText, fc.constant('')),
      email: arbitraryEmail,
      password: fc.oneof(arbitraryText, fc.constant('')),
    }),
    { maxLength: 8 },
  )
  const toSheet = (records: EmployeeFields[]) =>
    createSheet(records.map(({ eName, email, password }) => [eName, email, password]))

  test('updates no record twice, erases no field, adds no existing email, and changes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, anyRows, fc.boolean(), async (employees, records, generates) => {
        const rows = toSheet(records)
        const batch = await buildBatch(matchRows(rows, columns, employees, { generates }))
        const { add, update } = batch
        expect(new Set(update.map(({ seen }) => seen.id)).size).toBe(update.length)
        for (const { fields } of update) expect(Object.values(fields)).not.toContain('')
        const existingEmails = new Set(employees.map(({ email }) => email.toLowerCase()))
        expect(add.filter(({ email }) => existingEmails.has(email.toLowerCase()))).toEqual([])
        const after = applyBatch(employees, batch, { ids: add.map((_, i) => `new-${i}`), kept: [] })
        const again = await buildBatch(matchRows(rows, columns, after, { generates }))
        expect(again).toEqual({ add: [], update: [], remove: [] })
      }),
      { numRuns: 1000 },
    )
  })

  test.each<[string, (i: number) => Employee, (i: number) => string[]]>([
    ['equal records', () => ada, () => ['Ada', ada.email, 'engine']],
    ['records of one email', sharing, (i) => [`Ada ${i}`, ada.email, `p${i}`]],
    [
      'records of one email and name',
      (i) => ({ ...sharing(i), eName: 'Ada' }),
      (i) => ['Ada', ada.email, `p${i}`],
    ],
    ['new passwords', sharing, (i) => [`Ada ${i}`, ada.email, `new ${i}`]],
    ['new names', sharing, (i) => [`Eve ${i}`, ada.email, `p${i}`]],
    [
      'new rows of one email',
      (i) => ({ ...sharing(i), email: 'b@c.de' }),
      (i) => ['Ada', ada.email, `p${i}`],
    ],
    ['ambiguous names', (i) => ({ ...sharing(i), eName: 'Ada' }), (i) => ['Ada', ada.email, `new ${i}`]],
  ])('compares twice as many texts for twice as many rows and records: %s', (_, toEmployee, toCells) => {
    const countFor = (count: number) => {
      const indices = Array.from({ length: count }, (_, i) => i)
      return countComparisons(() => match(indices.map(toCells), indices.map(toEmployee)))
    }
    expect(countFor(200)).toBeLessThan(2.5 * countFor(100))
  })

  test('matches 100,000 rows to 100,000 records, each row once', { tags: 'large' }, async () => {
    const employees = makeEmployees(100_000, 'engine').map((fields, i) => ({ id: `r${i}`, ...fields }))
    const rows = toSheet(
      employees.map((employee, i) => (i % 2 ? { ...employee, password: 'new' } : employee)),
    )
    const matched = matchRows(rows, columns, employees)
    expect((await buildBatch(matched)).update).toHaveLength(50_000)
    expect(matched).toHaveLength(100_000)
  })
})
