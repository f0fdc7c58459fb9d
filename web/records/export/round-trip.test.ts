import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pickFields } from '../../../contract/employees.ts'
import { arbitraryEmployees, arbitraryText } from '../../../tests/support/arbitraries.ts'
import { decodeText } from '../import/decode.ts'
import { detectColumns } from '../import/detect-columns.ts'
import { matchRows } from '../import/match-rows.ts'
import { parseSheet, type SheetRow } from '../import/parse-sheet.ts'
import { escapeFormula, isEscapedFormula, unescapeFormula } from './escape-formulas.ts'
import { toCsv } from './to-csv.ts'

/** The file as it is downloaded, read as an import reads it. */
async function readBack(csv: string): Promise<SheetRow[]> {
  const { text } = decodeText(new TextEncoder().encode(csv))
  const { rows } = await parseSheet(text)
  return rows.map(({ number, cells }) => ({ number, cells: cells.map(unescapeFormula) }))
}

describe('export', () => {
  test('is RFC 4180: CRLF, a header, quotes doubled; passwords only when they are asked for', () => {
    const book = [{ id: '1', eName: 'Ada "Countess" King', email: 'ada@example.com', password: 'a,b' }]
    expect(toCsv(book, { withPasswords: true })).toBe(
      '\ufeff"Employee Name","Email","Password"\r\n"Ada ""Countess"" King","ada@example.com","a,b"\r\n',
    )
    expect(toCsv(book, { withPasswords: false })).toBe(
      '\ufeff"Employee Name","Email"\r\n"Ada ""Countess"" King","ada@example.com"\r\n',
    )
  })

  test('no cell begins as a formula would, whatever the record holds', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, async (book) => {
        const { rows } = await parseSheet(toCsv(book, { withPasswords: true }))
        for (const cell of rows.flatMap(({ cells }) => cells)) {
          expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/)
        }
      }),
    )
  })

  test('taking the protection off gives back any text; no other text is touched', () => {
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

describe('export and import again', () => {
  test('into the same register: every row is the same, with and without passwords', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, fc.boolean(), async (book, withPasswords) => {
        const rows = await readBack(toCsv(book, { withPasswords }))
        const { hasHeader, columns } = detectColumns(rows)
        expect(hasHeader).toBe(true)
        const judged = matchRows(rows.slice(1), columns, book)
        expect(judged.map(({ outcome }) => outcome)).toEqual(book.map(() => 'unchanged'))
      }),
      { numRuns: 300 },
    )
  })

  test('into an empty register: every record is new and exactly what it was', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, async (book) => {
        const seen = new Set<string>()
        const distinct = book.filter(({ email }) => {
          const key = email.toLowerCase()
          return !seen.has(key) && seen.add(key)
        })
        const rows = await readBack(toCsv(distinct, { withPasswords: true }))
        const judged = matchRows(rows.slice(1), detectColumns(rows).columns, [])
        expect(judged.map(({ outcome, fields }) => [outcome, fields])).toEqual(
          distinct.map((employee) => ['new', pickFields(employee)]),
        )
      }),
      { numRuns: 300 },
    )
  })
})
