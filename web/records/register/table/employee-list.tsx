import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { t } from '../../../language/translate.ts'
import { lazyPart, OnDemand } from '../../../ui/lazy-part.tsx'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import type { RecordList } from '../../model/book/sync-employees.ts'
import { useHistory } from '../../model/history/history.ts'
import { usePasswordIssues } from '../../model/search/use-password-issues.ts'
import { type SearchResult, useSearch } from '../../model/search/use-search.ts'
import { countRows, indexOfRow, listEmployees, type Rows } from '../../model/search/visible-rows.ts'
import { type Selection, useSelection } from '../../model/selection/use-selection.ts'
import { type SelectionCommands, useSelectionCommands } from '../../model/selection/use-selection-commands.ts'
import { useFocusTarget, useView } from '../../model/view.ts'
import { observeHeight } from '../elements.ts'
import { LoadProgress, ResultCount } from '../search/list-count.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { IssueChips, SortSelect } from '../search/search-controls.tsx'
import styles from './employee-list.module.css'
import { EmployeeTable, type RowMarks } from './employee-table.tsx'
import { EmptyState, NoResults, TableSkeleton } from './placeholders.tsx'
import type { RowActions } from './use-row-actions.tsx'
import { useRowFocus } from './use-row-focus.ts'

const SelectionBar = lazyPart(() => import('./selection-bar.tsx'), 'SelectionBar')
const ChangeTimesLoader = lazyPart(() => import('../search/change-times.tsx'), 'ChangeTimesLoader')

interface EmployeeListProps {
  list: RecordList
  rowMarks: RowMarks
  actions: RowActions
  onDeleteMany(employees: readonly Employee[]): void
  /** Starts to replace the passwords of these records; null during a run. */
  onStartRun: ((records: readonly Employee[]) => void) | null
  /** Renders buttons for the whole list, unless records are selected, and the menu of all commands. `rows` match the search. */
  renderToolbar(rows: Rows, selected: SelectionCommands): ReactNode
  /** Renders why the table is narrowed to the records of a colleague who leaves. `onStart`: see `IssueChips`. */
  renderLeaver(search: SearchResult, onStart: (() => void) | null): ReactNode
}

export function EmployeeList(props: EmployeeListProps) {
  const { list, rowMarks, actions, onDeleteMany, onStartRun, renderToolbar, renderLeaver } = props
  const { employees, status } = list
  const isLoaded = status === 'loaded'
  const passwordIssues = usePasswordIssues(employees, isLoaded)
  const search = useSearch(employees, passwordIssues)
  const { rows, showAll } = search
  const selection = useSelection(rows, isLoaded)
  const selected = useSelectionCommands(selection, { onStartRun, onDelete: onDeleteMany })
  const isSelecting = selected.count > 0
  const announcedSelection = useAnnounceSelection(selection)
  const { service } = useHistory()
  const { focusForm } = useView()
  const showAllButton = useRef<HTMLButtonElement>(null)
  const rowFocus = useRowFocus(rows, () =>
    employees.length > 0 ? showAllButton.current?.focus() : focusForm(),
  )
  const toolbar = useCallback((header: HTMLElement) => observeHeight(header, '--toolbar-height'), [])
  const onStart = onStartRun && countRows(rows) > 0 ? () => onStartRun(listEmployees(rows)) : null
  useFocusTarget('row', ({ id, ifHidden }) => {
    const isHidden = indexOfRow(rows, id) < 0
    if (isHidden && ifHidden === 'focus form') return focusForm()
    if (isHidden && ifHidden === 'show all') showAll()
    rowFocus.moveToRecord(id)
  })

  return (
    <>
      {isLoaded && <ListHistory search={search}>{renderLeaver(search, onStart)}</ListHistory>}
      <section
        className={styles.section}
        aria-labelledby="records"
        data-editing={rowMarks.editedId !== undefined}
      >
        <header ref={toolbar} className={styles.heading} data-sticky>
          <h2 id="records">{t('Employee Records')}</h2>
          {status !== 'closed' && <LoadProgress list={list} />}
          {isLoaded && !isSelecting && <ResultCount search={search} />}
          {!isSelecting && <IssueChips search={search} found={passwordIssues} onStart={onStart} />}
          <SearchBox
            search={search}
            onMoveToResults={() => rowFocus.moveTo(0)}
            onLeave={rowFocus.returnToRow}
          />
          {!isSelecting && (
            <SortSelect search={search} hasChangeTimes={service !== undefined && employees.length > 1} />
          )}
          <OnDemand onGiveUp={selection.clear}>
            {isSelecting && <SelectionBar selection={selection} selected={selected} />}
          </OnDemand>
          {renderToolbar(rows, selected)}
          {announcedSelection}
        </header>
        <EmployeeTable
          search={search}
          status={status}
          rowMarks={rowMarks}
          rowFocus={rowFocus}
          actions={actions}
          selection={selection}
          onDeleteSelected={selected.commands.delete.run}
        />
        {countRows(rows) === 0 && renderPlaceholder()}
      </section>
    </>
  )

  function renderPlaceholder() {
    if (!isLoaded) return <TableSkeleton isLoading={status === 'loading'} />
    if (employees.length === 0) return <EmptyState />
    return <NoResults search={search} showAllButton={showAllButton} />
  }
}

/** Loads what the search needs of the history. */
function ListHistory({ search, children }: { search: SearchResult; children: ReactNode }) {
  const { searchParams, rows, setChangeTimes } = search
  const { service } = useHistory()
  return (
    <OnDemand>
      {children}
      {service && searchParams.sort.by === 'changed' && (
        <ChangeTimesLoader service={service} employees={rows.employees} onLoad={setChangeTimes} />
      )}
    </OnDemand>
  )
}

export function useAnnounceSelection({ records }: Selection) {
  const { liveRegion, announce } = useLiveRegion()
  const count = records.length
  useEffect(() => {
    if (count > 0) announce(t('{count, plural, other {# selected}}', { count }))
  }, [count, announce])
  return liveRegion
}
