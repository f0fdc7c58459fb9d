import papaparse from 'papaparse'
import {
  type EmployeeFields,
  emptyFields,
  type FieldName,
  fieldNames,
  fieldOf,
  fieldRules,
} from '../../../../contract/employees.ts'
import { visibleFieldNames } from '../fields.ts'
import { escapeFormula } from './escape-formulas.ts'

/** A spreadsheet without and with passwords, and what password managers import. */
export type ExportFormat = keyof typeof toCells

/** The cells of a record by the names of their columns, in order. */
const toCells = {
  spreadsheet: (record: EmployeeFields) => pickLabeled(record, visibleFieldNames),
  'spreadsheet with passwords': (record: EmployeeFields) => pickLabeled(record, fieldNames),
  /** @see https://bitwarden.com/help/condition-bitwarden-import/ */
  bitwarden: ({ eName, email, password, ...others }: EmployeeFields) => ({
    folder: '',
    favorite: '',
    type: 'login',
    name: eName,
    notes: toNotes(others),
    fields: '',
    reprompt: '',
    login_uri: '',
    login_username: email,
    login_password: password,
    login_totp: '',
  }),
  /** @see https://support.1password.com/import-1password-com/ */
  '1password': ({ eName, email, password, ...others }: EmployeeFields) => ({
    Title: eName,
    Website: '',
    Username: email,
    Password: password,
    ...(otherFieldNames.length > 0 && { Notes: toNotes(others) }),
  }),
}

/** The fields for which password managers have no column of their own. */
const otherFieldNames = fieldNames.filter((name) => !['eName', 'email', 'password'].includes(name))

const toNotes = (others: Partial<EmployeeFields>) =>
  otherFieldNames
    .filter((name) => others[name])
    .map((name) => `${fieldRules[name].label}: ${others[name]}`)
    .join('\n')

/** Lets spreadsheets recognise the file as UTF-8. */
const byteOrderMark = '\ufeff'

/** Formats the records as CSV with a header. Escapes formulas for spreadsheets only: a password manager needs the exact text. */
export function toCsv(employees: readonly EmployeeFields[], format: ExportFormat): string {
  const rows = toRows(employees, format)
  return format.startsWith('spreadsheet') ? toSpreadsheet(rows) : formatRows(rows)
}

/** The cells of the records, below their header. */
export const toRows = (employees: readonly EmployeeFields[], format: ExportFormat): string[][] => [
  Object.keys(toCells[format](emptyFields)),
  ...employees.map((employee) => Object.values(toCells[format](employee))),
]

export const toSpreadsheet = (rows: string[][]) =>
  byteOrderMark + formatRows(rows.map((row) => row.map(escapeFormula)))

/** Formats CSV (RFC 4180). Quotes every field, because a spreadsheet may split at a delimiter other than the comma. */
const formatRows = (rows: string[][]) => `${papaparse.unparse(rows, { quotes: true, newline: '\r\n' })}\r\n`

function pickLabeled(record: EmployeeFields, names: readonly FieldName[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [fieldRules[name].label, fieldOf(record, name)]))
}

const urlLifetimeMs = 60_000

export function download(file: File) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  link.click()
  // Revoking the URL immediately could cancel a download that has not started yet.
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs)
}
