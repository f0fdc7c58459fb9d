import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { countRows, indexOfRow, type Rows, rowAt } from '../search/visible-rows.ts'

/** The row that has the focus, or had it last. It stays in the page however far one scrolls. */
interface ActiveRow {
  id: string
  /** Where it stood when it got the focus. */
  index: number
  /** The button within the row; undefined: the row itself. */
  action: string | undefined
  /** The focus is still to be put there. */
  isFocusPending: boolean
}

/**
 * The keyboard's way through the rows. When the focused row goes (deleted here or by a colleague, or searched away), the
 * focus goes to the same part of the row that took its place, or to what `onEmptied` says when there is none.
 */
export function useRowFocus(container: RefObject<HTMLElement | null>, rows: Rows, onEmptied: () => void) {
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
    row?.scrollIntoView({ block: 'nearest' })
    target?.focus({ preventScroll: true })
    setActive({ ...active, isFocusPending: false })
  }, [active, activeIndex, container])

  // Who goes on while the row is still to come is not called back to it.
  const isAwaitingRow = active?.isFocusPending && activeIndex < 0
  useEffect(() => {
    if (!isAwaitingRow) return
    const cancel = () => setActive(null)
    for (const eventType of userInputEvents) addEventListener(eventType, cancel)
    return () => {
      for (const eventType of userInputEvents) removeEventListener(eventType, cancel)
    }
  }, [isAwaitingRow])

  useEffect(() => {
    if (!active || active.isFocusPending || activeIndex === active.index) return
    if (activeIndex >= 0) {
      setActive({ ...active, index: activeIndex })
      return
    }
    const isFocusLost = hasFocus.current && !container.current?.contains(document.activeElement)
    setActive(null)
    hasFocus.current = false
    if (isFocusLost) moveTo(active.index, active.action)
  })

  return {
    /** The index of the row that must be in the page; -1: none. */
    activeIndex,
    moveTo,
    /** To the row of this record, as soon as there is one. */
    moveToRecord: (id: string) => setActive({ id, index: 0, action: undefined, isFocusPending: true }),
    onFocus(event: FocusEvent) {
      hasFocus.current = true
      const { row: index } = closestRow(event.target)?.dataset ?? {}
      const row = rowAt(rows, Number(index))
      const action = (event.target as HTMLElement).dataset.action
      if (!row || (row.employee.id === active?.id && action === active.action)) return
      setActive({ id: row.employee.id, index: Number(index), action, isFocusPending: false })
    },
    onBlur(event: FocusEvent) {
      // A row that is being taken out of the page loses the focus too; then it is not the person who left.
      if (event.relatedTarget || event.target.isConnected) hasFocus.current = false
    },
    /** Arrows and their kin; true where the key was one of them. */
    handleKey(event: KeyboardEvent): boolean {
      const step = rowStepByKey[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
      if (closestRow(event.target as Element)) moveTo(activeIndex + step)
      else if (event.key === 'ArrowDown') moveTo(0)
      else return false
      return true
    },
  }
}

const userInputEvents = ['keydown', 'pointerdown']

/** Looks through all rows only where the row is not where it was. */
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

/** The row in which an element stands; null in the header. */
export function closestRow(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-row]')
}
