import { useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { scheduleClipboardClear } from '../../lib/clear-clipboard.ts'
import { copyText } from '../../lib/clipboard.ts'
import type { ShowToast } from '../../ui/toast.tsx'
import { EmployeeName } from '../employee-name.tsx'

const fieldLabels = { email: 'Email', password: 'Password' } as const

/** Returns a function that copies a field and shows a toast. A copied password is cleared later, also after logout. */
export function useCopyField(showToast: ShowToast) {
  const cancelClear = useRef(() => {})

  return async (employee: Employee, field: keyof typeof fieldLabels) => {
    const isCopied = await copyText(employee[field])
    cancelClear.current()
    cancelClear.current =
      isCopied && field === 'password' ? scheduleClipboardClear(employee[field]) : () => {}
    showToast(
      isCopied ? (
        <>
          {fieldLabels[field]} of <EmployeeName name={employee.eName} /> copied.
        </>
      ) : (
        `This browser did not let the page copy. Show the ${fieldLabels[field].toLowerCase()} and copy it by hand.`
      ),
    )
  }
}
