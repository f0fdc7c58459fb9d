import { type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import { isInSight } from '../../lib/in-viewport.ts'
import { useSteady } from '../../lib/use-stable-callbacks.ts'
import type { Sort } from '../search/sort.ts'
import { countOf, indexOfRow, type Rows, rowAt } from '../search/visible-rows.ts'
import { EmployeeRow, type RowActions } from './employee-row.tsx'
import styles from './employee-table.module.css'
import { PrintedRows, usePrinting } from './print-rows.tsx'
import { actOnRow } from './row-shortcuts.ts'
import { EmployeeColumns } from './table-header.tsx'
import { useRowFocus } from './use-row-focus.ts'
import { useRowWindow } from './use-virtual-rows.ts'

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
  /** Puts the focus on the row of this record, and the row on the screen, as soon as it is among the rows. */
  focusRow(id: string): void
  focusFirst(): void
  isInSight(id: string): boolean
}

/** The register as a real table, of which only the rows on the screen are in the page. */
export function EmployeeTable(props: EmployeeTableProps) {
  const { rows, isComplete, terms, sort, editedId, ref, onSort, onEmptied, tools, children } = props
  const box = useRef<HTMLDivElement>(null)
  const count = countOf(rows)
  const { first, last, above, below } = useRowWindow(count, box)
  const isPrinting = usePrinting()
  const focus = useRowFocus(box, rows, onEmptied)
  const { onEdit, onDelete, onCopy } = props
  const actions = useSteady<RowActions>({ onEdit, onDelete, onCopy })
  useImperativeHandle(ref, () => ({
    focusRow: focus.moveToRecord,
    focusFirst: () => focus.moveTo(0),
    isInSight: (id) => isInSight(box.current?.querySelector(`[data-row="${indexOfRow(rows, id)}"]`)),
  }))

  function onKeyDown(event: KeyboardEvent) {
    if (focus.onKey(event) || actOnRow(event, rows, actions)) event.preventDefault()
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
      <div
        ref={box}
        className={styles.box}
        style={isPrinting ? {} : { paddingBlock: `${above}px ${below}px` }}
      >
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
            {isPrinting ? <PrintedRows rows={rows} /> : shownIndices(first, last, focus.activeIndex).map(row)}
          </tbody>
        </table>
      </div>
      {count === 0 && children}
    </section>
  )
}

/** The rows on the screen and, before or behind them, the one that has the focus. */
function shownIndices(first: number, last: number, active: number): number[] {
  const indices = Array.from({ length: last - first }, (_, offset) => first + offset)
  if (active >= last) return [...indices, active]
  return active >= 0 && active < first ? [active, ...indices] : indices
}
