import { useState } from 'react'
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

/** Copies records with their passwords, to hand them over. The service records it as an export. `outcome` says whether it worked. */
export function useCopyList(employees: readonly EmployeeFields[]) {
  const { report } = useHistory()
  const [outcome, setOutcome] = useState('')

  async function copy() {
    const isCopied = await copyAndClear(toRows(employees), true)
    if (isCopied) report({ kind: 'export', count: employees.length })
    setOutcome(
      isCopied
        ? t('Copied. Paste it within a minute; then it leaves the clipboard.')
        : t('Your browser blocked copying. Export the records instead.'),
    )
  }

  return { copy, outcome }
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
