import type { Ref } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Text } from '../../../ui/message.tsx'
import { loading } from '../../../ui/messages.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import { useView } from '../../model/view.ts'
import { ShowAllButton } from '../search/search-controls.tsx'
import * as messages from './messages.ts'
import styles from './placeholders.module.css'

export function EmptyState() {
  const { focusForm, setDialog } = useView()
  return (
    <div className={styles.empty}>
      <div className={styles.sketch} aria-hidden="true" />
      <p className={styles.title}>{messages.empty}</p>
      <p>{messages.emptyHint}</p>
      <div className={styles.choices}>
        <Button onClick={focusForm}>{messages.addFirst}</Button>
        <Button onClick={() => setDialog({ kind: 'import' })}>{messages.importSheet}</Button>
      </div>
    </div>
  )
}

interface NoResultsProps {
  search: SearchResult
  showAllButton: Ref<HTMLButtonElement>
}

/** Shown if no record matches the search, or none of them has a password with the issue. */
export function NoResults({ search, showAllButton }: NoResultsProps) {
  const { issue } = search.searchParams
  const query = search.searchParams.query.trim()
  return (
    <div className={styles.empty}>
      {/* The banner of a leaver says it otherwise. */}
      {(query || issue || !search.exposedIds) && (
        <p className={styles.title}>
          <Text>
            {issue ? messages.noIssues(issue) : messages.noResults}
            {query && (
              <>
                {' '}
                {messages.noResultsFor}{' '}
                <q className={styles.query} translate="no">
                  {query}
                </q>
              </>
            )}
          </Text>
        </p>
      )}
      {query && <p>{messages.searchHint}</p>}
      <ShowAllButton ref={showAllButton} search={search} />
    </div>
  )
}

/** Shown until the first rows have been loaded, and while the user is signed out; its bars have the height of rows. */
export function TableSkeleton({ isLoading }: { isLoading: boolean }) {
  return (
    <div aria-busy={isLoading}>
      {isLoading && <p className="visually-hidden">{loading}</p>}
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className={styles.skeletonRow} />
      ))}
    </div>
  )
}
