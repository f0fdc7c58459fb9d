import { useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { clearLater } from '../../lib/clear-clipboard.ts'
import { copyText } from '../../lib/clipboard.ts'
import type { Say } from '../../ui/toast.tsx'
import { Name } from '../employee-name.tsx'

const words = { email: 'Email', password: 'Password' } as const

/** Copies a field of a record without showing it, and says so. A password is cleared away later, also after logout. */
export function useCopy(say: Say) {
  const forget = useRef(() => {})

  return async (employee: Employee, field: keyof typeof words) => {
    const copied = await copyText(employee[field])
    forget.current()
    forget.current = copied && field === 'password' ? clearLater(employee[field]) : () => {}
    say(
      copied ? (
        <>
          {words[field]} of <Name of={employee.eName} /> copied.
        </>
      ) : (
        `This browser did not let the page copy. Show the ${words[field].toLowerCase()} and copy it by hand.`
      ),
    )
  }
}
