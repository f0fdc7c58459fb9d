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
import type { SelectionActions } from '../../model/selection/use-selection-commands.ts'
import { useFocusTarget, useView } from '../../model/view.ts'
import { observeHeight } from '../elements.ts'
import { LoadProgress, ResultCount } from '../search/list-count.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { SortSelect } from '../search/search-controls.tsx'
import styles from './employee-list.module.css'
import { EmployeeTable, type RowMarks } from './employee-table.tsx'
import { NoResults, TableSkeleton } from './placeholders.tsx'
import type { RowActions } from './use-row-actions.tsx'
import { useRowFocus } from './use-row-focus.ts'

const EmptyState = lazyPart(() => import('./empty-state.tsx'), 'EmptyState')
const IssueChips = lazyPart(() => import('../search/issue-chips.tsx'), 'IssueChips')
const SelectionBar = lazyPart(() => import('./selection-bar.tsx'), 'SelectionBar')
const ChangeTimesLoader = lazyPart(() => import('../search/change-times.tsx'), 'ChangeTimesLoader')

interface EmployeeListProps {
  list: RecordList
  rowMarks: RowMarks
  isFormFilled: boolean
  actions: RowActions
  onDeleteMany(employees: readonly Employee[]): void
  /** Starts to replace the passwords of these records; null during a run. */
  onStartRun: ((records: readonly Employee[]) => void) | null
  /** Renders buttons for the whole list, and the menu of all commands. `rows` match the search. */
  renderToolbar(rows: Rows, selection: Selection, actions: SelectionActions): ReactNode
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
  const isSelecting = selection.records.length > 0
  const withSelected = (act: (records: readonly Employee[]) => void) => () => {
    act(selection.records)
    selection.clear()
  }
  const selectionActions = {
    startRun: onStartRun && withSelected(onStartRun),
    remove: withSelected(onDeleteMany),
  }
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
        data-list={isLoaded && employees.length === 0 ? 'empty' : status}
      >
        <header ref={toolbar} className={styles.heading} data-sticky data-selecting={isSelecting}>
          <h2 id="records">{t('Employee Records')}</h2>
          <div className={styles.lead}>
            <div className={styles.summary}>
              {status !== 'closed' && <LoadProgress list={list} />}
              {isLoaded && <ResultCount search={search} />}
              <OnDemand isOptional>
                {passwordIssues && <IssueChips search={search} found={passwordIssues} onStart={onStart} />}
              </OnDemand>
            </div>
            <OnDemand onGiveUp={selection.clear}>
              {isSelecting && <SelectionBar selection={selection} actions={selectionActions} />}
            </OnDemand>
          </div>
          <SearchBox
            search={search}
            onMoveToResults={() => rowFocus.moveTo(0)}
            onLeave={rowFocus.returnToRow}
          />
          <SortSelect search={search} hasChangeTimes={service !== undefined && employees.length > 1} />
          {renderToolbar(rows, selection, selectionActions)}
          {announcedSelection}
        </header>
        <EmployeeTable
          search={search}
          status={status}
          rowMarks={rowMarks}
          rowFocus={rowFocus}
          actions={actions}
          selection={selection}
          onDeleteSelected={selectionActions.remove}
        />
        {countRows(rows) === 0 && renderPlaceholder()}
      </section>
    </>
  )

  function renderPlaceholder() {
    if (status === 'closed') return null
    if (status === 'loading') return <TableSkeleton />
    if (isLoaded && employees.length > 0) return <NoResults search={search} showAllButton={showAllButton} />
    return (
      <OnDemand isOptional>
        <EmptyState list={list} isFormFilled={props.isFormFilled} />
      </OnDemand>
    )
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
