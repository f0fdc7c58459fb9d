import { type ReactNode, type Ref, type RefObject, useImperativeHandle, useRef } from 'react'
import { EmployeeColumns } from './employee-columns.tsx'
import { EmployeeRow, type RowActions } from './employee-row.tsx'
import styles from './employee-table.module.css'
import type { Sort } from './find/sort.ts'
import { useRowWindow } from './row-window.ts'
import { countOf, indexOfRow, type Rows, rowAt } from './rows.ts'
import { useRowFocus } from './use-row-focus.ts'

interface EmployeeTableProps extends RowActions {
  rows: Rows
  /** False while there are more rows to come. */
  isComplete: boolean
  terms: readonly string[]
  sort: Sort
  editedId: string | undefined
  ref?: Ref<TableHandle>
  onSort(sort: Sort): void
  /** The last row has gone, and the focus with it. */
  onEmptied(): void
  /** What stands above the table, beside its title. */
  tools: ReactNode
  /** Shown in place of the rows where there are none. */
  children: ReactNode
}

export interface TableHandle {
  /** Puts the focus on the row of this record, and the row on the screen; without an id, on the first row. */
  focusRow(id?: string): void
}

/** The register as a real table, of which only the rows on the screen are in the page. */
export function EmployeeTable(props: EmployeeTableProps) {
  const { rows, isComplete, terms, sort, editedId, ref, onSort, onEmptied, tools, children } = props
  const box = useRef<HTMLDivElement>(null)
  const count = countOf(rows)
  const { first, last, above, below } = useRowWindow(count, box)
  const focus = useRowFocus(box, rows, onEmptied)
  const actions = useSteady(props)
  useImperativeHandle(ref, () => ({ focusRow: (id) => focus.moveTo(id ? indexOfRow(rows, id) : 0) }))

  function onKeyDown(event: React.KeyboardEvent) {
    const employee = rowAt(rows, focus.activeIndex)?.employee
    const isHandled = focus.onKey(event) || (employee !== undefined && act(event, employee, actions))
    if (isHandled) event.preventDefault()
  }

  function row(index: number) {
    const { employee, number } = rowAt(rows, index) ?? {}
    if (!employee || number === undefined) return null
    return (
      <EmployeeRow
        key={employee.id}
        employee={employee}
        index={index}
        number={number}
        terms={terms}
        isEdited={employee.id === editedId}
        isAside={index < first || index >= last}
        actions={actions}
      />
    )
  }

  return (
    <section className={styles.records} aria-labelledby="records">
      <header className={styles.heading}>
        <h2 id="records">Employee Records</h2>
        {tools}
      </header>
      <div ref={box} className={styles.box} style={{ paddingBlock: `${above}px ${below}px` }}>
        <table
          role="table"
          className={styles.table}
          aria-labelledby="records"
          aria-rowcount={isComplete ? count + 1 : -1}
          onFocus={focus.onFocus}
          onBlur={focus.onBlur}
          onKeyDown={onKeyDown}
        >
          <EmployeeColumns sort={sort} onSort={onSort} />
          <tbody role="rowgroup">
            {focus.activeIndex >= 0 && focus.activeIndex < first && row(focus.activeIndex)}
            {Array.from({ length: last - first }, (_, offset) => row(first + offset))}
            {focus.activeIndex >= last && row(focus.activeIndex)}
          </tbody>
        </table>
      </div>
      {count === 0 && children}
    </section>
  )
}
