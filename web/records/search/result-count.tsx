import { useEffect, useEffectEvent, useRef } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { actAfter } from '../../lib/dom.ts'
import { useLiveRegion } from '../../ui/live-region.tsx'
import * as messages from './messages.ts'
import styles from './result-count.module.css'
import type { SearchParams } from './search-params.ts'
import type { SearchResult } from './use-search.ts'
import { countRows } from './visible-rows.ts'

/** Debounce of the screen reader's announcement, so that not every keystroke is announced. */
const announceDelayMs = 700

interface ResultCountProps {
  employees: readonly Employee[]
  search: SearchResult
}

/**
 * The number of records and, while the table is narrowed, of its rows. Announced when the user has narrowed or widened it, not
 * when records come and go.
 */
export function ResultCount({ employees, search: { rows, order, isFiltered } }: ResultCountProps) {
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
        {isFiltered ? foundText : totalText}
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
