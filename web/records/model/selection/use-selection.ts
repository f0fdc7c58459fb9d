import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Employee } from '../../../../contract/employees.ts'
import { listen } from '../../../lib/dom.ts'
import { getShortcutKey, isCommandKey } from '../../../lib/presses/key-press.ts'
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
  const [outcome, setOutcome] = useState({ ids: none, text: '' })
  if (!isEnabled && selectedIds.size > 0) setIds(none)
  const { employees } = rows
  const records = useMemo(
    () => (selectedIds.size === 0 ? [] : employees.filter(({ id }) => selectedIds.has(id))),
    [employees, selectedIds],
  )
  const hiddenCount = useMemo(() => countHidden(records, rows, selectedIds), [records, rows, selectedIds])

  function selectAll() {
    if (isEnabled) setIds(new Set([...selectedIds, ...listEmployees(rows).map(({ id }) => id)]))
  }

  useSelectAllKeys(rows, selectAll)

  return {
    rows,
    /** In the order of creation. */
    records: records as readonly Employee[],
    ids: selectedIds,
    /** How many of them the table does not show. */
    hiddenCount,
    /** What a command says that it has done to this very selection. */
    outcome: outcome.ids === selectedIds ? outcome.text : '',
    /** Whether the table shows no other records. */
    isAll: records.length - hiddenCount === countRows(rows),
    selectAll,
    setOutcome: (text: string) => setOutcome({ ids: selectedIds, text }),
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

/** Calls `selectAll` on Ctrl+A or ⌘A for the page as a whole, if the table shows any rows. */
function useSelectAllKeys(rows: Rows, selectAll: () => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isCommandKey(event) || getShortcutKey(event) !== 'a' || !isForPage(event) || countRows(rows) === 0)
      return
    event.preventDefault()
    selectAll()
  })
  useEffect(() => listen(window, 'keydown', onKeyDown), [])
}

/** How many of the selected records the table does not show. */
function countHidden(records: readonly Employee[], rows: Rows, selectedIds: ReadonlySet<string>): number {
  if (records.length === 0 || !rows.indices) return 0
  return records.length - listEmployees(rows).filter(({ id }) => selectedIds.has(id)).length
}
