import { type KeyboardEvent, type MouseEvent, type PointerEvent, useId } from 'react'
import { t } from '../../../language/translate.ts'
import { copyLine } from '../../../lib/clipboard.ts'
import { ignoreHeldEnter } from '../../../lib/dom.ts'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import type { RecordList } from '../../model/book/sync-employees.ts'
import type { UnsavedMark } from '../../model/outbox/entry.ts'
import { describeSort } from '../../model/search/sort.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import { countRows, rowAt } from '../../model/search/visible-rows.ts'
import type { Selection } from '../../model/selection/use-selection.ts'
import { EmployeeRow } from './employee-row.tsx'
import styles from './employee-table.module.css'
import { PrintRows, useIsPrinting } from './print-rows.tsx'
import { TableHeader } from './table-header.tsx'
import { useHoldPosition } from './use-hold-position.ts'
import {
  deleteSelectedByKey,
  pressShortcut,
  type RowActions,
  selectByKey,
  useRowActions,
} from './use-row-actions.tsx'
import type { RowFocus } from './use-row-focus.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

export interface RowMarks {
  editedId: string | undefined
  unsaved: ReadonlyMap<string, UnsavedMark>
}

interface EmployeeTableProps {
  search: SearchResult
  status: RecordList['status']
  rowMarks: RowMarks
  rowFocus: RowFocus
  actions: RowActions
  selection: Selection
  onDeleteSelected(): void
}

/** A table that renders only the rows near the viewport. */
export function EmployeeTable(props: EmployeeTableProps) {
  const { search, status, rowMarks, rowFocus, actions, selection, onDeleteSelected } = props
  const { rows, terms, order, searchParams, setSearchParams, recordsWithIssue, isGrouped } = search
  const { container } = rowFocus
  const keysId = useId()
  const { liveRegion, announce } = useLiveRegion()
  const count = countRows(rows)
  const { first, last, paddingTopPx, paddingBottomPx } = useVirtualRows(count, container, order)
  const holdHandlers = useHoldPosition(container, rows, order)
  const isPrinting = useIsPrinting()
  const actionHandlers = useRowActions(rows, status === 'closed', actions, selection)

  function onKeyDown(event: KeyboardEvent) {
    ignoreHeldEnter(event)
    const isSelection =
      selectByKey(event, selection, rows, rowFocus) || deleteSelectedByKey(event, selection, onDeleteSelected)
    if (isSelection || rowFocus.handleKey(event) || pressShortcut(event)) event.preventDefault()
  }

  const issueAt = (index: number) => recordsWithIssue?.get(rowAt(rows, index)?.employee.id ?? '')

  function renderRow(index: number) {
    const { employee, number } = rowAt(rows, index) ?? {}
    if (!employee || number === undefined) return null
    const issue = issueAt(index)
    return (
      <EmployeeRow
        key={employee.id}
        employee={employee}
        index={index}
        number={number}
        terms={terms}
        isEdited={employee.id === rowMarks.editedId}
        isSelected={selection.ids.has(employee.id)}
        unsaved={rowMarks.unsaved.get(employee.id)}
        note={issue?.note}
        startsGroup={isGrouped && index > 0 && issueAt(index - 1)?.rank !== issue?.rank}
        isOffscreen={index < first || index >= last}
      />
    )
  }

  return (
    <>
      <p id={keysId} hidden>
        {t('Up and down arrows move between rows, left and right arrows within a row.')}
      </p>
      {liveRegion}
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
          aria-rowcount={status === 'loaded' ? count + 1 : -1}
          onFocus={rowFocus.onFocus}
          onBlur={rowFocus.onBlur}
          onKeyDown={onKeyDown}
        >
          <TableHeader
            sort={searchParams.sort}
            isGrouped={isGrouped}
            onSort={(sort) => {
              setSearchParams({ ...searchParams, sort })
              announce(t('Sorted: {order}', { order: describeSort(sort) }))
            }}
          />
          <tbody
            role="rowgroup"
            translate="no"
            onCopy={copyLine}
            {...joinHandlers(holdHandlers, actionHandlers)}
            data-selecting={selection.records.length > 0}
          >
            {isPrinting ? (
              <PrintRows rows={rows} />
            ) : (
              getRenderedIndices(first, last, rowFocus.activeIndex).map(renderRow)
            )}
          </tbody>
        </table>
      </div>
    </>
  )
}

function joinHandlers(
  hold: ReturnType<typeof useHoldPosition>,
  { onPointerMove, onClick, ...actions }: ReturnType<typeof useRowActions>,
) {
  return {
    ...hold,
    ...actions,
    onPointerMove(event: PointerEvent) {
      hold.onPointerMove(event)
      onPointerMove(event)
    },
    // With `onClick`, React would make the rows' body "clickable" for screen readers.
    onClickCapture(event: MouseEvent) {
      hold.onClickCapture(event)
      if (!event.isPropagationStopped()) onClick(event)
    },
  }
}

/** The indices from `first` to `last` (exclusive) and, before or after them, the index of the active row. */
function getRenderedIndices(first: number, last: number, activeIndex: number): number[] {
  const indices = Array.from({ length: last - first }, (_, offset) => first + offset)
  if (activeIndex >= last) return [...indices, activeIndex]
  return activeIndex >= 0 && activeIndex < first ? [activeIndex, ...indices] : indices
}
