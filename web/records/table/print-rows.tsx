import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { shownName } from '../outbox/shown-name.ts'
import { countOf, type Rows, rowAt } from '../search/visible-rows.ts'
import styles from './employee-table.module.css'

/** Whether the page is being printed: then it must hold every row, not only those on the screen. */
export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinting(true))
    const end = () => setIsPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

/** All rows, as text: number, name and email. Passwords are not for paper that lies about. */
export function PrintedRows({ rows }: { rows: Rows }) {
  return Array.from({ length: countOf(rows) }, (_, index) => {
    const { employee, number } = rowAt(rows, index) ?? {}
    return (
      employee && (
        <tr key={employee.id}>
          <td className={styles.number}>{number}</td>
          <th scope="row">
            <bdi>{shownName(employee.eName)}</bdi>
          </th>
          <td>{employee.email}</td>
        </tr>
      )
    )
  })
}
