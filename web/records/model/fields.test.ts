import { describe, expect, test } from 'vitest'
import {
  type Employee,
  emptyFields,
  fieldNames,
  fieldRules,
  mapFields,
  pickFields,
  secretFieldNames,
} from '../../../contract/employees.ts'
import { headerKinds, readCatalogs, readLanguages } from '../../../scripts/catalogs.ts'
import { finish } from '../../../tests/support/steps.ts'
import { t } from '../../language/translate.ts'
import { isolate } from '../../lib/isolate.ts'
import { hasTerms } from '../../lib/texts/has-terms.ts'
import { matchInSteps } from '../features/import/matching/match-rows.ts'
import { describeRow } from '../features/import/preview.ts'
import { detectColumns } from '../features/import/source/detect-columns.ts'
import { parseSheet } from '../features/import/source/text/parse-text.ts'
import { draftFromEmployee, hasUnsavedInput } from './book/operation.ts'
import { mergeDraft } from './editing/merge-draft.ts'
import { displayName, fieldViews, readableField, titleField, visibleFieldNames } from './fields.ts'
import { getSearchText, parseSearchTerms } from './search/search.ts'
import { readSearchParams, writeSearchParams } from './search/search-params.ts'
import { type ExportFormat, toCsv } from './spreadsheet/to-csv.ts'

const display = (name: string) => displayName({ ...emptyFields, [titleField]: name })

test.each(['', ' \t\n', '\u200b\u2060', '\u3164', '\u2800', '\u202e', '\u00ad\ufeff', '\u0000'])(
  'the invisible name %j is shown as (no name)',
  (name) => {
    expect(display(name)).toBe('(no name)')
  },
)

test.each(['Ada', '-', '\u200bA', '👩‍💻', 'ع'])('the name %s is shown as it is', (name) => {
  expect(display(name)).toBe(name)
})

test.each([
  ['\u202eecilA', 'ecilA'],
  ['Bob \u202elive\u202c', 'Bob live'],
  ['\u2067Ada\u2069', 'Ada'],
  ['\u200fعلی\u200f', '\u200fعلی\u200f'],
])('the name %j is shown as %j, not turned round', (name, shown) => {
  expect(display(name)).toBe(shown)
  const record = { ...emptyFields, [titleField]: name, password: name }
  expect([readableField(record, titleField), readableField(record, 'password')]).toEqual([shown, name])
  expect(isolate(name)).toBe(`\u2068${shown}\u2069`)
})

const toText = (name: string) => `${name}@example.com`
const employee: Employee = { id: 'a', ...mapFields(toText) }

/** Exports a record, and imports it into a list. */
async function importInto(employees: Employee[], exported: Employee, format: ExportFormat) {
  const { rows } = await parseSheet(toCsv([exported], format).slice(1))
  const { hasHeader, columns } = detectColumns(rows)
  expect(hasHeader).toBe(true)
  return finish(matchInSteps(rows.slice(1), columns, employees))[0]
}

describe.each(fieldNames)('the field %s', (name) => {
  const { isSecret = false } = fieldRules[name]
  const changed = { ...employee, [name]: toText('changed') }

  test('is searched and sorted by, unless it is secret', () => {
    expect(hasTerms(parseSearchTerms(toText(name)), getSearchText(employee))).toBe(!isSecret)
    const sort = { by: name, descending: true }
    const search = writeSearchParams('', { ...readSearchParams(''), sort })
    expect(readSearchParams(search).sort.by).toBe(isSecret ? 'added' : name)
  })

  test('is exported under its label, if it is secret only on request', async () => {
    const header = `"${fieldRules[name].label}"`
    expect(toCsv([], 'spreadsheet').includes(header)).toBe(!isSecret)
    expect(toCsv([], 'spreadsheet with passwords')).toContain(header)
  })

  test('is the same after an import of the export', async () => {
    const row = await importInto([], changed, 'spreadsheet with passwords')
    expect(row).toMatchObject({ outcome: 'new', fields: pickFields(changed) })
  })

  test('is unsaved input when it is typed, and merged with the changes of others', () => {
    const draft = { ...draftFromEmployee(employee), fields: pickFields(changed) }
    expect(hasUnsavedInput(draft)).toBe(true)
    expect(hasUnsavedInput({ fields: { ...emptyFields, [name]: 'x' }, editing: null })).toBe(true)
    const theirs = { ...employee, [name]: toText('theirs') }
    expect(mergeDraft(draft, theirs).conflicts).toMatchObject([{ name, theirs: toText('theirs') }])
    expect(mergeDraft(draftFromEmployee(employee), theirs).updated).toEqual([name])
  })

  test('has a header of its own, which the import finds alone', () => {
    for (const header of [name, fieldRules[name].label, ...fieldViews[name].headers.split(' ')]) {
      expect(detectColumns([{ number: 1, cells: [header] }]).columns[name]).toBe(0)
    }
  })
})

/** The import finds a record by its email. */
const changeableNames = fieldNames.filter((name) => name !== 'email')

test.each(changeableNames)(
  'the field %s is changed by an import, which describes it without a secret',
  async (name) => {
    const changed = { ...employee, [name]: toText('changed') }
    const row = await importInto([employee], changed, 'spreadsheet with passwords')
    expect(row).toMatchObject({ outcome: 'changed', fields: pickFields(changed), seen: employee })
    const description = row && describeRow(row)
    expect(description).toContain(
      fieldRules[name].isSecret ? `new ${t(fieldViews[name].noun)}` : `was ${isolate(toText(name))}`,
    )
    for (const secret of secretFieldNames) expect(description).not.toContain(toText(secret))
  },
)

test('each field is either visible or secret', () => {
  expect([...visibleFieldNames, ...secretFieldNames].toSorted()).toEqual(fieldNames.toSorted())
})

test.each(Object.entries(readCatalogs()))(
  'an import knows the labels of the page in %s',
  async (_, catalog) => {
    const labels = fieldNames.map((name) => catalog[fieldRules[name].label])
    const { rows } = await parseSheet(`${labels}\n${fieldNames}`)
    expect(detectColumns(rows).columns).toMatchObject(mapFields((name) => fieldNames.indexOf(name)))
  },
)

const listedHeaders = Object.entries(readLanguages()).flatMap(([tag, { headers = {} }]) =>
  headerKinds.flatMap((kind) => (headers[kind] ?? []).map((header) => [tag, kind, header] as const)),
)

test.each(listedHeaders)('an import knows the header that %s lists for %s: %s', (_, kind, header) => {
  // Without another column for the name, a half of it is the name.
  const columnOfOthers = kind === 'username' ? 'email' : titleField
  const column = fieldNames.find((name) => name === kind) ?? columnOfOthers
  const { columns } = detectColumns([{ number: 1, cells: [header, 'other'] }])
  expect(Object.entries(columns).filter(([, index]) => index === 0)).toEqual([[column, 0]])
})
