import { Icon } from '../../ui/icon.tsx'
import { pressed, type Sort } from '../search/sort.ts'
import styles from './employee-table.module.css'

interface Column {
  title: string
  /** What its header sorts by; the others sort by nothing. */
  by?: Sort['by']
}

/** The columns of the specification's point 2. */
const columns: readonly Column[] = [
  { title: '#', by: 'added' },
  { title: 'Employee Name', by: 'eName' },
  { title: 'Email', by: 'email' },
  { title: 'Password' },
  { title: 'Action' },
]

/** The header of the table, by which it is sorted. Its roles are said aloud, because a grid layout drops them. */
export function EmployeeColumns({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {columns.map(({ title, by }) => {
          const isSorted = by === sort.by
          const direction = sort.descending ? 'descending' : 'ascending'
          return (
            <th
              key={title}
              role="columnheader"
              scope="col"
              {...(isSorted && { 'aria-sort': direction })}
              data-sorts={by !== undefined}
            >
              {by ? (
                <button type="button" className={styles.sort} onClick={() => onSort(pressed(sort, by))}>
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
