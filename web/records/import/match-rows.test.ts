import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Employee, type EmployeeFields, maxFieldLength } from '../../../contract/employees.ts'
import { arbitraryEmail, arbitraryEmployees, arbitraryText } from '../../../tests/support/arbitraries.ts'
import { applyBatch } from '../../backends/batch.ts'
import type { ColumnIndices } from './detect-columns.ts'
import { buildBatch, matchRows } from './match-rows.ts'
import type { SheetRow } from './parse-sheet.ts'

const columns: ColumnIndices = { eName: 0, email: 1, password: 2 }
const ada: Employee = { id: 'a', eName: 'Ada', email: 'ada@example.com', password: 'engine' }
const grace: Employee = { id: 'g', eName: 'Grace', email: 'grace@example.com', password: 'cobol' }

const sheet = (...rows: string[][]): SheetRow[] => rows.map((cells, i) => ({ number: i + 2, cells }))
const judge = (rows: string[][], book: Employee[] = [ada, grace], layout = columns) =>
  matchRows(sheet(...rows), layout, book)
const verdicts = (...args: Parameters<typeof judge>) => judge(...args).map(({ outcome }) => outcome)
const reasons = (...args: Parameters<typeof judge>) =>
  judge(...args).map((row) => (row.outcome === 'invalid' ? row.reason : ''))

describe('import: merging by email', () => {
  test('a row is new, changed or the same; capitals and spaces around an email make no difference', () => {
    const rows = [
      ['Alan', 'alan@example.com', 'bombe'],
      ['Ada King', ' ADA@Example.com ', 'engine'],
      ['Grace', 'grace@EXAMPLE.com', 'cobol'],
    ]
    expect(verdicts(rows)).toEqual(['new', 'changed', 'unchanged'])
    expect(buildBatch(judge(rows))).toEqual({
      add: [{ eName: 'Alan', email: 'alan@example.com', password: 'bombe' }],
      update: [{ seen: ada, fields: { eName: 'Ada King', email: 'ada@example.com', password: 'engine' } }],
      remove: [],
    })
  })

  test('an empty cell, a cell of spaces, a short row or a missing column wipes nothing', () => {
    expect(verdicts([['', 'ada@example.com', '']])).toEqual(['unchanged'])
    expect(verdicts([['  ', 'ada@example.com', ' \t']])).toEqual(['unchanged'])
    expect(verdicts([['Ada', 'ada@example.com']])).toEqual(['unchanged'])
    expect(verdicts([['Ada', 'ada@example.com', 'x']], [ada], { ...columns, password: null })).toEqual([
      'unchanged',
    ])
    const [changed] = judge([['Ada King', 'ada@example.com', '']])
    expect(changed).toMatchObject({ outcome: 'changed', fields: { eName: 'Ada King', password: 'engine' } })
  })

  test('a wrong row says why', () => {
    expect(
      reasons([
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
      'The password is not valid Unicode.',
    ])
  })

  test('of two rows with one email the first counts; the second is the same, or wrong and says which', () => {
    const twice = ['Alan', 'alan@example.com', 'bombe']
    expect(verdicts([twice, twice])).toEqual(['new', 'unchanged'])
    expect(reasons([twice, ['Other', 'ALAN@example.com', 'p']])).toEqual([
      '',
      'Row 2 has this email too, with other data.',
    ])
    expect(
      verdicts([
        ['Ada 2', ada.email, ''],
        ['Ada 3', ada.email, ''],
      ]),
    ).toEqual(['changed', 'invalid'])
  })

  test('where records of the register share an email, a row finds its own, or is wrong', () => {
    const twin = { ...ada, id: 't', eName: 'Ada the second' }
    const book = [ada, twin]
    expect(
      verdicts(
        [
          ['Ada the second', ada.email, 'engine'],
          ['Ada', ada.email, 'engine'],
        ],
        book,
      ),
    ).toEqual(['unchanged', 'unchanged'])
    const [changed] = judge([['Ada the second', ada.email, 'new']], book)
    expect(changed).toMatchObject({ outcome: 'changed', seen: { id: 't' } })
    expect(reasons([['Somebody', ada.email, 'p']], book)).toEqual([
      '2 records have this email, and it is not clear which is meant.',
    ])
  })

  const anyRows = fc.array(
    fc.record({
      eName: fc.oneof(arbitraryText, fc.constant('')),
      email: arbitraryEmail,
      password: fc.oneof(arbitraryText, fc.constant('')),
    }),
    { maxLength: 8 },
  )
  const cellsOf = (rows: EmployeeFields[]) =>
    sheet(...rows.map(({ eName, email, password }) => [eName, email, password]))

  test('what was imported and is imported again is neither new nor changed', () => {
    fc.assert(
      fc.property(arbitraryEmployees, anyRows, (book, records) => {
        const rows = cellsOf(records)
        const batch = buildBatch(matchRows(rows, columns, book))
        const ids = batch.add.map((_, i) => `new-${i}`)
        const after = applyBatch(book, batch, { ids, kept: [] })
        expect(buildBatch(matchRows(rows, columns, after))).toEqual({ add: [], update: [], remove: [] })
      }),
      { numRuns: 1000 },
    )
  })

  test('no record is changed twice, none is wiped, no email is new that the register has', () => {
    fc.assert(
      fc.property(arbitraryEmployees, anyRows, (book, records) => {
        const { add, update } = buildBatch(matchRows(cellsOf(records), columns, book))
        expect(new Set(update.map(({ seen }) => seen.id)).size).toBe(update.length)
        for (const { fields } of update) expect(Object.values(fields)).not.toContain('')
        const known = new Set(book.map(({ email }) => email.toLowerCase()))
        expect(add.filter(({ email }) => known.has(email.toLowerCase()))).toEqual([])
      }),
    )
  })

  test('judges 100,000 rows against 100,000 records, each row once', () => {
    const book = Array.from({ length: 100_000 }, (_, i) => ({
      ...ada,
      id: `r${i}`,
      email: `p${i}@example.com`,
    }))
    const rows = cellsOf(book.map((employee, i) => ({ ...employee, password: i % 2 ? 'new' : 'engine' })))
    const judged = matchRows(rows, columns, book)
    expect(buildBatch(judged).update).toHaveLength(50_000)
    expect(judged).toHaveLength(100_000)
  })
})
