import { useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { scheduleClipboardClear } from '../../lib/clear-clipboard.ts'
import { copyText } from '../../lib/clipboard.ts'
import type { ShowToast } from '../../ui/toast.tsx'
import { EmployeeName } from '../fields.tsx'
import { useHistory } from '../history/history.ts'
import * as words from './words.ts'

/** Returns a function that copies a field and shows a toast. A copied password is cleared later, also after logout. */
export function useCopyField(showToast: ShowToast) {
  const history = useHistory()
  const cancelClear = useRef(() => {})

  return async (employee: Employee, field: keyof typeof words.copied) => {
    const isCopied = await copyText(employee[field])
    if (isCopied && field === 'password') history?.report({ kind: 'copy', ids: [employee.id] })
    cancelClear.current()
    cancelClear.current =
      isCopied && field === 'password' ? scheduleClipboardClear(employee[field]) : () => {}
    const [before, after] = words.copied[field]
    showToast(
      isCopied ? (
        <>
          {before} <EmployeeName record={employee} /> {after}
        </>
      ) : (
        words.copyFailed[field]
      ),
    )
  }
}
