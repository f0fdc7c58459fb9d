import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { listen } from '../../../lib/dom.ts'
import { displayName, readableField, textFieldNames } from '../../model/fields.ts'
import { countRows, type Rows, rowAt } from '../../model/search/visible-rows.ts'
import styles from './employee-row.module.css'

/** Whether the table is being printed. Then all rows must be rendered, not only those near the viewport. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    // The browser captures the page right after this event, before React would render a normal update.
    return listen(window, 'beforeprint afterprint', ({ type }) =>
      flushSync(() =>
        setIsPrinting(type === 'beforeprint' && !document.querySelector('[data-printout], dialog:modal')),
      ),
    )
  }, [])
  return isPrinting
}

/** Renders all rows as text. Passwords are omitted, because others may see the paper. */
export function PrintRows({ rows }: { rows: Rows }) {
  return Array.from({ length: countRows(rows) }, (_, index) => {
    const { employee, number } = rowAt(rows, index) ?? {}
    return (
      employee && (
        <tr key={employee.id}>
          <td className={styles.number}>{number}</td>
          <th scope="row">
            <bdi>{displayName(employee)}</bdi>
          </th>
          {textFieldNames.map((field) => (
            <td key={field}>{readableField(employee, field)}</td>
          ))}
        </tr>
      )
    )
  })
}
