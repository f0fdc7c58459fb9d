import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import type { ShowToast } from '../../ui/toast.tsx'
import { ResultCount } from '../search/result-count.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { useSearch } from '../search/use-search.ts'
import { indexOfRow, type Rows } from '../search/visible-rows.ts'
import { EmployeeTable, type TableHandle } from './employee-table.tsx'
import { EmptyState, NoResults, TableSkeleton } from './placeholders.tsx'
import { useCopyField } from './use-copy-field.tsx'

interface EmployeeListProps {
  employees: Employee[]
  /** False until all records have arrived once. */
  isLoaded: boolean
  editedId: string | undefined
  ref?: Ref<EmployeeListHandle>
  /** More that can be done with the register as a whole. */
  renderToolbar(rows: Rows): ReactNode
  onEdit(employee: Employee): void
  /** `presses`: how many the pointer has made in a row; 0 where it was a key. */
  onDelete(employee: Employee, clickCount: number): void
  /** The last record has gone, and the focus with it; or the person wants to add the first. */
  onAdd(): void
  showToast: ShowToast
}

export interface EmployeeListHandle {
  /** Puts the focus on the row of this record; a search that hides it is cleared. */
  showRow(id: string): void
  /** The same for a record that is to come, without touching the search. */
  focusRowWhenAdded(id: string): void
  /** Whether the row of this record is among those that are searched for. */
  hasRow(id: string): boolean
  isInViewport(id: string): boolean
  focusSearch(): void
}

/** The table of all records, and how it is looked at. */
export function EmployeeList(props: EmployeeListProps) {
  const { employees, isLoaded, editedId, ref, renderToolbar, onEdit, onDelete, onAdd, showToast } = props
  const { searchParams, setSearchParams, prepareIndex, terms, rows } = useSearch(employees)
  const copyField = useCopyField(showToast)
  const tableHandle = useRef<TableHandle>(null)
  const searchInput = useRef<HTMLInputElement>(null)

  useImperativeHandle(ref, () => ({
    showRow(id) {
      if (indexOfRow(rows, id) < 0) setSearchParams({ ...searchParams, query: '' })
      tableHandle.current?.focusRow(id)
    },
    focusRowWhenAdded: (id) => tableHandle.current?.focusRow(id),
    hasRow: (id) => indexOfRow(rows, id) >= 0,
    isInViewport: (id: string) => tableHandle.current?.isInViewport(id) ?? false,
    focusSearch() {
      searchInput.current?.focus()
      searchInput.current?.select()
    },
  }))

  return (
    <EmployeeTable
      ref={tableHandle}
      rows={rows}
      isLoaded={isLoaded}
      terms={terms}
      sort={searchParams.sort}
      editedId={editedId}
      onSort={(sort) => setSearchParams({ ...searchParams, sort })}
      onEmptied={() => (employees.length > 0 ? searchInput.current?.focus() : onAdd())}
      onEdit={onEdit}
      onDelete={onDelete}
      onCopy={(employee, field) => void copyField(employee, field)}
      toolbar={
        <>
          <ResultCount employees={employees} rows={rows} isSearching={terms.length > 0} isLoaded={isLoaded} />
          {renderToolbar(rows)}
          <SearchBox
            query={searchParams.query}
            input={searchInput}
            onFocus={prepareIndex}
            onChange={(query) => setSearchParams({ ...searchParams, query })}
            onMoveToResults={() => tableHandle.current?.focusFirst()}
          />
        </>
      }
    >
      {employees.length > 0 ? (
        <NoResults
          query={searchParams.query}
          onClear={() => setSearchParams({ ...searchParams, query: '' })}
        />
      ) : isLoaded ? (
        <EmptyState onAdd={onAdd} />
      ) : (
        <TableSkeleton />
      )}
    </EmployeeTable>
  )
}
