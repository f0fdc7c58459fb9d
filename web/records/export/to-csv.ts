import type { Employee } from '../../../contract/employees.ts'
import { escapeFormula } from './escape-formulas.ts'

/** By this mark spreadsheets know that a file is UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * The records as CSV (RFC 4180), the page's own column names first. Every field is in quotes, because a spreadsheet may
 * split at another delimiter than the comma; no field can be taken for a formula.
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
