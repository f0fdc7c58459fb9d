import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useId,
  useImperativeHandle,
  useRef,
} from 'react'
import { isInViewport, observeHeight } from '../../lib/dom.ts'
import { useRowTitles } from '../history/use-row-titles.ts'
import type { Sort } from '../search/sort.ts'
import { countRows, indexOfRow, type Rows, rowAt } from '../search/visible-rows.ts'
import { EmployeeRow } from './employee-row.tsx'
import styles from './employee-table.module.css'
import { PrintRows, useIsPrinting } from './print-rows.tsx'
import { handleRowShortcut, type RowActions, useStableActions } from './row-actions.ts'
import { TableHeader } from './table-header.tsx'
import { useHoldPosition } from './use-hold-position.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import * as words from './words.ts'

interface EmployeeTableProps extends RowActions {
  rows: Rows
  /** False until the complete list has been loaded once. */
  isLoaded: boolean
  terms: readonly string[]
  sort: Sort
  editedId: string | undefined
  unsavedIds: ReadonlySet<string>
  ref?: Ref<TableHandle>
  onSort(sort: Sort): void
  /** Called when the last row disappears while it has the focus. */
  onEmptied(): void
  /** Shown beside the title. */
  toolbar: ReactNode
  /** Shown if there are no rows. */
  children: ReactNode
}

export interface TableHandle {
  /** Focuses a record's row and scrolls it into view, as soon as the row exists. */
  focusRow(id: string): void
  focusFirst(): void
  /** Focuses the row that had the focus last. Returns false if there is none. */
  returnToRow(): boolean
  /** Scrolls as little as necessary to show a record's row, if it is rendered. */
  scrollToRow(id: string): void
  isInViewport(id: string): boolean
}

/** A table that renders only the rows near the viewport. */
export function EmployeeTable(props: EmployeeTableProps) {
  const { rows, isLoaded, terms, sort, editedId, unsavedIds, ref, toolbar, children } = props
  const { onSort, onEmptied } = props
  const container = useRef<HTMLDivElement>(null)
  const keysId = useId()
  const count = countRows(rows)
  const { first, last, paddingTopPx, paddingBottomPx } = useVirtualRows(count, container)
  useHoldPosition(container)
  const isPrinting = useIsPrinting()
  const rowFocus = useRowFocus(container, rows, onEmptied)
  const actions = useStableActions(props)
  const setRowTitle = useRowTitles(rows)
  useImperativeHandle(ref, () => ({
    focusRow: rowFocus.moveToRecord,
    focusFirst: () => rowFocus.moveTo(0),
    returnToRow: rowFocus.returnToRow,
    scrollToRow: (id) => getRow(id)?.scrollIntoView({ block: 'nearest' }),
    isInViewport(id) {
      const row = getRow(id)
      const headerBottom = container.current?.querySelector('th')?.getBoundingClientRect().bottom ?? 0
      return isInViewport(row) && (row?.getBoundingClientRect().top ?? 0) >= Math.floor(headerBottom)
    },
  }))
  const toolbarRef = useCallback((header: HTMLElement) => observeHeight(header, '--toolbar-height'), [])
  const getRow = (id: string) => container.current?.querySelector(`[data-row="${indexOfRow(rows, id)}"]`)

  function onKeyDown(event: KeyboardEvent) {
    if (rowFocus.handleKey(event) || handleRowShortcut(event, rows, actions)) event.preventDefault()
  }

  function renderRow(index: number) {
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
        isUnsaved={unsavedIds.has(employee.id)}
        isOffscreen={index < first || index >= last}
        actions={actions}
      />
    )
  }

  return (
    <section className={styles.section} aria-labelledby="records" data-editing={editedId !== undefined}>
      <header ref={toolbarRef} className={styles.heading}>
        <h2 id="records">{words.title}</h2>
        {toolbar}
      </header>
      <p id={keysId} hidden>
        {words.keys}
      </p>
      <div
        ref={container}
        className={styles.rowWindow}
        style={isPrinting ? {} : { paddingBlock: `${paddingTopPx}px ${paddingBottomPx}px` }}
      >
        <table
          role="table"
          className={styles.table}
          aria-labelledby="records"
          aria-describedby={keysId}
          aria-rowcount={isLoaded ? count + 1 : -1}
          onPointerOver={setRowTitle}
          onFocus={(event) => {
            setRowTitle(event)
            rowFocus.onFocus(event)
          }}
          onBlur={rowFocus.onBlur}
          onKeyDown={onKeyDown}
        >
          <TableHeader sort={sort} onSort={onSort} />
          <tbody role="rowgroup">
            {isPrinting ? (
              <PrintRows rows={rows} />
            ) : (
              getRenderedIndices(first, last, rowFocus.activeIndex).map(renderRow)
            )}
          </tbody>
        </table>
      </div>
      {count === 0 && children}
    </section>
  )
}

/** The indices from `first` to `last` (exclusive) and, before or after them, the index of the active row. */
function getRenderedIndices(first: number, last: number, activeIndex: number): number[] {
  const indices = Array.from({ length: last - first }, (_, offset) => first + offset)
  if (activeIndex >= last) return [...indices, activeIndex]
  return activeIndex >= 0 && activeIndex < first ? [activeIndex, ...indices] : indices
}
