import { useEffect, useRef, useState } from 'react'
import { type Employee, hasSameFields } from '../../../contract/employees.ts'
import { t } from '../../language/translate.ts'
import { listen } from '../../lib/dom.ts'
import type { RecordList } from '../model/book/sync-employees.ts'
import { type Entry, isUnsaved } from '../model/outbox/entry.ts'

/** The title of the tab: how much is unsaved, and whether a colleague has changed something while the tab was hidden. */
export function usePageTitle({ employees, status }: RecordList, entries: readonly Entry[]): void {
  const unsaved = entries.filter(isUnsaved).length
  const isSending = entries.some(({ state }) => state === 'sending')
  const hasNews = useHiddenChanges(employees, status === 'loaded' && !isSending)

  useEffect(() => {
    const prefix =
      (hasNews ? '● ' : '') + (unsaved > 0 ? `${t('({count, number} unsaved)', { count: unsaved })} ` : '')
    document.title = `${prefix}${t('Employee Records')} · Staffbook`
  }, [hasNews, unsaved])
}

/** Whether the records have changed while the tab was hidden and `isWatching`, until the tab is visible again. */
function useHiddenChanges(book: readonly Employee[], isWatching: boolean): boolean {
  const [hasChanges, setHasChanges] = useState(false)
  const seen = useRef({ book, isWatching })

  useEffect(() => {
    const before = seen.current
    seen.current = { book, isWatching }
    // The end of an own operation may be rendered together with its result.
    const isByOthers = before.isWatching && isWatching
    if (isByOthers && document.hidden && !hasSameRecords(before.book, book)) setHasChanges(true)
  }, [book, isWatching])

  useEffect(() => listen(document, 'visibilitychange', () => document.hidden || setHasChanges(false)), [])

  return hasChanges
}

/** A reconnect loads the list again, mostly with the same records. */
function hasSameRecords(a: readonly Employee[], b: readonly Employee[]): boolean {
  const isSame = (employee: Employee, i: number) => {
    const other = b[i]
    return other?.id === employee.id && hasSameFields(employee, other)
  }
  return a.length === b.length && a.every(isSame)
}
