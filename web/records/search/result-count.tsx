import { useEffect, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import styles from './result-count.module.css'
import { countOf, type Rows } from './visible-rows.ts'

/** A count is said aloud when it has stood for this long, in ms: not one for each keystroke. */
const countRests = 700

interface CountProps {
  book: readonly Employee[]
  rows: Rows
  isSearching: boolean
  hasRead: boolean
}

/** How many records there are, and how many of them were found. */
export function Count({ book, rows, isSearching, hasRead }: CountProps) {
  const all = book.length.toLocaleString()
  const found = countOf(rows).toLocaleString()
  const said = useRested(isSearching ? `${found} of ${all} found` : '')
  if (!hasRead) return book.length > 0 && <p className={styles.count}>reading …</p>
  return (
    <>
      <p className={styles.count} aria-hidden={isSearching}>
        {isSearching ? `${found} of ${all}` : book.length > 0 && all}
      </p>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </>
  )
}

/** The words, once they have not changed for a while. */
function useRested(words: string): string {
  const [rested, setRested] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setRested(words), countRests)
    return () => clearTimeout(timer)
  }, [words])
  return rested
}
