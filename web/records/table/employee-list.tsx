import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import type { ShowToast } from '../../ui/toast.tsx'
import { useHistory } from '../history/history.ts'
import { ListHistory } from '../history/list-history.tsx'
import { usePasswordIssues } from '../password-issues/use-password-issues.ts'
import { LoadProgress } from '../search/load-progress.tsx'
import { ResultCount } from '../search/result-count.tsx'
import { SearchControls } from '../search/search-controls.tsx'
import type { ChangeTimes } from '../search/sort.ts'
import { useSearch } from '../search/use-search.ts'
import { indexOfRow, type Rows } from '../search/visible-rows.ts'
import { EmployeeTable, type TableHandle } from './employee-table.tsx'
import { EmptyState, NoResults, TableSkeleton } from './placeholders.tsx'
import { useCopyField } from './use-copy-field.tsx'

interface EmployeeListProps {
  employees: Employee[]
  /** False until the complete list has been loaded once. */
  isLoaded: boolean
  /** The number of all records, if it is known before they have been loaded. */
  total: number | undefined
  editedId: string | undefined
  unsavedIds: ReadonlySet<string>
  ref?: Ref<EmployeeListHandle>
  /** Buttons for the whole list; `rows` are those that match the search. */
  renderToolbar(rows: Rows): ReactNode
  onEdit(employee: Employee): void
  /** `clickCount` is the number of clicks in quick succession, or 0 for a key. */
  onDelete(employee: Employee, clickTime?: number): void
  /** Called when the user wants to add the first record, and when the last row disappears while it has the focus. */
  onAdd(): void
  onImport(): void
  showToast: ShowToast
}

export interface EmployeeListHandle {
  /** Focuses a record's row. Shows all records if the row is hidden. */
  showRow(id: string): void
  /** Scrolls as little as necessary to show a record's row. */
  scrollToRow(id: string): void
  /** Focuses a record's row as soon as it exists. Does not change the search. */
  focusRowWhenAdded(id: string): void
  /** Whether the record exists and matches the search. */
  hasRow(id: string): boolean
  isInViewport(id: string): boolean
  focusSearch(): void
}

/** The table of employees with its search box and toolbar. */
export function EmployeeList(props: EmployeeListProps) {
  const { employees, isLoaded, total, editedId, unsavedIds, ref, renderToolbar } = props
  const { onEdit, onDelete, onAdd, onImport, showToast } = props
  const passwordIssues = usePasswordIssues(employees, isLoaded)
  const [exposedIds, setExposedIds] = useState<ReadonlySet<string> | null>(null)
  const [changeTimes, setChangeTimes] = useState<ChangeTimes | null>(null)
  const search = useSearch(employees, { passwordIssues, exposedIds, changeTimes })
  const { searchParams, setSearchParams, terms, isFiltered, rows } = search
  const history = useHistory()
  const showAll = () => setSearchParams({ ...searchParams, query: '', issue: null, leaver: null })
  const copyField = useCopyField(showToast)
  const tableHandle = useRef<TableHandle>(null)
  const searchInput = useRef<HTMLInputElement>(null)
  const showAllButton = useRef<HTMLButtonElement>(null)

  useImperativeHandle(ref, () => ({
    showRow(id) {
      if (indexOfRow(rows, id) < 0) showAll()
      tableHandle.current?.focusRow(id)
    },
    scrollToRow: (id) => tableHandle.current?.scrollToRow(id),
    focusRowWhenAdded: (id) => tableHandle.current?.focusRow(id),
    hasRow: (id) => indexOfRow(rows, id) >= 0,
    isInViewport: (id) => tableHandle.current?.isInViewport(id) ?? false,
    focusSearch() {
      searchInput.current?.focus()
      searchInput.current?.select()
    },
  }))

  return (
    <>
      {isLoaded && (
        <ListHistory
          employees={employees}
          searchParams={searchParams}
          onExposedIds={setExposedIds}
          onChangeTimes={setChangeTimes}
          onClear={showAll}
          showToast={showToast}
        />
      )}
      <EmployeeTable
        ref={tableHandle}
        rows={rows}
        isLoaded={isLoaded}
        terms={terms}
        sort={searchParams.sort}
        editedId={editedId}
        unsavedIds={unsavedIds}
        onSort={(sort) => setSearchParams({ ...searchParams, sort })}
        onEmptied={() => (employees.length > 0 ? showAllButton.current?.focus() : onAdd())}
        onEdit={onEdit}
        onDelete={onDelete}
        onCopy={(employee, field) => void copyField(employee, field)}
        onReveal={({ id }) => history?.report({ kind: 'reveal', ids: [id] })}
        toolbar={
          <>
            <LoadProgress count={employees.length} total={total} isLoaded={isLoaded} />
            {isLoaded && <ResultCount employees={employees} rows={rows} isFiltered={isFiltered} />}
            <SearchControls
              search={search}
              passwordIssues={passwordIssues}
              hasChangeTimes={history !== null && employees.length > 1}
              input={searchInput}
              onMoveToResults={() => tableHandle.current?.focusFirst()}
              onLeave={() => tableHandle.current?.returnToRow() ?? false}
            />
            {renderToolbar(rows)}
          </>
        }
      >
        {!isLoaded ? (
          <TableSkeleton />
        ) : employees.length > 0 ? (
          <NoResults
            query={searchParams.query}
            issue={searchParams.issue}
            hasLeaver={exposedIds !== null}
            clearButton={showAllButton}
            onClear={showAll}
          />
        ) : (
          <EmptyState onAdd={onAdd} onImport={onImport} />
        )}
      </EmployeeTable>
    </>
  )
}
