import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { listen } from '../../../lib/dom.ts'
import { isForPage } from '../keys/use-page-shortcuts.ts'
import { countRows, indexOfRow, listEmployees, type Rows, rowAt } from '../search/visible-rows.ts'

export type Selection = ReturnType<typeof useSelection>

const none: ReadonlySet<string> = new Set()

/** The selected records. They stay so while the table is searched, sorted or changed. None while not enabled. */
export function useSelection(rows: Rows, isEnabled: boolean) {
  const [selectedIds, setIds] = useState(none)
  /** The row that was selected or deselected last, and those of the range that begins there. */
  const [anchorId, setAnchorId] = useState<string>()
  const [rangeIds, setRangeIds] = useState<readonly string[]>([])
  if (!isEnabled && selectedIds.size > 0) setIds(none)
  const { employees } = rows
  const records = useMemo(
    () => (selectedIds.size === 0 ? [] : employees.filter(({ id }) => selectedIds.has(id))),
    [employees, selectedIds],
  )
  const hiddenCount = useMemo(() => {
    if (records.length === 0 || !rows.indices) return 0
    return records.length - listEmployees(rows).filter(({ id }) => selectedIds.has(id)).length
  }, [records, rows, selectedIds])

  function selectAll() {
    if (isEnabled) setIds(new Set([...selectedIds, ...listEmployees(rows).map(({ id }) => id)]))
  }

  const onSelectAll = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!isCommand || event.key.toLowerCase() !== 'a' || !isForPage(event) || countRows(rows) === 0) return
    event.preventDefault()
    selectAll()
  })
  useEffect(() => listen(window, 'keydown', onSelectAll), [])

  return {
    /** In the order of creation. */
    records: records as readonly Employee[],
    ids: selectedIds,
    /** How many of them the table does not show. */
    hiddenCount,
    toggle(id: string) {
      const next = new Set(selectedIds)
      if (!next.delete(id)) next.add(id)
      setIds(next)
      setAnchorId(id)
      setRangeIds([])
    },
    /** Selects the rows from the last one that was toggled, or else from `start`, to this one, instead of an earlier range. */
    extendTo(index: number, start = index) {
      const toggled = indexOfRow(rows, anchorId)
      const anchor = toggled < 0 ? start : toggled
      const [from, to] = [Math.min(anchor, index), Math.max(anchor, index)]
      const range = Array.from({ length: to - from + 1 }, (_, i) => rowAt(rows, from + i)?.employee.id ?? '')
      const before = new Set(rangeIds)
      setIds(new Set([...selectedIds].filter((id) => !before.has(id)).concat(range)))
      setRangeIds(range)
      if (toggled < 0) setAnchorId(rowAt(rows, start)?.employee.id)
    },
    clear() {
      setIds(none)
      setAnchorId(undefined)
      setRangeIds([])
    },
  }
}
