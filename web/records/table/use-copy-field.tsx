import { useEffect } from 'react'
import { type Employee, type FieldName, fieldRules } from '../../../contract/employees.ts'
import { clearCopiedSecret, copyAndClear } from '../../lib/clear-clipboard.ts'
import { useToast } from '../../ui/toast.tsx'
import { capitalize, EmployeeName, fieldViews } from '../fields.tsx'
import { useHistory } from '../history/history.ts'
import * as messages from './messages.ts'

/**
 * Returns a function that copies a field and shows a toast. A copied password is cleared later, also after logout, and at once
 * when `isClosed`.
 */
export function useCopyField(isClosed: boolean) {
  const showToast = useToast()
  const { report } = useHistory()
  useEffect(() => {
    if (isClosed) clearCopiedSecret()
  }, [isClosed])

  return async (employee: Employee, field: FieldName) => {
    const { isSecret } = fieldRules[field]
    const { noun } = fieldViews[field]
    const isCopied = await copyAndClear(employee[field], isSecret === true)
    if (isCopied && isSecret) report({ kind: 'copy', ids: [employee.id] })
    showToast(
      isCopied ? (
        <>
          {capitalize(noun)} of <EmployeeName record={employee} /> {messages.copied}
        </>
      ) : (
        messages.copyFailed(noun, isSecret)
      ),
    )
  }
}
