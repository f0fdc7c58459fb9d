import type { Ref } from 'react'
import { Button } from '../../ui/button.tsx'
import { loading } from '../../ui/words.ts'
import type { Issue } from '../password-issues/issue.ts'
import styles from './placeholders.module.css'
import * as words from './words.ts'

/** Shown if there are no records. */
export function EmptyState({ onAdd, onImport }: { onAdd(): void; onImport(): void }) {
  return (
    <div className={styles.empty}>
      <div className={styles.sketch} aria-hidden="true" />
      <p className={styles.title}>{words.empty}</p>
      <p>{words.emptyHint}</p>
      <div className={styles.choices}>
        <Button onClick={onAdd}>{words.addFirst}</Button>
        <Button onClick={onImport}>{words.importSheet}</Button>
      </div>
    </div>
  )
}

interface NoResultsProps {
  query: string
  issue: Issue | null
  /** Whether the table is narrowed to the passwords that an account could read. */
  hasLeaver: boolean
  clearButton: Ref<HTMLButtonElement>
  onClear(): void
}

/** Shown if no record matches the search, or none of them has a password with the issue. */
export function NoResults({ query, issue, hasLeaver, clearButton, onClear }: NoResultsProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>
        {issue ? words.noIssues(issue) : hasLeaver ? words.nothingExposed : words.noResults}
        {query.trim() && (
          <>
            {' '}
            {words.noResultsFor} <q className={styles.query}>{query.trim()}</q>
          </>
        )}
      </p>
      {query.trim() && <p>{words.searchHint}</p>}
      <Button ref={clearButton} onClick={onClear}>
        {words.showAll}
      </Button>
    </div>
  )
}

/** Shown until the first rows have been loaded; its bars have the height of rows. */
export function TableSkeleton() {
  return (
    <div>
      <p className="visually-hidden">{loading}</p>
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className={styles.skeletonRow} />
      ))}
    </div>
  )
}
