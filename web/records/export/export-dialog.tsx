import { useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from '../import/import-dialog.module.css'
import { recordsOf } from '../outbox/batch-summary.ts'
import { countOf, type Rows, rowAt } from '../search/visible-rows.ts'
import { download } from './download.ts'
import { toCsv } from './to-csv.ts'

interface ExportDialogProps {
  book: readonly Employee[]
  /** What is looked at, in its order. */
  rows: Rows
  onClose(): void
  say(words: string): void
}

/** Takes the register, or what the search shows of it, out as CSV. */
export function ExportDialog({ book, rows, onClose, say }: ExportDialogProps) {
  const shown = countOf(rows)
  const isNarrowed = shown < book.length
  const [onlyShown, setOnlyShown] = useState(isNarrowed)
  const [withPasswords, setWithPasswords] = useState(false)

  function exportNow() {
    const employees = onlyShown
      ? Array.from({ length: shown }, (_, index) => rowAt(rows, index)?.employee).filter(
          (found) => found !== undefined,
        )
      : book
    download('employees.csv', 'text/csv;charset=utf-8', toCsv(employees, { withPasswords }))
    say(`Exported ${recordsOf(employees.length)}.`)
    onClose()
  }

  return (
    <Dialog title="Export" onClose={onClose}>
      {isNarrowed && (
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">Records to export</legend>
          <label className={styles.check}>
            <input type="radio" name="rows" checked={!onlyShown} onChange={() => setOnlyShown(false)} />
            Everybody ({book.length.toLocaleString()})
          </label>
          <label className={styles.check}>
            <input
              type="radio"
              name="rows"
              checked={onlyShown}
              onChange={() => setOnlyShown(true)}
              data-first
            />
            What the search shows ({shown.toLocaleString()})
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
        <Button look="primary" onClick={exportNow}>
          Export {recordsOf(onlyShown ? shown : book.length)}
        </Button>
      </div>
    </Dialog>
  )
}
