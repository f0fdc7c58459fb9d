import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pickFields } from '../../../contract/employees.ts'
import { arbitraryEmployees, arbitraryText } from '../../../tests/support/arbitraries.ts'
import { matchRows } from '../import/match-rows.ts'
import { decodeText } from '../import/source/decode.ts'
import { detectColumns } from '../import/source/detect-columns.ts'
import { parseSheet, type SheetRow } from '../import/source/parse-sheet.ts'
import { escapeFormula, isEscapedFormula, unescapeFormula } from './escape-formulas.ts'
import { toCsv } from './to-csv.ts'

/** Reads an exported file like the import does. */
async function importRows(csv: string): Promise<SheetRow[]> {
  const { text } = decodeText(new TextEncoder().encode(csv))
  const { rows } = await parseSheet(text)
  return rows.map(({ number, cells }) => ({ number, cells: cells.map(unescapeFormula) }))
}

describe('export', () => {
  test('writes RFC 4180: CRLF, a header, doubled quotes; passwords only if requested', () => {
    const employees = [{ id: '1', eName: 'Ada "Countess" King', email: 'ada@example.com', password: 'a,b' }]
    expect(toCsv(employees, { withPasswords: true })).toBe(
      '\ufeff"Employee Name","Email","Password"\r\n"Ada ""Countess"" King","ada@example.com","a,b"\r\n',
    )
    expect(toCsv(employees, { withPasswords: false })).toBe(
      '\ufeff"Employee Name","Email"\r\n"Ada ""Countess"" King","ada@example.com"\r\n',
    )
  })

  test('no cell begins like a formula', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, async (employees) => {
        const { rows } = await parseSheet(toCsv(employees, { withPasswords: true }))
        for (const cell of rows.flatMap(({ cells }) => cells)) {
          expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/)
        }
      }),
    )
  })

  test('unescaping restores any escaped text, and leaves other text unchanged', () => {
    fc.assert(
      fc.property(arbitraryText, (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text)
        if (!isEscapedFormula(text)) expect(unescapeFormula(text)).toBe(text)
      }),
    )
    expect(["'=1+1", "'tis", "it's", "''", "'", '=1'].map(unescapeFormula)).toEqual([
      '=1+1',
      "'tis",
      "it's",
      "'",
      "'",
      '=1',
    ])
  })
})

describe('import of an export', () => {
  test('into the same list: every row is unchanged, with and without passwords', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, fc.boolean(), async (employees, withPasswords) => {
        const rows = await importRows(toCsv(employees, { withPasswords }))
        const { hasHeader, columns } = detectColumns(rows)
        expect(hasHeader).toBe(true)
        const matched = matchRows(rows.slice(1), columns, employees)
        expect(matched.map(({ outcome }) => outcome)).toEqual(employees.map(() => 'unchanged'))
      }),
      { numRuns: 300 },
    )
  })

  test('into an empty list: every record is new and has exactly the same fields', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, async (employees) => {
        const seen = new Set<string>()
        const distinct = employees.filter(({ email }) => {
          const key = email.toLowerCase()
          return !seen.has(key) && seen.add(key)
        })
        const rows = await importRows(toCsv(distinct, { withPasswords: true }))
        const matched = matchRows(rows.slice(1), detectColumns(rows).columns, [])
        expect(matched.map(({ outcome, fields }) => [outcome, fields])).toEqual(
          distinct.map((employee) => ['new', pickFields(employee)]),
        )
      }),
      { numRuns: 300 },
    )
  })
})
