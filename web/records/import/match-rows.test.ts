import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Employee, type EmployeeFields, maxFieldLength } from '../../../contract/employees.ts'
import { arbitraryEmail, arbitraryEmployees, arbitraryText } from '../../../tests/support/arbitraries.ts'
import { applyBatch } from '../../backends/batch.ts'
import { buildBatch, matchRows } from './match-rows.ts'
import type { ColumnIndices } from './source/detect-columns.ts'
import type { SheetRow } from './source/parse-sheet.ts'

const columns: ColumnIndices = { eName: 0, lastName: null, email: 1, password: 2 }
const ada: Employee = { id: 'a', eName: 'Ada', email: 'ada@example.com', password: 'engine' }
const grace: Employee = { id: 'g', eName: 'Grace', email: 'grace@example.com', password: 'cobol' }

const createSheet = (rows: string[][]): SheetRow[] => rows.map((cells, i) => ({ number: i + 2, cells }))
const match = (rows: string[][], employees: Employee[] = [ada, grace], columnIndices = columns) =>
  matchRows(createSheet(rows), columnIndices, employees)
const outcomesOf = (...args: Parameters<typeof match>) => match(...args).map(({ outcome }) => outcome)
const reasonsOf = (...args: Parameters<typeof match>) =>
  match(...args).map((row) => (row.outcome === 'invalid' ? row.reason : ''))

describe('import: matching rows by email', () => {
  test('a row is new, changed or unchanged; ignores case and outer white space of the email', () => {
    const rows = [
      ['Alan', 'alan@example.com', 'bombe'],
      ['Ada King', ' ADA@Example.com ', 'engine'],
      ['Grace', 'grace@EXAMPLE.com', 'cobol'],
    ]
    expect(outcomesOf(rows)).toEqual(['new', 'changed', 'unchanged'])
    expect(buildBatch(match(rows))).toEqual({
      add: [{ eName: 'Alan', email: 'alan@example.com', password: 'bombe' }],
      update: [{ seen: ada, fields: { eName: 'Ada King', email: 'ada@example.com', password: 'engine' } }],
      remove: [],
    })
  })

  test('blank cells, short rows and missing columns leave existing values unchanged', () => {
    expect(outcomesOf([['', 'ada@example.com', '']])).toEqual(['unchanged'])
    expect(outcomesOf([['  ', 'ada@example.com', ' \t']])).toEqual(['unchanged'])
    expect(outcomesOf([['Ada', 'ada@example.com']])).toEqual(['unchanged'])
    expect(outcomesOf([['Ada', 'ada@example.com', 'x']], [ada], { ...columns, password: null })).toEqual([
      'unchanged',
    ])
    const [changed] = match([['Ada King', 'ada@example.com', '']])
    expect(changed).toMatchObject({ outcome: 'changed', fields: { eName: 'Ada King', password: 'engine' } })
  })

  test('states why a row is invalid', () => {
    expect(
      reasonsOf([
        ['No Email', '', 'p'],
        ['Not An Email', 'nobody', 'p'],
        ['', 'new@example.com', 'p'],
        ['New', 'new@example.com', ''],
        ['x'.repeat(maxFieldLength + 1), 'long@example.com', 'p'],
        ['x'.repeat(maxFieldLength + 1), 'ada@example.com', 'p'],
        ['Half', 'half@example.com', '\ud800'],
      ]),
    ).toEqual([
      'The email is missing.',
      'This is not an email address.',
      'The name is missing.',
      'The password is missing.',
      'The name is too long.',
      'The name is too long.',
      'The password contains invalid characters.',
    ])
  })

  test('uses the first of two rows with one email; the second is unchanged or invalid', () => {
    const alan = ['Alan', 'alan@example.com', 'bombe']
    expect(outcomesOf([alan, alan])).toEqual(['new', 'unchanged'])
    expect(reasonsOf([alan, ['Other', 'ALAN@example.com', 'p']])).toEqual([
      '',
      'Row 2 has the same email but different data.',
    ])
    expect(
      outcomesOf([
        ['Ada 2', ada.email, ''],
        ['Ada 3', ada.email, ''],
      ]),
    ).toEqual(['changed', 'invalid'])
  })

  test('matches rows by name if several records share an email; an ambiguous row is invalid', () => {
    const twin = { ...ada, id: 't', eName: 'Ada the second' }
    const employees = [ada, twin]
    expect(
      outcomesOf(
        [
          ['Ada the second', ada.email, 'engine'],
          ['Ada', ada.email, 'engine'],
        ],
        employees,
      ),
    ).toEqual(['unchanged', 'unchanged'])
    const [changed] = match([['Ada the second', ada.email, 'new']], employees)
    expect(changed).toMatchObject({ outcome: 'changed', seen: { id: 't' } })
    expect(reasonsOf([['Somebody', ada.email, 'p']], employees)).toEqual([
      '2 records have this email. It isn’t clear which one is meant.',
    ])
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

  test('importing the same rows twice changes nothing the second time', () => {
    fc.assert(
      fc.property(arbitraryEmployees, anyRows, (employees, records) => {
        const rows = toSheet(records)
        const batch = buildBatch(matchRows(rows, columns, employees))
        const ids = batch.add.map((_, i) => `new-${i}`)
        const after = applyBatch(employees, batch, { ids, kept: [] })
        expect(buildBatch(matchRows(rows, columns, after))).toEqual({ add: [], update: [], remove: [] })
      }),
      { numRuns: 1000 },
    )
  })

  test('updates no record twice, erases no field, and adds no existing email', () => {
    fc.assert(
      fc.property(arbitraryEmployees, anyRows, (employees, records) => {
        const { add, update } = buildBatch(matchRows(toSheet(records), columns, employees))
        expect(new Set(update.map(({ seen }) => seen.id)).size).toBe(update.length)
        for (const { fields } of update) expect(Object.values(fields)).not.toContain('')
        const existingEmails = new Set(employees.map(({ email }) => email.toLowerCase()))
        expect(add.filter(({ email }) => existingEmails.has(email.toLowerCase()))).toEqual([])
      }),
    )
  })

  test('matches 100,000 rows to 100,000 records, each row once', () => {
    const employees = Array.from({ length: 100_000 }, (_, i) => ({
      ...ada,
      id: `r${i}`,
      email: `p${i}@example.com`,
    }))
    const rows = toSheet(
      employees.map((employee, i) => ({ ...employee, password: i % 2 ? 'new' : 'engine' })),
    )
    const matched = matchRows(rows, columns, employees)
    expect(buildBatch(matched).update).toHaveLength(50_000)
    expect(matched).toHaveLength(100_000)
  })
})
