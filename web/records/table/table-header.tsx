import { Icon } from '../../ui/icon.tsx'
import { type Sort, toggleSort } from '../search/sort.ts'
import styles from './employee-table.module.css'
import * as words from './words.ts'

interface Column {
  title: string
  /** Undefined for columns that can't be sorted. */
  sortKey?: Sort['by']
}

/** The columns of section 2 of the specification. */
const columns: readonly Column[] = [
  { title: words.columns.number, sortKey: 'added' },
  { title: words.columns.eName, sortKey: 'eName' },
  { title: words.columns.email, sortKey: 'email' },
  { title: words.columns.password },
  { title: words.columns.action },
]

/** The column headers, which sort the table. For the explicit roles see `EmployeeRow`. */
export function TableHeader({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {columns.map(({ title, sortKey }) => {
          const isSorted = sortKey === sort.by
          const direction = sort.descending ? 'descending' : 'ascending'
          return (
            <th
              key={title}
              role="columnheader"
              scope="col"
              {...(isSorted && { 'aria-sort': direction })}
              data-sortable={sortKey !== undefined}
            >
              {sortKey ? (
                <button
                  type="button"
                  className={styles.sortButton}
                  onClick={() => onSort(toggleSort(sort, sortKey))}
                >
                  {title}
                  {isSorted && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} />}
                </button>
              ) : (
                title
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
