import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { actAfter } from '../../../lib/dom.ts'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import { Text } from '../../../ui/message.tsx'
import { loading } from '../../../ui/messages.ts'
import type { RecordList } from '../../model/book/sync-employees.ts'
import * as messages from '../../model/search/messages.ts'
import type { SearchParams } from '../../model/search/search-params.ts'
import type { SearchResult } from '../../model/search/use-search.ts'
import { countRows } from '../../model/search/visible-rows.ts'
import styles from './list-count.module.css'

/** Interval of the announcements to screen readers. Most lists have been loaded before the first. */
const announceIntervalMs = 10_000

/** Tells how much of the list has been loaded, until all of it has. */
export function LoadProgress({ list }: { list: RecordList }) {
  const { total } = list
  const count = list.employees.length
  const isLoaded = list.status === 'loaded'
  const { liveRegion, announce } = useLiveRegion()
  const [hasAnnounced, setHasAnnounced] = useState(false)
  const ofTotal = total === undefined ? '' : messages.ofTotal(total.toLocaleString())
  const text = `${count.toLocaleString()}${ofTotal}`

  const announceProgress = useEffectEvent(() => {
    setHasAnnounced(true)
    announce(count > 0 ? text + messages.loaded : loading)
  })

  useEffect(() => {
    if (isLoaded) return
    const timer = setInterval(announceProgress, announceIntervalMs)
    return () => clearInterval(timer)
  }, [isLoaded])

  useEffect(() => {
    if (isLoaded && hasAnnounced) announce(messages.allLoaded)
  }, [isLoaded, hasAnnounced, announce])

  return (
    <>
      {!isLoaded && count > 0 && (
        <p className={styles.count}>
          <Text>{text}</Text>
          <span className={styles.wide}>{messages.loaded}</span>
        </p>
      )}
      {liveRegion}
    </>
  )
}

/** Debounce of the screen reader's announcement, so that not every keystroke is announced. */
const announceDelayMs = 700

/**
 * The number of records and, while the table is narrowed, of its rows. Announced when the user has narrowed or widened it, not
 * when records come and go.
 */
export function ResultCount({ search: { rows, order, isFiltered } }: { search: SearchResult }) {
  const { employees } = rows
  const totalText = employees.length.toLocaleString()
  const foundText = countRows(rows).toLocaleString()
  const recordsText = messages.records(employees.length)
  const { liveRegion, announce } = useLiveRegion()
  const announceResult = useEffectEvent(() => {
    announce(isFiltered ? messages.found(foundText, totalText) : totalText + recordsText)
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
        <Text>{isFiltered ? foundText : totalText}</Text>
        {isFiltered && <span className={styles.total}>{messages.ofTotal(totalText)}</span>}
        {!isFiltered && <span className="visually-hidden">{recordsText}</span>}
      </p>
      {liveRegion}
    </>
  )
}

/** Without the sort order, which is announced by itself, and the list of a leaver, whose banner is. */
const isNarrowedOtherwise = (before: SearchParams, after: SearchParams) =>
  before.query !== after.query || before.issue !== after.issue || (before.leaver && !after.leaver)
