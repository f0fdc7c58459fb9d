import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import {
  type Employee,
  type EmployeeFields,
  emptyFields,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
  mapFields,
  optionalFieldNames,
  removeInvisible,
  secretFieldNames,
} from '../../../../contract/employees.ts'
import { arbitraryEmployees, arbitraryText } from '../../../../tests/support/arbitraries.ts'
import { isNightly } from '../../../../tests/support/nightly.ts'
import { finish } from '../../../../tests/support/steps.ts'
import { visibleFieldNames } from '../../model/fields.ts'
import { escapeFormula, isEscapedFormula, unescapeFormula } from '../../model/spreadsheet/escape-formulas.ts'
import { type ExportFormat, toCsv, toRows } from '../../model/spreadsheet/to-csv.ts'
import { writeWorkbook } from '../../model/spreadsheet/write-workbook.ts'
import { hiddenSecret, matchInSteps } from '../import/matching/match-rows.ts'
import { readArchive } from '../import/source/archive/read-archive.ts'
import type { WorkbookSheet } from '../import/source/archive/sheets.ts'
import { detectColumns } from '../import/source/detect-columns.ts'
import { parseSource } from '../import/source/parse-source.ts'
import type { SheetRow } from '../import/source/sheet.ts'
import { parseSheet } from '../import/source/text/parse-text.ts'

/** Reads an exported file like the import does. */
async function importRows(csv: string): Promise<SheetRow[]> {
  const { program, rows } = await parseSource(new File([csv], 'export.csv'))
  return program ? rows : rows.map(({ number, cells }) => ({ number, cells: cells.map(unescapeFormula) }))
}

/** A field as an import takes it. */
function cleanField(employee: Employee, name: FieldName): string {
  const text = fieldOf(employee, name)
  return fieldRules[name].isSecret ? text : removeInvisible(text) || text
}

/** Password managers have the other fields in their notes, which an import does not read. */
const managedFieldNames = fieldNames.filter((name) => !fieldRules[name].isOptional)

const formatsWithPasswords: ExportFormat[] = ['spreadsheet with passwords', 'bitwarden', '1password']
const anyFormat = fc.constantFrom<ExportFormat>('spreadsheet', ...formatsWithPasswords)

describe('export', () => {
  test('writes RFC 4180: CRLF, a header, doubled quotes; passwords only if requested', () => {
    const employees = [{ id: '1', eName: 'Ada "Countess" King', email: 'ada@example.com', password: 'a,b' }]
    const line = (...cells: string[]) => `${cells.map((cell) => `"${cell}"`).join()}\r\n`
    const blank = (names: FieldName[], known: number) => names.slice(known).map(() => '')
    expect(toCsv(employees, 'spreadsheet with passwords')).toBe(
      '\ufeff' +
        line(...fieldNames.map((name) => fieldRules[name].label)) +
        line('Ada ""Countess"" King', 'ada@example.com', 'a,b', ...blank(fieldNames, 3)),
    )
    expect(toCsv(employees, 'spreadsheet')).toBe(
      '\ufeff' +
        line(...visibleFieldNames.map((name) => fieldRules[name].label)) +
        line('Ada ""Countess"" King', 'ada@example.com', ...blank(visibleFieldNames, 2)),
    )
  })

  test('writes what Bitwarden and 1Password import, with the exact passwords', () => {
    const employees = [{ id: '1', eName: '=Ada', email: 'ada@example.com', password: '=1+"1",\n' }]
    expect(toCsv(employees, 'bitwarden')).toBe(
      '"folder","favorite","type","name","notes","fields","reprompt","login_uri","login_username","login_password","login_totp"\r\n' +
        '"","","login","=Ada","","","","","ada@example.com","=1+""1"",\n",""\r\n',
    )
    const hasNotes = optionalFieldNames.length > 0
    expect(toCsv(employees, '1password')).toBe(
      `"Title","Website","Username","Password"${hasNotes ? ',"Notes"' : ''}\r\n` +
        `"=Ada","","ada@example.com","=1+""1"",\n"${hasNotes ? ',""' : ''}\r\n`,
    )
  })

  test.each(optionalFieldNames)('tells password managers %s in the notes', (name) => {
    const employees = [{ ...emptyFields, [name]: 'x' }]
    for (const format of ['bitwarden', '1password'] as const)
      expect(toCsv(employees, format)).toContain(`"${fieldRules[name].label}: x"`)
  })

  test('no cell of a spreadsheet begins like a formula', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, async (employees) => {
        const { rows } = parseSheet(toCsv(employees, 'spreadsheet with passwords'))
        for (const cell of rows.flatMap(({ cells }) => cells)) {
          expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r\n]/)
        }
      }),
    )
  })

  /** Splits a line like a spreadsheet: what follows a closing quotation mark belongs to the cell, as it stands. */
  function splitLikeSpreadsheet(csv: string, separator: string): string[] {
    const cell = new RegExp(`(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\\n]*)(?:[${separator}\\n]|$)`, 'gy')
    return [...csv.matchAll(cell)].map(([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest)
  }

  const tricky = fc.array(fc.constantFrom(',', ';', '\t', '\n', '\r', '"', "'", '=', '-', ' ', 'a', '\v'))
  const trickyText = tricky.map((parts) => parts.join(''))

  test.each([',', ';', '\t'])(
    'no piece begins like a formula if the spreadsheet splits at %j',
    (separator) => {
      const record = fc.record({ eName: trickyText, email: trickyText, password: trickyText })
      const property = fc.property(fc.array(record), (employees) => {
        const csv = toCsv(employees, 'spreadsheet with passwords').slice(1).replaceAll('\r', '\n')
        for (const piece of splitLikeSpreadsheet(csv, separator)) expect(piece).not.toMatch(/^\s*[=+\-@]/)
      })
      fc.assert(property, { numRuns: isNightly ? 1_000 : 250 })
      const example = [{ eName: 'Ada', email: 'a@example.com', password: 'a;=1+1;b\t-2,+3' }]
      expect(toCsv(example, 'spreadsheet with passwords')).toContain(`"a;''=1+1;b\t''-2,''+3"`)
    },
  )

  test('unescaping restores any escaped text, and leaves other text unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryText, trickyText), (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text)
        if (!isEscapedFormula(text)) expect(unescapeFormula(text)).toBe(text)
      }),
    )
    const escaped = ["'=1+1", "'tis", "it's", "''", "'", '=1']
    expect(escaped.map(unescapeFormula)).toEqual(['=1+1', "'tis", "it's", "'", "'", '=1'])
  })
})

