import chipStyles from '../../ui/chip.module.css'
import { Icon } from '../../ui/icon.tsx'
import { IconSelect } from '../../ui/icon-select.tsx'
import type { PasswordIssues } from '../password-issues/find-password-issues.ts'
import * as messages from './messages.ts'
import { SearchBox } from './search-box.tsx'
import styles from './search-controls.module.css'
import { formatSort, type Issue, issues, parseSort, sortKeys } from './search-params.ts'
import type { Sort } from './sort.ts'
import type { SearchResult } from './use-search.ts'

interface SearchControlsProps {
  search: SearchResult
  /** Null while they are not known. */
  passwordIssues: PasswordIssues | null
  /** Whether the service remembers when records were changed. */
  hasChangeTimes: boolean
  /** Starts to replace the passwords of the records in the table; null if there are none, or during a run. */
  onStart: (() => void) | null
  onMoveToResults(): void
  /** Returns false if there is nothing to return to. */
  onLeave(): boolean
}

/** What narrows and sorts the table, besides its headers. */
export function SearchControls(props: SearchControlsProps) {
  const { search, passwordIssues, hasChangeTimes, onStart, onMoveToResults, onLeave } = props
  const { searchParams, setSearchParams, prepareIndex } = search
  return (
    <>
      <IssueChips
        found={passwordIssues}
        selected={searchParams.issue}
        onSelect={(issue) => setSearchParams({ ...searchParams, issue })}
        onStart={searchParams.leaver ? null : onStart}
      />
      <SearchBox
        query={searchParams.query}
        onFocus={prepareIndex}
        onChange={(query) => setSearchParams({ ...searchParams, query })}
        onMoveToResults={onMoveToResults}
        onLeave={onLeave}
      />
      <SortSelect
        sort={searchParams.sort}
        hasChangeTimes={hasChangeTimes}
        onSort={(sort) => setSearchParams({ ...searchParams, sort })}
      />
    </>
  )
}

interface IssueChipsProps {
  found: PasswordIssues | null
  selected: Issue | null
  onSelect(issue: Issue | null): void
  onStart: (() => void) | null
}

/** The number of passwords with each issue. A press narrows the table to them, the next one shows all records again. */
function IssueChips({ found, selected, onSelect, onStart }: IssueChipsProps) {
  const shown = issues.filter((issue) => issue === selected || (found && found[issue].size > 0))
  if (!found || shown.length === 0) return null
  return (
    <fieldset className={styles.chips}>
      <legend className="visually-hidden">{messages.issuesLegend}</legend>
      {shown.map((issue) => {
        const isSelected = issue === selected
        const count = found[issue].size
        return (
          <button
            key={issue}
            type="button"
            className={chipStyles.chip}
            aria-pressed={isSelected}
            onClick={() => onSelect(isSelected ? null : issue)}
          >
            <span>
              {count.toLocaleString()} {issue}
              <span className="visually-hidden">{messages.passwords(count)}</span>
            </span>
            {isSelected && <Icon name="x" />}
          </button>
        )
      })}
      {selected && onStart && (
        <button
          type="button"
          className={`${chipStyles.chip} ${styles.start}`}
          aria-label={messages.start.label}
          onClick={onStart}
        >
          {messages.start.text}
        </button>
      )}
    </fieldset>
  )
}

/** Offers every sort order; those of the columns stand in the headers of the table too, where it has any. */
function SortSelect({ sort, hasChangeTimes, onSort }: SortSelectProps) {
  const offered = sortKeys.filter((by) => by !== 'changed' || hasChangeTimes)
  // The latest changes are wanted more often than the oldest.
  const orders = offered.flatMap((by) =>
    [by === 'changed', by !== 'changed'].map((descending) => ({ by, descending })),
  )
  return (
    <IconSelect
      className={styles.sort}
      icon="arrow-up-down"
      label={messages.sort}
      value={formatSort(sort)}
      options={orders.map(formatSort)}
      textOf={(order) => messages.sortOrder(parseSort(order))}
      onChange={(order) => onSort(parseSort(order))}
    />
  )
}

interface SortSelectProps {
  sort: Sort
  /** Whether the service remembers when records were changed. */
  hasChangeTimes: boolean
  onSort(sort: Sort): void
}
