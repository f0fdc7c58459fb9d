import { Icon } from '../../ui/icon.tsx'
import { type Sort, toggleSort } from '../search/sort.ts'
import styles from './employee-table.module.css'

interface Column {
  title: string
  /** What its header sorts by; the others sort by nothing. */
  sortKey?: Sort['by']
}

/** The columns of the specification's point 2. */
const columns: readonly Column[] = [
  { title: '#', sortKey: 'added' },
  { title: 'Employee Name', sortKey: 'eName' },
  { title: 'Email', sortKey: 'email' },
  { title: 'Password' },
  { title: 'Action' },
]

/** The header of the table, by which it is sorted. Its roles are said aloud, because a grid layout drops them. */
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
                  className={styles.sort}
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
