import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** The rows to render: `first` inclusive, `last` exclusive, and the room that the others take, in px. */
export interface VirtualRows {
  first: number
  last: number
  paddingTopPx: number
  paddingBottomPx: number
}

/** Rows beyond each edge of the screen, so that a fast scroll finds them there. */
const overscanRows = 12

/**
 * Follows the page's scrolling and says which rows of a long table are on the screen. All rows have one height, the
 * custom property `--row-height` of the box; the box holds the table and is padded by `above` and `below`.
 */
export function useVirtualRows(count: number, container: RefObject<HTMLElement | null>): VirtualRows {
  const [viewport, setViewport] = useState({ first: 0, screenful: 40, height: 52 })

  useLayoutEffect(() => {
    function measure() {
      const element = container.current
      if (!element) return
      const height = getRowHeightPx(element)
      const rowsAbove = Math.floor(-element.getBoundingClientRect().top / height)
      const first = Math.max(0, rowsAbove - overscanRows)
      const screenful = Math.ceil(innerHeight / height) + 2 * overscanRows
      setViewport((current) =>
        current.first === first && current.screenful === screenful && current.height === height
          ? current
          : { first, screenful, height },
      )
    }
    // Before the browser paints what was scrolled to: a rendering of its own would come a frame late, and blank.
    const measureSync = () => flushSync(measure)
    measure()
    addEventListener('scroll', measureSync, { passive: true })
    addEventListener('resize', measureSync)
    return () => {
      removeEventListener('scroll', measureSync)
      removeEventListener('resize', measureSync)
    }
  }, [container])

  const last = Math.min(count, viewport.first + viewport.screenful)
  const first = Math.max(0, Math.min(viewport.first, last - viewport.screenful))
  return {
    first,
    last,
    paddingTopPx: first * viewport.height,
    paddingBottomPx: (count - last) * viewport.height,
  }
}

/** The custom property is registered as a length, so its computed value is in px. */
function getRowHeightPx(container: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(container).getPropertyValue('--row-height'))
}
