import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { actAfter } from '../../../lib/dom.ts'
import { isolateText } from '../../../lib/isolate.ts'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import { renderHidden, Text } from '../../../ui/message.tsx'
import { formatRecordCount } from '../../model/book/operation.ts'
import type { RecordList } from '../../model/book/sync-employees.ts'
import type { SearchParams } from '../../model/search/search-params.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import { countRows } from '../../model/search/visible-rows.ts'
import styles from './list-count.module.css'

/** Interval of the announcements to screen readers. Most lists have been loaded before the first. */
const announceIntervalMs = 10_000

export function LoadProgress({ list }: { list: RecordList }) {
  const { total } = list
  const count = list.employees.length
  const isLoaded = list.status === 'loaded'
  const { liveRegion, announce } = useLiveRegion()
  const [hasAnnounced, setHasAnnounced] = useState(false)
  const describe = (wide: (parts: string[]) => string) =>
    total === undefined
      ? t('{count, number}<wide> loaded</wide>', { count, wide })
      : t('{count, number} of {total, number}<wide> loaded</wide>', { count, total, wide })

  const announceProgress = useEffectEvent(() => {
    setHasAnnounced(true)
    if (list.status === 'loading') announce(count > 0 ? describe((parts) => parts.join('')) : t('Loading…'))
  })

  useEffect(() => {
    if (isLoaded) return
    const timer = setInterval(announceProgress, announceIntervalMs)
    return () => clearInterval(timer)
  }, [isLoaded])

  useEffect(() => {
    if (isLoaded && hasAnnounced) announce(t('All records loaded.'))
  }, [isLoaded, hasAnnounced, announce])

  return (
    <>
      {!isLoaded && count > 0 && (
        <p className={styles.count}>
          <Text renderValue={(part) => <span className={styles.wide}>{part}</span>}>
            {describe(isolateText)}
          </Text>
        </p>
      )}
      {liveRegion}
    </>
  )
}

/** Debounce of the screen reader's announcement, so that not every keystroke is announced. */
const announceDelayMs = 700

/** The number of records and of rows. Announced when the user has narrowed or widened the table, not when records come and go. */
export function ResultCount({ search: { rows, order, isFiltered } }: { search: SearchResult }) {
  const { employees } = rows
  const counts = { found: countRows(rows), total: employees.length }
  const hidden = { count: counts.total, hidden: isolateText }
  const { liveRegion, announce } = useLiveRegion()
  const announceResult = useEffectEvent(() => {
    announce(
      isFiltered ? t('{found, number} of {total, number} found', counts) : formatRecordCount(counts.total),
    )
  })
  const last = useRef(order)
  useEffect(() => {
    return actAfter(announceDelayMs, () => {
      if (isNarrowedOtherwise(last.current, order)) announceResult()
      last.current = order
    })
  }, [order])

  return (
    <>
      <p className={styles.count} aria-hidden={isFiltered} hidden={employees.length === 0}>
        {isFiltered ? (
          <Text renderValue={(part) => <span className={styles.total}>{part}</span>}>
            {t('{found, number}<wide> of {total, number}</wide>', { ...counts, wide: isolateText })}
          </Text>
        ) : (
          <Text renderValue={renderHidden}>
            {t('{count, plural, one {#<hidden> record</hidden>} other {#<hidden> records</hidden>}}', hidden)}
          </Text>
        )}
      </p>
      {liveRegion}
    </>
  )
}

/** Without the sort order, which is announced by itself, and the list of a leaver, whose banner is. */
const isNarrowedOtherwise = (before: SearchParams, after: SearchParams) =>
  before.query !== after.query || before.issue !== after.issue || (before.leaver && !after.leaver)
