import { fieldNames, fieldRules } from '../../../../contract/employees.ts'
import { t, translateLabel } from '../../../language/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { titleField } from '../../model/fields.ts'
import { type Sort, toggleSort } from '../../model/search/sort.ts'
import styles from './table-header.module.css'

interface Column {
  kind: 'number' | 'title' | 'text' | 'secret' | 'actions'
  title(): string
  /** Undefined for columns that can't be sorted. */
  sortKey?: Sort['by']
}

/** The columns of section 2 of the specification. */
const columns: readonly Column[] = [
  { kind: 'number', title: () => t('#'), sortKey: 'added' },
  ...fieldNames.map((field): Column => {
    const title = () => translateLabel(fieldRules[field].label)
    if (fieldRules[field].isSecret) return { kind: 'secret', title }
    return { kind: field === titleField ? 'title' : 'text', title, sortKey: field }
  }),
  { kind: 'actions', title: () => t('Action') },
]

interface TableHeaderProps {
  sort: Sort
  /** The rows are grouped instead of sorted. */
  isGrouped: boolean
  onSort(sort: Sort): void
}

/** The column headers, which sort the table. For the explicit roles see `EmployeeRow`. */
export function TableHeader({ sort, isGrouped, onSort }: TableHeaderProps) {
  return (
    <thead role="rowgroup" className={styles.header} data-sticky>
      <tr role="row" aria-rowindex={1}>
        {columns.map(({ kind, sortKey, ...column }) => {
          const title = column.title()
          const isSorted = sortKey === sort.by && !isGrouped
          const direction = sort.descending ? 'descending' : 'ascending'
          return (
            <th
              key={title}
              role="columnheader"
              scope="col"
              {...(isSorted && { 'aria-sort': direction })}
              data-column={kind}
            >
              <span className={sortKey && styles.cardTitle}>{title}</span>
              {sortKey && (
                <button
                  type="button"
                  className={styles.sortButton}
                  onClick={() => onSort(toggleSort(sort, sortKey))}
                >
                  {title}
                  {isSorted && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} />}
                </button>
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
