import { Button } from '../../ui/button.tsx'
import type { Issue } from '../password-issues/issue.ts'
import styles from './placeholders.module.css'

/** Shown if there are no records. */
export function EmptyState({ onAdd, onImport }: { onAdd(): void; onImport(): void }) {
  return (
    <div className={styles.empty}>
      <div className={styles.sketch} aria-hidden="true" />
      <p className={styles.title}>Nobody is in the register yet</p>
      <p>Add the first record with the form above, or bring a whole spreadsheet in.</p>
      <div className={styles.choices}>
        <Button onClick={onAdd}>Add the first record</Button>
        <Button onClick={onImport}>Import a spreadsheet</Button>
      </div>
    </div>
  )
}

interface NoResultsProps {
  query: string
  issue: Issue | null
  onClear(): void
}

/** Shown if no record matches the search, or none of them has a password with the issue. */
export function NoResults({ query, issue, onClear }: NoResultsProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>
        {issue ? `No ${issue} passwords` : 'Nobody found'}
        {query.trim() && (
          <>
            {' '}
            for <q className={styles.query}>{query.trim()}</q>
          </>
        )}
      </p>
      {query.trim() && <p>Names and emails are searched, each word anywhere in them.</p>}
      <Button onClick={onClear}>Show everybody</Button>
    </div>
  )
}

/** Shown until the first rows have been loaded; its bars have the height of rows. */
export function TableSkeleton() {
  return (
    <div>
      <p className="visually-hidden">Reading the register …</p>
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className={styles.skeletonRow} />
      ))}
    </div>
  )
}
