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
import { countOf, indexOfRow, type Rows, rowAt } from '../search/visible-rows.ts'

/** The row that has the focus, or had it last. It stays in the page however far one scrolls. */
interface Active {
  id: string
  /** Where it stood when it got the focus. */
  index: number
  /** The button within the row; undefined: the row itself. */
  part: string | undefined
  /** The focus is still to be put there. */
  isWanted: boolean
}

/**
 * The keyboard's way through the rows. When the focused row goes (deleted here or by a colleague, or searched away), the
 * focus goes to the same part of the row that took its place, or to what `onEmptied` says when there is none.
 */
export function useRowFocus(box: RefObject<HTMLElement | null>, rows: Rows, onEmptied: () => void) {
  const [active, setActive] = useState<Active | null>(null)
  const hasFocus = useRef(false)
  const count = countOf(rows)
  const found = useMemo(() => placeOf(active, rows), [active, rows])

  function moveTo(index: number, part?: string) {
    const nearest = Math.max(0, Math.min(index, count - 1))
    const row = rowAt(rows, nearest)
    if (row) setActive({ id: row.employee.id, index: nearest, part, isWanted: true })
    else onEmptied()
  }

  useLayoutEffect(() => {
    if (!active?.isWanted || found < 0) return
    const row = box.current?.querySelector<HTMLElement>(`[data-row="${found}"]`)
    const target = active.part ? row?.querySelector<HTMLElement>(`[data-action="${active.part}"]`) : row
    row?.scrollIntoView({ block: 'nearest' })
    target?.focus({ preventScroll: true })
    setActive({ ...active, isWanted: false })
  }, [active, found, box])

  // Who goes on while the row is still to come is not called back to it.
  const isAwaited = active?.isWanted && found < 0
  useEffect(() => {
    if (!isAwaited) return
    const goOn = () => setActive(null)
    for (const sign of signsOfGoingOn) addEventListener(sign, goOn)
    return () => {
      for (const sign of signsOfGoingOn) removeEventListener(sign, goOn)
    }
  }, [isAwaited])

  useEffect(() => {
    if (!active || active.isWanted || found === active.index) return
    if (found >= 0) {
      setActive({ ...active, index: found })
      return
    }
    const isLost = hasFocus.current && !box.current?.contains(document.activeElement)
    setActive(null)
    hasFocus.current = false
    if (isLost) moveTo(active.index, active.part)
  })

  return {
    /** The index of the row that must be in the page; -1: none. */
    activeIndex: found,
    moveTo,
    /** To the row of this record, as soon as there is one. */
    moveToRecord: (id: string) => setActive({ id, index: 0, part: undefined, isWanted: true }),
    onFocus(event: FocusEvent) {
      hasFocus.current = true
      const { row: index } = rowOf(event.target)?.dataset ?? {}
      const row = rowAt(rows, Number(index))
      const part = (event.target as HTMLElement).dataset.action
      if (!row || (row.employee.id === active?.id && part === active.part)) return
      setActive({ id: row.employee.id, index: Number(index), part, isWanted: false })
    },
    onBlur(event: FocusEvent) {
      // A row that is being taken out of the page loses the focus too; then it is not the person who left.
      if (event.relatedTarget || event.target.isConnected) hasFocus.current = false
    },
    /** Arrows and their kin; true where the key was one of them. */
    onKey(event: KeyboardEvent): boolean {
      const step = steps[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
      if (rowOf(event.target as Element)) moveTo(found + step)
      else if (event.key === 'ArrowDown') moveTo(0)
      else return false
      return true
    },
  }
}

const signsOfGoingOn = ['keydown', 'pointerdown']

/** Looks through all rows only where the row is not where it was. */
function placeOf(active: Active | null, rows: Rows): number {
  if (!active) return -1
  return rowAt(rows, active.index)?.employee.id === active.id ? active.index : indexOfRow(rows, active.id)
}

const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** The row in which an element stands; null in the header. */
export function rowOf(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-row]')
}