describe('import of an export', () => {
  test('into the same list: every row is unchanged, in every format', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryEmployees, anyFormat, async (employees, format) => {
        const rows = await importRows(toCsv(employees, format))
        const { hasHeader, columns } = detectColumns(rows)
        expect(hasHeader).toBe(true)
        const matched = finish(matchInSteps(rows.slice(1), columns, employees))
        expect(matched.map(({ outcome }) => outcome)).toEqual(employees.map(() => 'unchanged'))
      }),
      { numRuns: isNightly ? 300 : 80 },
    )
  })

  test('into an empty list: every record is new and has the same fields, but for what nobody sees in a name', async () => {
    const format = fc.constantFrom(...formatsWithPasswords)
    const property = fc.asyncProperty(arbitraryEmployees, format, async (employees, format) => {
      const isShown = (employee: Employee) =>
        secretFieldNames.every((name) => !hiddenSecret.test(fieldOf(employee, name)))
      const shown = employees.filter(isShown)
      const distinct = [...Map.groupBy(shown, ({ email }) => email.toLowerCase()).values()].flatMap(
        (same) => same[0] ?? [],
      )
      const rows = await importRows(toCsv(distinct, format))
      const matched = finish(matchInSteps(rows.slice(1), detectColumns(rows).columns, []))
      const known = format.startsWith('spreadsheet') ? fieldNames : managedFieldNames
      const pickKnown = (employee: Employee) =>
        Object.fromEntries(known.map((name) => [name, cleanField(employee, name)]))
      const expected = distinct.map((employee) => ['new', pickKnown(employee)])
      expect(matched.map(({ outcome, fields }) => [outcome, fields])).toEqual(expected)
    })
    await fc.assert(property, { numRuns: isNightly ? 300 : 80 })
  })

  test('as a workbook: every cell is the same to the letter', async () => {
    const delicate = fc.constantFrom(
      '\0',
      '\x1b',
      '\r',
      '\v',
      '\ufffe',
      '\uffff',
      '\ud800',
      '\udc00',
      '_x000D_',
      '_X0041_',
      '_',
      '&amp;',
      '&#x1F600;',
      '<',
      ']]>',
      '😀',
      ' ',
    )
    const text = fc.oneof(
      arbitraryText,
      fc.array(delicate, { minLength: 1 }).map((parts) => parts.join('')),
    )
    const property = fc.asyncProperty(fc.array(fc.record(mapFields(() => text))), async (employees) => {
      const rows = toRows(employees, 'spreadsheet with passwords')
      const [sheet] = (await readArchive(writeWorkbook(rows), employees.length + 1)) as WorkbookSheet[]
      const isBlank = (employee: EmployeeFields) => Object.values(employee).join('').trim() === ''
      expect(sheet?.rows.map(({ cells }) => cells)).toEqual([
        fieldNames.map((name) => fieldRules[name].label),
        ...employees.filter((employee) => !isBlank(employee)).map(Object.values),
      ])
    })
    await fc.assert(property, { numRuns: isNightly ? 300 : 80 })
    const long = { ...emptyFields, eName: '\0'.repeat(10_000) }
    const [sheet] = (await readArchive(writeWorkbook(toRows([long], 'spreadsheet')), 2)) as WorkbookSheet[]
    expect(sheet?.rows[1]?.cells[0]).toBe(long.eName)
  })

  test('a workbook numbers its rows and cells, without which Gnumeric finds it empty', () => {
    const parts = unzipSync(writeWorkbook([['Name', 'Email'], ['Ada']]))
    const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    expect(sheet.match(/ r="\w+"/g)).toEqual([' r="1"', ' r="A1"', ' r="B1"', ' r="2"', ' r="A2"'])
  })
})
