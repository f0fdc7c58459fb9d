import { useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from '../import/import-dialog.module.css'
import { formatRecordCount } from '../outbox/batch-summary.ts'
import { countRows, type Rows, rowAt } from '../search/visible-rows.ts'
import { toCsv } from './to-csv.ts'

const urlLifetimeMs = 60_000

interface ExportDialogProps {
  employees: readonly Employee[]
  /** The rows that match the search, in the order of the table. */
  rows: Rows
  onClose(): void
  showToast(message: string): void
}

/** Downloads all records, or those that match the search, as CSV. */
export function ExportDialog({ employees, rows, onClose, showToast }: ExportDialogProps) {
  const visibleCount = countRows(rows)
  const isFiltered = visibleCount < employees.length
  const [isVisibleOnly, setIsVisibleOnly] = useState(isFiltered)
  const [withPasswords, setWithPasswords] = useState(false)

  function handleExport() {
    const exported = isVisibleOnly
      ? Array.from({ length: visibleCount }, (_, index) => rowAt(rows, index)?.employee).filter(
          (employee) => employee !== undefined,
        )
      : employees
    downloadText('employees.csv', 'text/csv;charset=utf-8', toCsv(exported, { withPasswords }))
    showToast(`Exported ${formatRecordCount(exported.length)}.`)
    onClose()
  }

  return (
    <Dialog title="Export" onClose={onClose}>
      {isFiltered && (
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">Records to export</legend>
          <label className={styles.check}>
            <input
              type="radio"
              name="rows"
              checked={!isVisibleOnly}
              onChange={() => setIsVisibleOnly(false)}
            />
            Everybody ({employees.length.toLocaleString()})
          </label>
          <label className={styles.check}>
            <input
              type="radio"
              name="rows"
              checked={isVisibleOnly}
              onChange={() => setIsVisibleOnly(true)}
              data-first
            />
            What the search shows ({visibleCount.toLocaleString()})
          </label>
        </fieldset>
      )}
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={withPasswords}
          onChange={({ target }) => setWithPasswords(target.checked)}
          data-first
        />
        With passwords
      </label>
      <p className={styles.hint}>
        {withPasswords
          ? 'Whoever has this file can read them. Delete it when you no longer need it.'
          : 'The file opens in any spreadsheet, and can be imported again.'}
      </p>
      <div className={styles.footer}>
        <Button variant="primary" onClick={handleExport}>
          Export {formatRecordCount(isVisibleOnly ? visibleCount : employees.length)}
        </Button>
      </div>
    </Dialog>
  )
}

function downloadText(fileName: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Revoking the URL immediately could cancel a download that has not started yet.
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs)
}
