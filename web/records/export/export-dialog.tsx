import { useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField, Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useHistory } from '../history/history.ts'
import { formatRecordCount } from '../outbox/messages.ts'
import { countRows, listEmployees, type Rows } from '../search/visible-rows.ts'
import styles from './export-dialog.module.css'
import * as messages from './messages.ts'
import { type ExportFormat, toCsv } from './to-csv.ts'

const urlLifetimeMs = 60_000

interface ExportDialogProps {
  employees: readonly Employee[]
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  onClose(): void
}

type Program = Exclude<ExportFormat, 'spreadsheet with passwords'>

/** Downloads all records, or those that the table shows, as CSV for a spreadsheet or a password manager. */
export function ExportDialog({ employees, rows, onClose }: ExportDialogProps) {
  const showToast = useToast()
  const { report } = useHistory()
  const visibleCount = countRows(rows)
  const isFiltered = visibleCount < employees.length
  const [isVisibleOnly, setIsVisibleOnly] = useState(isFiltered)
  const [program, setProgram] = useState<Program>('spreadsheet')
  const [isWithPasswords, setIsWithPasswords] = useState(false)
  const isSpreadsheet = program === 'spreadsheet'

  function handleExport() {
    const exported = isVisibleOnly ? listEmployees(rows) : employees
    const format = isSpreadsheet && isWithPasswords ? 'spreadsheet with passwords' : program
    downloadCsv(isSpreadsheet ? 'employees.csv' : `employees-${program}.csv`, toCsv(exported, format))
    report({ kind: 'export', count: exported.length })
    showToast(messages.exported(formatRecordCount(exported.length)))
    onClose()
  }

  return (
    <Dialog title={messages.title} onClose={onClose}>
      {isFiltered && (
        <Choices
          legend={messages.records}
          choices={{
            all: messages.allRecords(employees.length),
            visible: messages.shownRecords(visibleCount),
          }}
          selected={isVisibleOnly ? 'visible' : 'all'}
          onSelect={(choice) => setIsVisibleOnly(choice === 'visible')}
        />
      )}
      <Choices<Program>
        legend={messages.format}
        choices={messages.programs}
        selected={program}
        onSelect={setProgram}
      />
      {isSpreadsheet && (
        <CheckField
          label={messages.includePasswords}
          checked={isWithPasswords}
          onChange={({ target }) => setIsWithPasswords(target.checked)}
        />
      )}
      <p className={styles.hint}>
        {isSpreadsheet && !isWithPasswords ? messages.withoutPasswords : messages.withPasswords}
      </p>
      {!isSpreadsheet && <p className={styles.hint}>{messages.exactPasswords(messages.programs[program])}</p>}
      <DialogFooter>
        <Button variant="primary" onClick={handleExport}>
          {messages.exportRecords(formatRecordCount(isVisibleOnly ? visibleCount : employees.length))}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

interface ChoicesProps<Choice extends string> {
  legend: string
  /** The text of each choice. */
  choices: Record<Choice, string>
  selected: Choice
  onSelect(choice: Choice): void
}

function Choices<Choice extends string>({ legend, choices, selected, onSelect }: ChoicesProps<Choice>) {
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{legend}</legend>
      {(Object.keys(choices) as Choice[]).map((choice) => (
        <CheckField
          key={choice}
          label={choices[choice]}
          type="radio"
          name={legend}
          checked={choice === selected}
          onChange={() => onSelect(choice)}
          {...(choice === selected && { 'data-first': true })}
        />
      ))}
    </fieldset>
  )
}

function downloadCsv(fileName: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Revoking the URL immediately could cancel a download that has not started yet.
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs)
}
