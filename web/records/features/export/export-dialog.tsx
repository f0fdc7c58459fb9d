import { useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { reportError } from '../../../backends/messages.ts'
import type { HistoryService } from '../../../backends/ports.ts'
import { t } from '../../../language/translate.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField, Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { Message } from '../../../ui/message.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { maxExportedEntries, readEntries, toActivityRows } from '../../model/activity/activity-rows.ts'
import { findLookAlikes } from '../../model/activity/look-alikes.ts'
import { displayName } from '../../model/fields.ts'
import { useHistory } from '../../model/history/history.ts'
import { countRows, listEmployees, type Rows } from '../../model/search/visible-rows.ts'
import { download, toCsv, toRows, toSpreadsheet } from '../../model/spreadsheet/to-csv.ts'
import { workbookType, writeWorkbook } from '../../model/spreadsheet/write-workbook.ts'
import { useView } from '../../model/view.ts'
import styles from './export-dialog.module.css'

interface ExportDialogProps {
  employees: readonly Employee[]
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  onClose(): void
}

const describePrograms = () => ({
  workbook: t('Excel workbook'),
  spreadsheet: t('CSV'),
  bitwarden: t('Bitwarden'),
  '1password': t('1Password'),
  emergency: t('Emergency file'),
  activity: t('Activity'),
})

type Program = keyof ReturnType<typeof describePrograms>
type RecordProgram = Exclude<Program, 'emergency' | 'activity'>

/** Exports all records, or those that the table shows, as a workbook, or as CSV for a spreadsheet or a password manager. */
export function ExportDialog({ employees, rows, onClose }: ExportDialogProps) {
  const { setDialog } = useView()
  const { report, service, listColleagues } = useHistory()
  const showToast = useToast()
  const visibleCount = countRows(rows)
  const isFiltered = visibleCount < employees.length
  const [scope, setScope] = useState<'all' | 'visible'>(isFiltered ? 'visible' : 'all')
  const [program, setProgram] = useState<Program>('workbook')
  const [isWithPasswords, setIsWithPasswords] = useState(false)
  const isSpreadsheet = isForSpreadsheets(program)
  const isEmergency = program === 'emergency'
  const isActivity = program === 'activity'
  const [isText, setIsText] = useState(false)
  const { isBusy, problem, run } = useAction((error) => reportError('The activity was not read:', error))
  const exported = scope === 'visible' && !isEmergency ? listEmployees(rows) : employees

  async function exportActivity(history: HistoryService) {
    const [entries, people = []] = await Promise.all([readEntries(history), listColleagues?.()])
    const names = new Map(employees.map((employee) => [employee.id, displayName(employee)]))
    download(createActivityFile(toActivityRows(entries, names, findLookAlikes(people)), isText))
    showToast(t('Exported {count, plural, one {# entry} other {# entries}}.', { count: entries.length }))
    onClose()
  }

  function handleExport() {
    if (isEmergency) return setDialog({ kind: 'emergency' })
    if (isActivity) return void (service && run(() => exportActivity(service)))
    download(createFile(exported, program as RecordProgram, isWithPasswords))
    const hasPasswords = isWithPasswords || !isSpreadsheet
    report({ kind: hasPasswords ? 'export-passwords' : 'export', count: exported.length })
    showToast(t('Exported {count, plural, one {# record} other {# records}}.', { count: exported.length }))
    onClose()
  }

  return (
    <Dialog title={t('Export')} onClose={onClose}>
      {isFiltered && !isEmergency && !isActivity && (
        <Choices<'all' | 'visible'>
          legend={t('Records')}
          choices={{
            all: t('All records ({count, number})', { count: employees.length }),
            visible: t('Shown in the table ({count, number})', { count: visibleCount }),
          }}
          selected={scope}
          onSelect={setScope}
        />
      )}
      <Choices<Program>
        legend={t('Format')}
        choices={describePrograms()}
        selected={program}
        onSelect={setProgram}
      />
      {isSpreadsheet && (
        <CheckField
          label={t('Include passwords')}
          checked={isWithPasswords}
          onChange={({ target }) => setIsWithPasswords(target.checked)}
        />
      )}
      {isActivity && (
        <CheckField
          label={t('As CSV instead of a workbook')}
          checked={isText}
          onChange={({ target }) => setIsText(target.checked)}
        />
      )}
      <FileHints program={program} isWithPasswords={isWithPasswords} />
      <Message role="alert">{problem}</Message>
      <DialogFooter>
        <Button variant="primary" isBusy={isBusy} onClick={handleExport}>
          {isEmergency
            ? t('Show the code')
            : isActivity
              ? t('Export')
              : t('Export {count, plural, one {# record} other {# records}}', { count: exported.length })}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

interface FileHintsProps {
  program: Program
  isWithPasswords: boolean
}

/** What is dangerous about the file, and what it is. */
function FileHints({ program, isWithPasswords }: FileHintsProps) {
  const hasPasswords =
    program !== 'activity' && program !== 'emergency' && (isWithPasswords || !isForSpreadsheets(program))
  return (
    <>
      <Message role="status">
        {hasPasswords && t('Anyone with this file can read every password. Delete it when you’re done.')}
      </Message>
      {describeFile(program, isWithPasswords).map((hint) => (
        <p key={hint} className={styles.hint}>
          {hint}
        </p>
      ))}
    </>
  )
}

const isForSpreadsheets = (program: Program) => program === 'workbook' || program === 'spreadsheet'

function describeFile(program: Program, isWithPasswords: boolean): string[] {
  if (program === 'activity')
    return [
      t('Who did what, without any password, for an auditor. At most {count, number} entries, the latest.', {
        count: maxExportedEntries,
      }),
    ]
  if (program === 'emergency')
    return [
      t(
        'All records in one encrypted page for the safe. It opens in any browser, without a network, with a code that you see next.',
      ),
    ]
  if (isForSpreadsheets(program))
    return isWithPasswords ? [] : [t('The file opens in any spreadsheet, and can be imported again.')]
  return [
    t(
      '{program} needs the exact passwords. Don’t open this file in a spreadsheet: it could run some as formulas.',
      { program: describePrograms()[program] },
    ),
  ]
}

function createActivityFile(rows: string[][], isText: boolean) {
  return isText
    ? new File([toSpreadsheet(rows)], 'activity.csv', { type: 'text/csv;charset=utf-8' })
    : new File([writeWorkbook(rows, 'Activity')], 'activity.xlsx', { type: workbookType })
}

function createFile(employees: readonly Employee[], program: RecordProgram, isWithPasswords: boolean) {
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
