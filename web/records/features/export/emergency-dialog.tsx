import { useState } from 'react'
import { createPortal } from 'react-dom'
import { createCode, readCode, writeEmergencyFile } from '../../../../contract/emergency.ts'
import type { Employee } from '../../../../contract/employees.ts'
import viewer from '../../../emergency/viewer.html?raw'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { useHistory } from '../../model/history/history.ts'
import { download } from '../../model/spreadsheet/to-csv.ts'
import styles from './export-dialog.module.css'
import * as messages from './messages.ts'

interface EmergencyDialogProps {
  employees: readonly Employee[]
  onClose(): void
}

/** Shows the code of an emergency file once, to print it, and downloads the file. */
export function EmergencyDialog({ employees, onClose }: EmergencyDialogProps) {
  const { report } = useHistory()
  const [code] = useState(createCode)
  const [outcome, setOutcome] = useState('')
  const [name] = useState(() => `staffbook-emergency-${new Date().toLocaleDateString('sv')}.html`)

  async function copy() {
    setOutcome((await copyAndClear(code, true)) ? messages.codeCopied : messages.codeNotCopied)
  }

  function save() {
    const key = readCode(code)
    if (!key) return
    const html = writeEmergencyFile(viewer, key, employees)
    download(new File([html], name, { type: 'text/html;charset=utf-8' }))
    report({ kind: 'export', count: employees.length })
    setOutcome(messages.downloaded(name))
  }

  return (
    <Dialog title={messages.emergency} onClose={onClose}>
      <p>{messages.codeOpens(employees.length)}</p>
      <p className={styles.code} translate="no">
        {code}
      </p>
      <p className={styles.hint}>{messages.codeHint}</p>
      <p role="status" className={styles.hint}>
        {outcome}
      </p>
      <DialogFooter>
        <Button onClick={copy}>{messages.copyCode}</Button>
        <Button onClick={() => print()}>{messages.printCode}</Button>
        <Button variant="primary" onClick={save} data-first>
          {messages.downloadFile}
        </Button>
      </DialogFooter>
      {createPortal(
        <div data-printout className={styles.sheet}>
          <h1>{messages.sheetTitle(name)}</h1>
          <p className={styles.code} translate="no">
            {code}
          </p>
          <p>{messages.sheetHint}</p>
        </div>,
        document.body,
      )}
    </Dialog>
  )
}
