import { Icon } from '../../ui/icon.tsx'
import styles from '../password-issues/issue-chips.module.css'
import { defaultSort, type Sort } from './sort.ts'
import * as words from './words.ts'

/** Sorts by the last change: newest first, then oldest first, then as before. */
export function ChangedSort({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  const isSorted = sort.by === 'changed'
  const next: Sort = isSorted && !sort.descending ? defaultSort : { by: 'changed', descending: !isSorted }
  return (
    <button
      type="button"
      className={`${styles.chip} ${styles.sort}`}
      aria-pressed={isSorted}
      onClick={() => onSort(next)}
    >
      {words.lastChanged}
      {isSorted && (
        <>
          <span className="visually-hidden">{sort.descending ? words.newestFirst : words.oldestFirst}</span>
          <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} />
        </>
      )}
    </button>
  )
}
