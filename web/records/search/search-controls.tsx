import type { RefObject } from 'react'
import type { PasswordIssues } from '../password-issues/issue.ts'
import { IssueChips } from '../password-issues/issue-chips.tsx'
import { ChangedSort } from './changed-sort.tsx'
import { SearchBox } from './search-box.tsx'
import type { SearchResult } from './use-search.ts'

interface SearchControlsProps {
  search: SearchResult
  /** Null while they are not known. */
  passwordIssues: PasswordIssues | null
  /** Whether the service remembers when records were changed. */
  hasChangeTimes: boolean
  input: RefObject<HTMLInputElement | null>
  onMoveToResults(): void
  /** Returns false if there is nothing to return to. */
  onLeave(): boolean
}

/** What narrows and sorts the table, besides its headers. */
export function SearchControls(props: SearchControlsProps) {
  const { search, passwordIssues, hasChangeTimes, input, onMoveToResults, onLeave } = props
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
        input={input}
        onFocus={prepareIndex}
        onChange={(query) => setSearchParams({ ...searchParams, query })}
        onMoveToResults={onMoveToResults}
        onLeave={onLeave}
      />
    </>
  )
}
