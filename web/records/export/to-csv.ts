import type { Employee } from '../../../contract/employees.ts'
import { protect } from './escape-formulas.ts'

/** By this mark spreadsheets know that a file is UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * The records as CSV (RFC 4180), the page's own column names first. Every field is in quotes, because a spreadsheet may
 * split at another delimiter than the comma; no field can be taken for a formula.
 */
export function toCsv(employees: readonly Employee[], { withPasswords }: { withPasswords: boolean }): string {
  const fieldsOf = ({ eName, email, password }: Employee) =>
    withPasswords ? [eName, email, password] : [eName, email]
  const header = withPasswords ? ['Employee Name', 'Email', 'Password'] : ['Employee Name', 'Email']
  const rows = [header, ...employees.map(fieldsOf)]
  return byteOrderMark + rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}

function quoted(text: string): string {
  return `"${protect(text).replaceAll('"', '""')}"`
}
