import chipStyles from '../../ui/chip.module.css'
import { Icon } from '../../ui/icon.tsx'
import styles from './changed-sort.module.css'
import { defaultSort, type Sort } from './sort.ts'
import * as words from './words.ts'

/** Sorts by the last change: newest first, then oldest first, then as before. */
export function ChangedSort({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  const isSorted = sort.by === 'changed'
  const next: Sort = isSorted && !sort.descending ? defaultSort : { by: 'changed', descending: !isSorted }
  return (
    <button
      type="button"
      className={`${chipStyles.chip} ${styles.sort}`}
      aria-label={isSorted ? words.lastChangedIn(sort.descending) : words.lastChanged}
      aria-pressed={isSorted}
      onClick={() => onSort(next)}
    >
      <span>{words.lastChanged}</span>
      <Icon name="clock" />
      {isSorted && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} />}
    </button>
  )
}
