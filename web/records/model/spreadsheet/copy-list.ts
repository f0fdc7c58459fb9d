import {
  type Employee,
  type EmployeeFields,
  fieldNames,
  fieldOf,
  fieldRules,
} from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { useHistory } from '../history/history.ts'
import { useView } from '../view.ts'
import { escapeFormula } from './escape-formulas.ts'

/** Returns what copies records with their passwords, to hand them over. The service records it as an export. `onEnd` gets the outcome. */
export function useCopyList(employees: readonly EmployeeFields[], onEnd: (outcome: string) => void) {
  const { report } = useHistory()

  return async () => {
    const isCopied = await copyAndClear(toRows(employees), true)
    if (isCopied) report({ kind: 'export-passwords', count: employees.length })
    onEnd(
      isCopied
        ? t('Copied. Paste it within a minute; then it leaves the clipboard.')
        : t('Your browser blocked copying. Export the records instead.'),
    )
  }
}

/** Copies the emails of records, each once and on a line of its own, as programs for mail take them. Resolves to the outcome. */
export async function copyEmails(employees: readonly Employee[]): Promise<string> {
  const emails = new Set(employees.map(({ email }) => email))
  const isCopied = await copyAndClear([...emails].join('\n'), false)
  return isCopied
    ? t('{count, plural, one {# email copied.} other {# emails copied.}}', { count: emails.size })
    : t('Your browser blocked copying. Export the records instead.')
}

/** Opens the dialog that makes a link for each record; null without records, or if the service has no links. */
export function useHandOverAll(records: readonly Employee[]): (() => void) | null {
  const { team } = useHistory()
  const { setDialog } = useView()
  return team && records.length > 0 ? () => setDialog({ kind: 'hand-over', records }) : null
}

/** The cells of a spreadsheet, as text, below their header. A line break or tab in a cell becomes a space. */
function toRows(employees: readonly EmployeeFields[]): string {
  const header = fieldNames.map((name) => fieldRules[name].label)
  const rows = [header, ...employees.map((employee) => fieldNames.map((name) => fieldOf(employee, name)))]
  return rows
    .map((cells) => cells.map((cell) => quote(escapeFormula(cell.replace(/[\t\r\n]+/g, ' ')))).join('\t'))
    .join('\n')
}

/** Spreadsheets take what follows a quotation mark at the start of a cell for one cell, up to the next. */
const quote = (cell: string) => (cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell)
