import type { Ref } from 'react'
import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'
import { Text } from '../../../ui/message.tsx'
import type { SearchResult } from '../../model/search/use-search.ts'
import { ShowAllButton } from '../search/search-controls.tsx'
import styles from './placeholders.module.css'

interface NoResultsProps {
  search: SearchResult
  showAllButton: Ref<HTMLButtonElement>
}

/** Shown if no record matches the search, or none of them has a password with the issue. */
export function NoResults({ search, showAllButton }: NoResultsProps) {
  const issue = search.searchParams.issue ?? 'none'
  const query = search.searchParams.query.trim()
  return (
    <div className={styles.empty}>
      {/* The banner of a leaver says it otherwise. */}
      {(query || issue !== 'none' || !search.exposedIds) && (
        <p className={styles.title}>
          <Text renderValue={renderQuery}>
            {query
              ? t(
                  '{issue, select, weak {No weak passwords for {query}} reused {No reused passwords for {query}} old {No old passwords for {query}} other {No results for {query}}}',
                  { issue, query: isolate(query) },
                )
              : t(
                  '{issue, select, weak {No weak passwords} reused {No reused passwords} old {No old passwords} other {No results}}',
                  { issue },
                )}
          </Text>
        </p>
      )}
      {query && <p>{t('Search looks at names and emails.')}</p>}
      <ShowAllButton ref={showAllButton} search={search} />
    </div>
  )
}

const renderQuery = (query: string) => (
  <q className={styles.query} translate="no">
    {query}
  </q>
)

/** Shown until the first rows have been loaded; its bars have the height of rows. */
export function TableSkeleton() {
  return (
    <div aria-busy="true">
      <p className="visually-hidden">{t('Loading…')}</p>
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className={styles.skeletonRow} />
      ))}
    </div>
  )
}
