import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterPaint, listen, whenSettled } from '../../../lib/dom.ts'

/** Rows beyond the viewport, so that a fast scroll shows no blank area. A search paints the others first. */
const maxOverscanRows = 12

/** The height with a mouse, in px; corrected before the first paint. */
const usualRowHeightPx = 38

/**
 * Returns the rows of a long table that are near the viewport, from `first` to `last` (exclusive). All rows have the same
 * height, the custom property `--row-height` of the container, which has to be padded in place of the others. `order` differs
 * after the user has searched or sorted.
 */
export function useVirtualRows(count: number, container: RefObject<HTMLElement | null>, order: unknown) {
  const [viewport, setViewport] = useState(() => ({
    rowsAbove: 0,
    rowsInside: Math.ceil(innerHeight / usualRowHeightPx),
    rowHeightPx: usualRowHeightPx,
  }))
  const overscanRows = useHasPainted(count > 0 ? order : null) ? maxOverscanRows : 0

  useLayoutEffect(() => {
    function measure() {
      const element = container.current
      if (!element) return
      const rowHeightPx = getRowHeightPx(element)
      const rowsAbove = Math.max(0, Math.floor(-element.getBoundingClientRect().top / rowHeightPx))
      const rowsInside = Math.ceil(innerHeight / rowHeightPx)
      setViewport((current) =>
        current.rowsAbove === rowsAbove &&
        current.rowsInside === rowsInside &&
        current.rowHeightPx === rowHeightPx
          ? current
          : { rowsAbove, rowsInside, rowHeightPx },
      )
    }
    // Render before the browser paints the new scroll position; otherwise one frame would be blank.
    const measureSync = () => flushSync(measure)
    measure()
    return listen(window, 'scroll resize', measureSync)
  }, [container])

  const { rowsAbove, rowsInside, rowHeightPx } = viewport
  const last = Math.min(count, rowsAbove + rowsInside + overscanRows)
  const first = Math.max(0, Math.min(rowsAbove, last - rowsInside) - overscanRows)
  return { first, last, paddingTopPx: first * rowHeightPx, paddingBottomPx: (count - last) * rowHeightPx }
}

/** Whether the browser has painted since this was first called with the value. Null is never painted. */
function useHasPainted(value: unknown): boolean {
  const [painted, setPainted] = useState<unknown>(null)
  useEffect(() => {
    if (value !== null) return whenSettled(afterPaint(), () => setPainted(value))
  }, [value])
  return value !== null && painted === value
}

/** `--row-height` is registered as a length (`@property`), so its computed value is in px. */
export function getRowHeightPx(container: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(container).getPropertyValue('--row-height'))
}
