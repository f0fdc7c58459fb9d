import {
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { listen } from '../../../lib/dom.ts'
import { hasModifier } from '../../../lib/presses/key-press.ts'
import { countRows, indexOfRow, type Rows, rowAt } from '../../model/search/visible-rows.ts'
import { closestRow, revealRow } from '../elements.ts'

/** The row that has or last had the focus. It stays rendered when it is scrolled out of the viewport. */
interface ActiveRow {
  id: string
  /** The row's index in the last render. */
  index: number
  /** The `data-action` of the focused button; undefined if the row itself has the focus. */
  action: string | undefined
  /** The row has to be focused as soon as it is rendered. */
  isFocusPending: boolean
}

export type RowFocus = ReturnType<typeof useRowFocus>

/**
 * Keyboard navigation between rows. When the focused row disappears (deleted, or excluded by the search), the focus moves
 * to the same button of the row that takes its place. If no row is left, `onEmptied` is called.
 */
export function useRowFocus(rows: Rows, onEmptied: () => void) {
  const container = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<ActiveRow | null>(null)
  const hasFocus = useRef(false)
  const count = countRows(rows)
  const activeIndex = useMemo(() => findActiveIndex(active, rows), [active, rows])

  function moveTo(index: number, action?: string) {
    const clampedIndex = Math.max(0, Math.min(index, count - 1))
    const row = rowAt(rows, clampedIndex)
    if (row) setActive({ id: row.employee.id, index: clampedIndex, action, isFocusPending: true })
    else onEmptied()
  }

  useLayoutEffect(() => {
    if (!active?.isFocusPending || activeIndex < 0) return
    const row = container.current?.querySelector<HTMLElement>(`[data-row="${activeIndex}"]`)
    const target = active.action ? row?.querySelector<HTMLElement>(`[data-action="${active.action}"]`) : row
    revealRow(row)
    target?.focus({ preventScroll: true })
    setActive({ ...active, isFocusPending: false })
    // If this update has changed the height of something above, `useHoldPosition` scrolls in the next frame. Correct that after it.
    const scrollAgain = () => target && document.activeElement === target && revealRow(row)
    requestAnimationFrame(() => requestAnimationFrame(scrollAgain))
  }, [active, activeIndex])

  // Cancel the pending focus if the user interacts before the row exists.
  const isAwaitingRow = active?.isFocusPending && activeIndex < 0
  useEffect(() => {
    if (isAwaitingRow) return listen(window, 'keydown pointerdown', () => setActive(null))
  }, [isAwaitingRow])

  const moveToSuccessor = useEffectEvent(({ index, action }: ActiveRow) => moveTo(index, action))
  useEffect(() => {
    if (!active || active.isFocusPending || activeIndex === active.index) return
    if (activeIndex >= 0) {
      setActive({ ...active, index: activeIndex })
      return
    }
    const isFocusLost = hasFocus.current && !container.current?.contains(document.activeElement)
    setActive(null)
    hasFocus.current = false
    if (isFocusLost) moveToSuccessor(active)
  }, [active, activeIndex])

  return {
    container,
    /** The index of the row that must stay rendered; -1 if there is none. */
    activeIndex,
    moveTo,
    /** Focuses a record's row as soon as the row exists. */
    moveToRecord: (id: string) => setActive({ id, index: 0, action: undefined, isFocusPending: true }),
    /** Focuses the row that had the focus last. Returns false if there is none. */
    returnToRow(): boolean {
      if (activeIndex >= 0) moveTo(activeIndex)
      return activeIndex >= 0
    },
    onFocus(event: FocusEvent) {
      hasFocus.current = true
      const element = closestRow(event.target)
      // Not under the pointer, which is about to press what it points at.
      if (event.target.matches(':focus-visible')) revealRow(element)
      const { row: index } = element?.dataset ?? {}
      const row = rowAt(rows, Number(index))
      const action = (event.target as HTMLElement).dataset.action
      if (!row || (row.employee.id === active?.id && action === active.action)) return
      setActive({ id: row.employee.id, index: Number(index), action, isFocusPending: false })
    },
    onBlur(event: FocusEvent) {
      // A row that is being removed blurs too. Then the user has not left the table.
      if (event.relatedTarget || event.target.isConnected) hasFocus.current = false
    },
    /** Handles arrow keys, Page Up, Page Down, Home and End. Returns true if the key is one of them. */
    handleKey(event: KeyboardEvent): boolean {
      if (hasModifier(event)) return false
      const row = closestRow(event.target as Element)
      const step = rowStepByKey[event.key]
      if (step === undefined) return row !== null && moveWithinRow(row, event.key)
      if (row) moveTo(activeIndex + step)
      else if (event.key === 'ArrowDown') moveTo(0)
      else return false
      return true
    },
  }
}

/** Checks the last index first, because a search through all rows is slow. */
function findActiveIndex(active: ActiveRow | null, rows: Rows): number {
  if (!active) return -1
  return rowAt(rows, active.index)?.employee.id === active.id ? active.index : indexOfRow(rows, active.id)
}

const rowStepByKey: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * Moves the focus along a row and its buttons, in the direction of the arrow; the checkbox is before the row itself. Returns false if the key is none, and if
 * something else in the row has the focus, which may scroll.
 */
function moveWithinRow(row: HTMLElement, key: string): boolean {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return false
  const [checkbox, ...buttons] = row.querySelectorAll<HTMLElement>('[data-action]')
  const stops = [checkbox, row, ...buttons]
  const index = stops.indexOf(document.activeElement as HTMLElement)
  if (index < 0) return false
  const isForward = (key === 'ArrowRight') === (getComputedStyle(row).direction === 'ltr')
  stops[index + (isForward ? 1 : -1)]?.focus()
  return true
}
