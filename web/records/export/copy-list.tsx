import { useState } from 'react'
import { type Employee, type EmployeeFields, fieldNames, fieldRules } from '../../../contract/employees.ts'
import { copyAndClear } from '../../lib/clear-clipboard.ts'
import { Button } from '../../ui/button.tsx'
import { useHistory } from '../history/history.ts'
import { useView } from '../view.tsx'
import { escapeFormula } from './escape-formulas.ts'
import * as messages from './messages.ts'

/** Copies records with their passwords, to hand them over. The service records it as an export. */
export function CopyList({ employees }: { employees: readonly EmployeeFields[] }) {
  const { report } = useHistory()
  const [outcome, setOutcome] = useState('')

  async function copy() {
    const isCopied = await copyAndClear(toRows(employees), true)
    if (isCopied) report({ kind: 'export', count: employees.length })
    setOutcome(isCopied ? messages.copied : messages.copyFailed)
  }

  return (
    <>
      <Button onClick={copy}>{messages.copyList}</Button>
      <span role="status">{outcome}</span>
    </>
  )
}

/** Opens the dialog that makes a link for each record, where the service has links. */
export function HandOverAll({ records }: { records: readonly Employee[] }) {
  const { team } = useHistory()
  const { setDialog } = useView()
  if (!team || records.length === 0) return
  return <Button onClick={() => setDialog({ kind: 'hand-over', records })}>{messages.handOverAll}</Button>
}

/** The cells of a spreadsheet, as text, below their header. A line break or tab in a cell becomes a space. */
function toRows(employees: readonly EmployeeFields[]): string {
  const header = fieldNames.map((name) => fieldRules[name].label)
  const rows = [header, ...employees.map((employee) => fieldNames.map((name) => employee[name]))]
  return rows
    .map((cells) => cells.map((cell) => quote(escapeFormula(cell.replace(/[\t\r\n]+/g, ' ')))).join('\t'))
    .join('\n')
}

/** Spreadsheets take what follows a quotation mark at the start of a cell for one cell, up to the next. */
const quote = (cell: string) => (cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell)
