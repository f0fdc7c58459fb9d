import { type ReactNode, useEffect, useRef } from 'react'
import type { Employee } from '../../contract/employees.ts'
import { EmployeeRow } from './employee-row.tsx'
import styles from './employee-table.module.css'
import { useRowWindow } from './row-window.ts'

interface EmployeeTableProps {
  book: Employee[]
  editedId: string | undefined
  onEdit(employee: Employee): void
  onDelete(employee: Employee): void
  /** Shown in place of the rows where there are none. */
  children: ReactNode
}

const columns = ['#', 'Employee Name', 'Email', 'Password', 'Action']

/** The register as a real table, of which only the rows on the screen are in the page. */
export function EmployeeTable({ book, editedId, onEdit, onDelete, children }: EmployeeTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const { first, last, above, below } = useRowWindow(book.length, box)
  const focusNext = useFocusAfterDelete(box, book)

  // The rows are memoised, so what they are handed must stay the same function from one rendering to the next.
  const latest = useRef({ onEdit, onDelete })
  latest.current = { onEdit, onDelete }
  const handlers = useRef({
    edit: (employee: Employee) => latest.current.onEdit(employee),
    delete: (employee: Employee, index: number) => {
      focusNext(employee.id, index)
      latest.current.onDelete(employee)
    },
  }).current

  return (
    <section className={styles.records} aria-labelledby="records">
      <header className={styles.heading}>
        <h2 id="records">Employee Records</h2>
        {book.length > 0 && <p className={styles.count}>{book.length.toLocaleString()}</p>}
      </header>
      <div ref={box} className={styles.box} style={{ paddingBlock: `${above}px ${below}px` }}>
        <table
          role="table"
          className={styles.table}
          aria-labelledby="records"
          aria-rowcount={book.length + 1}
        >
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={1}>
              {columns.map((column) => (
                <th key={column} role="columnheader" scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {book.slice(first, last).map((employee, offset) => (
              <EmployeeRow
                key={employee.id}
                employee={employee}
                index={first + offset}
                isEdited={employee.id === editedId}
                onEdit={handlers.edit}
                onDelete={handlers.delete}
              />
            ))}
          </tbody>
        </table>
      </div>
      {book.length === 0 && children}
    </section>
  )
}

/** Once a deleted row has gone, its focus goes to the delete button of the row that took its place. */
function useFocusAfterDelete(box: { current: HTMLElement | null }, book: Employee[]) {
  const awaited = useRef<{ id: string; index: number } | null>(null)

  useEffect(() => {
    const gone = awaited.current
    if (!gone || book.some(({ id }) => id === gone.id)) return
    awaited.current = null
    const focusIsLost = document.activeElement === document.body
    const index = Math.min(gone.index, book.length - 1)
    const next = box.current?.querySelector<HTMLElement>(`[data-row="${index}"] [data-action="delete"]`)
    if (focusIsLost) next?.focus({ preventScroll: true })
  }, [box, book])

  return (id: string, index: number) => {
    awaited.current = { id, index }
  }
}
