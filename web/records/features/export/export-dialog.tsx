import { useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField, Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useHistory } from '../../model/history/history.ts'
import { formatRecordCount } from '../../model/outbox/messages.ts'
import { countRows, listEmployees, type Rows } from '../../model/search/visible-rows.ts'
import { download, toCsv, toRows } from '../../model/spreadsheet/to-csv.ts'
import { workbookType, writeWorkbook } from '../../model/spreadsheet/write-workbook.ts'
import { useView } from '../../model/view.ts'
import styles from './export-dialog.module.css'
import * as messages from './messages.ts'

interface ExportDialogProps {
  employees: readonly Employee[]
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  onClose(): void
}

type Program = keyof typeof messages.programs

/** Exports all records, or those that the table shows, as a workbook, or as CSV for a spreadsheet or a password manager. */
export function ExportDialog({ employees, rows, onClose }: ExportDialogProps) {
  const { setDialog } = useView()
  const { report } = useHistory()
  const showToast = useToast()
  const visibleCount = countRows(rows)
  const isFiltered = visibleCount < employees.length
  const [scope, setScope] = useState<'all' | 'visible'>(isFiltered ? 'visible' : 'all')
  const [program, setProgram] = useState<Program>('workbook')
  const [isWithPasswords, setIsWithPasswords] = useState(false)
  const isSpreadsheet = program === 'workbook' || program === 'spreadsheet'
  const isEmergency = program === 'emergency'
  const exported = scope === 'visible' && !isEmergency ? listEmployees(rows) : employees

  function handleExport() {
    if (isEmergency) return setDialog({ kind: 'emergency' })
    download(createFile(exported, program, isWithPasswords))
    report({ kind: 'export', count: exported.length })
    showToast(messages.exported(formatRecordCount(exported.length)))
    onClose()
  }

  return (
    <Dialog title={messages.title} onClose={onClose}>
      {isFiltered && !isEmergency && (
        <Choices<'all' | 'visible'>
          legend={messages.records}
          choices={{
            all: messages.allRecords(employees.length),
            visible: messages.shownRecords(visibleCount),
          }}
          selected={scope}
          onSelect={setScope}
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
      {messages.describe(program, isWithPasswords).map((hint) => (
        <p key={hint} className={styles.hint}>
          {hint}
        </p>
      ))}
      <DialogFooter>
        <Button variant="primary" onClick={handleExport}>
          {isEmergency ? messages.showCode : messages.exportRecords(formatRecordCount(exported.length))}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function createFile(
  employees: readonly Employee[],
  program: Exclude<Program, 'emergency'>,
  isWithPasswords: boolean,
) {
  if (program === 'workbook') {
    const rows = toRows(employees, isWithPasswords ? 'spreadsheet with passwords' : 'spreadsheet')
    return new File([writeWorkbook(rows)], 'employees.xlsx', { type: workbookType })
  }
  const isSpreadsheet = program === 'spreadsheet'
  const format = isSpreadsheet && isWithPasswords ? 'spreadsheet with passwords' : program
  const name = isSpreadsheet ? 'employees.csv' : `employees-${program}.csv`
  return new File([toCsv(employees, format)], name, { type: 'text/csv;charset=utf-8' })
}

interface ChoicesProps<Choice extends string> {
  legend: string
  choices: Record<Choice, string>
  selected: Choice
  onSelect(choice: Choice): void
}

function Choices<Choice extends string>({ legend, choices, selected, onSelect }: ChoicesProps<Choice>) {
  return (
    <fieldset>
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
