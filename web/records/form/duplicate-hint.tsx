import { type MouseEvent, useDeferredValue, useMemo } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { EmployeeName } from '../employee-name.tsx'
import styles from './duplicate-hint.module.css'
import { findSameEmail } from './duplicates.ts'

interface DuplicateHintProps {
  book: readonly Employee[]
  email: string
  exceptId: string | undefined
  onShow(id: string): void
}

/** Says that an email is in the register already, with a link to its row. It refuses nothing. */
export function DuplicateHint({ book, email, exceptId, onShow }: DuplicateHintProps) {
  const typed = useDeferredValue(email)
  const duplicates = useMemo(() => findSameEmail(book, typed, exceptId), [book, typed, exceptId])
  const [first] = duplicates

  function show(event: MouseEvent) {
    if (!first || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onShow(first.id)
  }

  return (
    <span role="status" className={styles.hint}>
      {first && (
        <>
          In the register already:{' '}
          <a href={`?${new URLSearchParams({ q: first.email })}`} onClick={show}>
            <EmployeeName name={first.eName} />
          </a>
          {duplicates.length > 1 && ` and ${(duplicates.length - 1).toLocaleString()} more`}
        </>
      )}
    </span>
  )
}
