import { useEffect, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import * as messages from './messages.ts'
import styles from './result-count.module.css'
import { countRows, type Rows } from './visible-rows.ts'

/** Debounce of the screen reader's announcement, so that not every keystroke is announced. */
const announceDelayMs = 700

interface ResultCountProps {
  employees: readonly Employee[]
  rows: Rows
  isFiltered: boolean
}

/** The number of records and, while the table is narrowed, of its rows. */
export function ResultCount({ employees, rows, isFiltered }: ResultCountProps) {
  const totalText = employees.length.toLocaleString()
  const foundText = countRows(rows).toLocaleString()
  const announcement = useDebounced(isFiltered ? messages.found(foundText, totalText) : '')
  return (
    <>
      <p className={styles.count} aria-hidden={isFiltered} hidden={employees.length === 0}>
        {isFiltered ? foundText : totalText}
        {isFiltered && <span className={styles.total}>{messages.ofTotal(totalText)}</span>}
        {!isFiltered && <span className="visually-hidden">{messages.records(employees.length)}</span>}
      </p>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </>
  )
}

/** The text, once it has not changed for `announceDelayMs`. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), announceDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
