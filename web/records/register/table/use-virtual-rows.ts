import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterPaint, listen, whenSettled } from '../../../lib/dom.ts'

/** Rows rendered above and below the viewport, so that a fast scroll shows no blank area. */
const maxOverscanRows = 12

/** The height with a mouse, in px; corrected before the first paint. */
const usualRowHeightPx = 38

/**
 * Returns the rows of a long table that are near the viewport, from `first` to `last` (exclusive). All rows have the same
 * height, the custom property `--row-height` of the container, which has to be padded in place of the others.
 */
export function useVirtualRows(count: number, container: RefObject<HTMLElement | null>) {
  const [viewport, setViewport] = useState(() => ({
    first: 0,
    renderedRows: Math.ceil(innerHeight / usualRowHeightPx),
    rowHeightPx: usualRowHeightPx,
  }))
  const overscanRows = useHasPainted(count > 0) ? maxOverscanRows : 0

  useLayoutEffect(() => {
    function measure() {
      const element = container.current
      if (!element) return
      const rowHeightPx = getRowHeightPx(element)
      const rowsAbove = Math.floor(-element.getBoundingClientRect().top / rowHeightPx)
      const first = Math.max(0, rowsAbove - overscanRows)
      const renderedRows = Math.ceil(innerHeight / rowHeightPx) + 2 * overscanRows
      setViewport((current) =>
        current.first === first &&
        current.renderedRows === renderedRows &&
        current.rowHeightPx === rowHeightPx
          ? current
          : { first, renderedRows, rowHeightPx },
      )
    }
    // Render before the browser paints the new scroll position; otherwise one frame would be blank.
    const measureSync = () => flushSync(measure)
    measure()
    return listen(window, 'scroll resize', measureSync)
  }, [container, overscanRows])

  const last = Math.min(count, viewport.first + viewport.renderedRows)
  const first = Math.max(0, Math.min(viewport.first, last - viewport.renderedRows))
  return {
    first,
    last,
    paddingTopPx: first * viewport.rowHeightPx,
    paddingBottomPx: (count - last) * viewport.rowHeightPx,
  }
}

/** Whether the browser has painted since this was called with true. */
function useHasPainted(isShown: boolean): boolean {
  const [hasPainted, setHasPainted] = useState(false)
  useEffect(() => {
    if (isShown) return whenSettled(afterPaint(), () => setHasPainted(true))
  }, [isShown])
  return hasPainted
}

/** `--row-height` is registered as a length (`@property`), so its computed value is in px. */
export function getRowHeightPx(container: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(container).getPropertyValue('--row-height'))
}
