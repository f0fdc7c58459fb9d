import type { Employee } from '../../../contract/employees.ts'
import { escapeFormula } from './escape-formulas.ts'

/** Lets spreadsheets recognise the file as UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * Formats the records as CSV (RFC 4180) with a header. Quotes every field, because a spreadsheet may split at a delimiter
 * other than the comma, and escapes formulas.
 */
export function toCsv(employees: readonly Employee[], { withPasswords }: { withPasswords: boolean }): string {
  const toCells = ({ eName, email, password }: Employee) =>
    withPasswords ? [eName, email, password] : [eName, email]
  const header = withPasswords ? ['Employee Name', 'Email', 'Password'] : ['Employee Name', 'Email']
  const rows = [header, ...employees.map(toCells)]
  return byteOrderMark + rows.map((row) => `${row.map(quoteCell).join(',')}\r\n`).join('')
}

function quoteCell(text: string): string {
  return `"${escapeFormula(text).replaceAll('"', '""')}"`
}
