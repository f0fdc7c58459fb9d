import { useState } from 'react'
import { createPortal } from 'react-dom'
import { createCode, readCode, writeEmergencyFile } from '../../../../contract/emergency.ts'
import type { Employee } from '../../../../contract/employees.ts'
import viewer from '../../../emergency/viewer.html?raw'
import { t } from '../../../language/translate.ts'
import { copyAndClear } from '../../../lib/clear-clipboard.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { Text } from '../../../ui/message.tsx'
import { useHistory } from '../../model/history/history.ts'
import { download } from '../../model/spreadsheet/to-csv.ts'
import styles from './export-dialog.module.css'

/** Shows the code of an emergency file once, to copy or to print it, and then downloads the file. */
export function EmergencyDialog({ employees, onClose }: { employees: readonly Employee[]; onClose(): void }) {
  const { code, file, isKept, outcome, copy, printOut, save } = useEmergencyFile(employees)
  return (
    <Dialog title={t('Emergency file')} onClose={onClose}>
      <p>
        {t(
          '{count, plural, one {This code opens the file with the record:} other {This code opens the file with all # records:}}',
          { count: employees.length },
        )}
      </p>
      <Code code={code} />
      <p className={styles.hint}>
        {t(
          'You won’t see it again. Print it, and keep it apart from the file. Without it nobody can open the file.',
        )}
      </p>
      <p role="status" className={styles.hint}>
        <Text>
          {outcome || (!isKept && t('Copy or print the code first. Then you can download the file.'))}
        </Text>
      </p>
      <DialogFooter>
        <Button variant={isKept ? 'secondary' : 'primary'} onClick={copy} data-first>
          {t('Copy code')}
        </Button>
        <Button onClick={printOut}>{t('Print code')}</Button>
        <Button variant={isKept ? 'primary' : 'secondary'} disabled={!isKept} onClick={save}>
          {t('Download file')}
        </Button>
      </DialogFooter>
      <PrintedCode code={code} file={file} />
    </Dialog>
  )
}

/** A new code, what can be done with it, and the outcome. `isKept`: it was copied or printed; before that a file is of no use. */
function useEmergencyFile(employees: readonly Employee[]) {
  const { report } = useHistory()
  const [code] = useState(createCode)
  const [isKept, setKept] = useState(false)
  const [outcome, setOutcome] = useState('')
  const [file] = useState(() => `staffbook-emergency-${new Date().toLocaleDateString('sv')}.html`)

  async function copy() {
    const isCopied = await copyAndClear(code, true)
    if (isCopied) setKept(true)
    setOutcome(
      isCopied
        ? t('Code copied. Paste it within a minute; then it leaves the clipboard.')
        : t('Your browser blocked copying. Print the code instead.'),
    )
  }

  function printOut() {
    print()
    setKept(true)
    setOutcome('')
  }

  function save() {
    const key = readCode(code)
    if (!key) return
    const html = writeEmergencyFile(viewer, key, employees)
    download(new File([html], file, { type: 'text/html;charset=utf-8' }))
    report({ kind: 'emergency', count: employees.length })
    setOutcome(t('Downloaded as {file}.', { file }))
  }

  return { code, file, isKept, outcome, copy, printOut, save }
}

const PrintedCode = ({ code, file }: { code: string; file: string }) =>
  createPortal(
    <div data-printout className={styles.sheet}>
      <h1>{t('Code of {file}', { file })}</h1>
      <Code code={code} />
      <p>
        {t(
          'Staffbook. Open the file in a browser and type the code. Case and dashes don’t matter. Keep this paper apart from the file.',
        )}
      </p>
    </div>,
    document.body,
  )

const Code = ({ code }: { code: string }) => (
  <p className={styles.code} translate="no">
    {code}
  </p>
)
