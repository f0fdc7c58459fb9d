import chipStyles from '../../ui/chip.module.css'
import { Icon } from '../../ui/icon.tsx'
import type { PasswordIssues } from '../password-issues/find-password-issues.ts'
import * as messages from './messages.ts'
import { SearchBox } from './search-box.tsx'
import styles from './search-controls.module.css'
import { type Issue, issues } from './search-params.ts'
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

interface IssueChipsProps {
  found: PasswordIssues | null
  selected: Issue | null
  onSelect(issue: Issue | null): void
}

/** The number of passwords with each issue. A press narrows the table to them, the next one shows all records again. */
function IssueChips({ found, selected, onSelect }: IssueChipsProps) {
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
    </fieldset>
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
