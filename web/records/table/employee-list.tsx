import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import type { Say } from '../../ui/toast.tsx'
import { Count } from '../search/result-count.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { useFound } from '../search/use-search.ts'
import { indexOfRow, type Rows } from '../search/visible-rows.ts'
import { EmployeeTable, type TableHandle } from './employee-table.tsx'
import { EmptyRegister, NoMatch, Skeleton } from './placeholders.tsx'
import { useCopy } from './use-copy-field.tsx'

interface RegisterProps {
  book: Employee[]
  /** False until all records have arrived once. */
  hasRead: boolean
  editedId: string | undefined
  ref?: Ref<RegisterHandle>
  /** More that can be done with the register as a whole. */
  tools(rows: Rows): ReactNode
  onEdit(employee: Employee): void
  /** `presses`: how many the pointer has made in a row; 0 where it was a key. */
  onDelete(employee: Employee, presses: number): void
  /** The last record has gone, and the focus with it; or the person wants to add the first. */
  onAdd(): void
  say: Say
}

export interface RegisterHandle {
  /** Puts the focus on the row of this record; a search that hides it is cleared. */
  showRow(id: string): void
  /** The same for a record that is to come, without touching the search. */
  awaitRow(id: string): void
  /** Whether the row of this record is among those that are searched for. */
  has(id: string): boolean
  isInSight(id: string): boolean
  search(): void
}

/** The table of all records, and how it is looked at. */
export function Register(props: RegisterProps) {
  const { book, hasRead, editedId, ref, tools, onEdit, onDelete, onAdd, say } = props
  const { view, setView, prepare, terms, rows } = useFound(book)
  const copy = useCopy(say)
  const table = useRef<TableHandle>(null)
  const searchInput = useRef<HTMLInputElement>(null)

  useImperativeHandle(ref, () => ({
    showRow(id) {
      if (indexOfRow(rows, id) < 0) setView({ ...view, query: '' })
      table.current?.focusRow(id)
    },
    awaitRow: (id) => table.current?.focusRow(id),
    has: (id) => indexOfRow(rows, id) >= 0,
    isInSight: (id) => table.current?.isInSight(id) ?? false,
    search() {
      searchInput.current?.focus()
      searchInput.current?.select()
    },
  }))

  return (
    <EmployeeTable
      ref={table}
      rows={rows}
      isComplete={hasRead}
      terms={terms}
      sort={view.sort}
      editedId={editedId}
      onSort={(sort) => setView({ ...view, sort })}
      onEmptied={() => (book.length > 0 ? searchInput.current?.focus() : onAdd())}
      onEdit={onEdit}
      onDelete={onDelete}
      onCopy={(employee, field) => void copy(employee, field)}
      tools={
        <>
          <Count book={book} rows={rows} isSearching={terms.length > 0} hasRead={hasRead} />
          {tools(rows)}
          <SearchBox
            query={view.query}
            input={searchInput}
            onFocus={prepare}
            onChange={(query) => setView({ ...view, query })}
            onEnter={() => table.current?.focusFirst()}
          />
        </>
      }
    >
      {book.length > 0 ? (
        <NoMatch query={view.query} onClear={() => setView({ ...view, query: '' })} />
      ) : hasRead ? (
        <EmptyRegister onAdd={onAdd} />
      ) : (
        <Skeleton />
      )}
    </EmployeeTable>
  )
}
