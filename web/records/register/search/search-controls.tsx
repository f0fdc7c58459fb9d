import type { Ref } from 'react'
import { t } from '../../../language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { IconSelect } from '../../../ui/icon-select.tsx'
import { formatSort, parseSort, sortKeys } from '../../model/search/search-params.ts'
import { defaultSort, describeSort } from '../../model/search/sort.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import styles from './search-controls.module.css'

/** Offers every sort order; those of the columns stand in the headers of the table too, where it has any. */
export function SortSelect({ search, hasChangeTimes }: { search: SearchResult; hasChangeTimes: boolean }) {
  const { searchParams, setSearchParams, isGrouped } = search
  const offered = sortKeys.filter((by) => by !== 'changed' || hasChangeTimes)
  // The latest changes are wanted more often than the oldest.
  const orders = offered.flatMap((by) =>
    [by === 'changed', by !== 'changed'].map((descending) => ({ by, descending })),
  )
  return (
    <IconSelect
      className={styles.sort}
      icon="arrow-up-down"
      label={t('Sort')}
      value={formatSort(searchParams.sort)}
      options={{
        ...Object.fromEntries(orders.map((order) => [formatSort(order), describeSort(order)])),
        ...(isGrouped && { [formatSort(defaultSort)]: t('By password') }),
      }}
      onChange={(order) => setSearchParams({ ...searchParams, sort: parseSort(order) })}
    />
  )
}

export function ShowAllButton({ ref, search }: { ref?: Ref<HTMLButtonElement>; search: SearchResult }) {
  return (
    <Button ref={ref} onClick={search.showAll}>
      {t('Show all records')}
    </Button>
  )
}
