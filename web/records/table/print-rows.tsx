import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { displayName } from '../employee-name.tsx'
import { countRows, type Rows, rowAt } from '../search/visible-rows.ts'
import styles from './employee-table.module.css'

/** Whether the page is being printed: then it must hold every row, not only those on the screen. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const onBeforePrint = () => flushSync(() => setIsPrinting(true))
    const onAfterPrint = () => setIsPrinting(false)
    addEventListener('beforeprint', onBeforePrint)
    addEventListener('afterprint', onAfterPrint)
    return () => {
      removeEventListener('beforeprint', onBeforePrint)
      removeEventListener('afterprint', onAfterPrint)
    }
  }, [])
  return isPrinting
}

/** All rows, as text: number, name and email. Passwords are not for paper that lies about. */
export function PrintRows({ rows }: { rows: Rows }) {
  return Array.from({ length: countRows(rows) }, (_, index) => {
    const { employee, number } = rowAt(rows, index) ?? {}
    return (
      employee && (
        <tr key={employee.id}>
          <td className={styles.number}>{number}</td>
          <th scope="row">
            <bdi>{displayName(employee.eName)}</bdi>
          </th>
          <td>{employee.email}</td>
        </tr>
      )
    )
  })
}
