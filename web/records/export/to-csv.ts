import type { EmployeeFields } from '../../../contract/employees.ts'
import { escapeFormula } from './escape-formulas.ts'

/** A spreadsheet without and with passwords, and what password managers import. */
export type ExportFormat = keyof typeof toCells

/** The cells of a record by the names of their columns, in order. */
const toCells = {
  spreadsheet: ({ eName, email }: EmployeeFields) => ({ 'Employee Name': eName, Email: email }),
  'spreadsheet with passwords': ({ eName, email, password }: EmployeeFields) => ({
    'Employee Name': eName,
    Email: email,
    Password: password,
  }),
  /** @see https://bitwarden.com/help/condition-bitwarden-import/ */
  bitwarden: ({ eName, email, password }: EmployeeFields) => ({
    folder: '',
    favorite: '',
    type: 'login',
    name: eName,
    notes: '',
    fields: '',
    reprompt: '',
    login_uri: '',
    login_username: email,
    login_password: password,
    login_totp: '',
  }),
  /** @see https://support.1password.com/import-1password-com/ */
  '1password': ({ eName, email, password }: EmployeeFields) => ({
    Title: eName,
    Website: '',
    Username: email,
    Password: password,
  }),
}

/** Lets spreadsheets recognise the file as UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * Formats the records as CSV (RFC 4180) with a header. Quotes every field, because a spreadsheet may split at a delimiter
 * other than the comma. Escapes formulas for spreadsheets only: a password manager needs the exact text.
 */
export function toCsv(employees: readonly EmployeeFields[], format: ExportFormat): string {
  const isSpreadsheet = format.startsWith('spreadsheet')
  const header = Object.keys(toCells[format]({ eName: '', email: '', password: '' }))
  const rows = [header, ...employees.map((employee) => Object.values(toCells[format](employee)))]
  const formatCell = (text: string) => quoteCell(isSpreadsheet ? escapeFormula(text) : text)
  const lines = rows.map((row) => `${row.map(formatCell).join(',')}\r\n`)
  return (isSpreadsheet ? byteOrderMark : '') + lines.join('')
}

function quoteCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
