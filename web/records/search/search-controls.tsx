import chipStyles from '../../ui/chip.module.css'
import { Icon } from '../../ui/icon.tsx'
import type { PasswordIssues } from '../password-issues/issue.ts'
import { IssueChips } from '../password-issues/issue-chips.tsx'
import styles from './changed-sort.module.css'
import * as messages from './messages.ts'
import { SearchBox } from './search-box.tsx'
import { defaultSort, type Sort } from './sort.ts'
import type { SearchResult } from './use-search.ts'

interface SearchControlsProps {
  search: SearchResult
  /** Null while they are not known. */
  passwordIssues: PasswordIssues | null
  /** Whether the service remembers when records were changed. */
  hasChangeTimes: boolean
  onMoveToResults(): void
  /** Returns false if there is nothing to return to. */
  onLeave(): boolean
}

/** What narrows and sorts the table, besides its headers. */
export function SearchControls(props: SearchControlsProps) {
  const { search, passwordIssues, hasChangeTimes, onMoveToResults, onLeave } = props
  const { searchParams, setSearchParams, prepareIndex } = search
  return (
    <>
      <IssueChips
        found={passwordIssues}
        selected={searchParams.issue}
        onSelect={(issue) => setSearchParams({ ...searchParams, issue })}
      />
      {hasChangeTimes && (
        <ChangedSort sort={searchParams.sort} onSort={(sort) => setSearchParams({ ...searchParams, sort })} />
      )}
      <SearchBox
        query={searchParams.query}
        onFocus={prepareIndex}
        onChange={(query) => setSearchParams({ ...searchParams, query })}
        onMoveToResults={onMoveToResults}
        onLeave={onLeave}
      />
    </>
  )
}

/** Sorts by the last change: newest first, then oldest first, then as before. */
function ChangedSort({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  const isSorted = sort.by === 'changed'
  const next: Sort = isSorted && !sort.descending ? defaultSort : { by: 'changed', descending: !isSorted }
  return (
    <button
      type="button"
      className={`${chipStyles.chip} ${styles.sort}`}
      aria-label={isSorted ? messages.lastChangedIn(sort.descending) : messages.lastChanged}
      aria-pressed={isSorted}
      onClick={() => onSort(next)}
    >
      <span>{messages.lastChanged}</span>
      <Icon name="clock" />
      {isSorted && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} />}
    </button>
  )
}
