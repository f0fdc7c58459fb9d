import { type ReactNode, useCallback, useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { observeHeight } from '../elements.ts'
import type { ExposedBannerProps } from '../history/exposed-banner.tsx'
import { useHistory } from '../history/history.ts'
import { OnDemand } from '../on-demand.tsx'
import { usePasswordIssues } from '../password-issues/use-password-issues.ts'
import { LoadProgress, ResultCount } from '../search/list-count.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { IssueChips, SortSelect } from '../search/search-controls.tsx'
import { useSearch } from '../search/use-search.ts'
import { countRows, indexOfRow, listEmployees, type Rows } from '../search/visible-rows.ts'
import type { RecordList } from '../sync/sync-employees.ts'
import { useFocusTarget, useView } from '../view.tsx'
import styles from './employee-list.module.css'
import { EmployeeTable, type RowMarks } from './employee-table.tsx'
import * as messages from './messages.ts'
import { EmptyState, NoResults, TableSkeleton } from './placeholders.tsx'
import type { RowActions } from './use-row-actions.tsx'
import { useRowFocus } from './use-row-focus.ts'

const ExposedBanner = lazyPart(() => import('../history/exposed-banner.tsx'), 'ExposedBanner')
const ChangeTimesLoader = lazyPart(() => import('../history/change-times.tsx'), 'ChangeTimesLoader')

interface EmployeeListProps {
  list: RecordList
  rowMarks: RowMarks
  actions: RowActions
  /** Starts to replace the passwords of these records; null during a run. */
  onStartRun: ((records: readonly Employee[]) => void) | null
  /** Renders buttons for the whole list; `rows` are those that match the search. */
  renderToolbar(rows: Rows): ReactNode
}

export function EmployeeList(props: EmployeeListProps) {
  const { list, rowMarks, actions, onStartRun, renderToolbar } = props
  const { employees, status } = list
  const isLoaded = status === 'loaded'
  const passwordIssues = usePasswordIssues(employees, isLoaded)
  const search = useSearch(employees, passwordIssues)
  const { rows, showAll } = search
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
      {isLoaded && <ListHistory search={search} onStart={onStart} onDelete={actions.onDelete} />}
      <section
        className={styles.section}
        aria-labelledby="records"
        data-editing={rowMarks.editedId !== undefined}
      >
        <header ref={toolbar} className={styles.heading}>
          <h2 id="records">{messages.title}</h2>
          {status !== 'closed' && <LoadProgress list={list} />}
          {isLoaded && <ResultCount search={search} />}
          <IssueChips search={search} found={passwordIssues} onStart={onStart} />
          <SearchBox
            search={search}
            onMoveToResults={() => rowFocus.moveTo(0)}
            onLeave={rowFocus.returnToRow}
          />
          <SortSelect search={search} hasChangeTimes={service !== undefined && employees.length > 1} />
          {renderToolbar(rows)}
        </header>
        <EmployeeTable
          search={search}
          status={status}
          rowMarks={rowMarks}
          rowFocus={rowFocus}
          actions={actions}
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

/** Loads what the search needs of the history, and shows why the table is narrowed by it. */
function ListHistory(props: Omit<ExposedBannerProps, 'service' | 'accountId'>) {
  const { searchParams, rows, setChangeTimes } = props.search
  const { leaver, sort } = searchParams
  const { service } = useHistory()
  return (
    <OnDemand>
      {service && leaver && <ExposedBanner key={leaver} service={service} accountId={leaver} {...props} />}
      {service && sort.by === 'changed' && (
        <ChangeTimesLoader service={service} employees={rows.employees} onLoad={setChangeTimes} />
      )}
    </OnDemand>
  )
}
