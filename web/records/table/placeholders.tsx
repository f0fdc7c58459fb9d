import { Button } from '../../ui/button.tsx'
import styles from './placeholders.module.css'

/** Shown if there are no records. */
export function EmptyState({ onAdd }: { onAdd(): void }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>Nobody is in the register yet</p>
      <p>Add the first record with the form above, or bring a whole spreadsheet in.</p>
      <Button onClick={onAdd}>Add the first record</Button>
    </div>
  )
}

/** Shown if no record matches the search. */
export function NoResults({ query, onClear }: { query: string; onClear(): void }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>
        Nobody found for <q className={styles.query}>{query.trim()}</q>
      </p>
      <p>Names and emails are searched, each word anywhere in them.</p>
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
