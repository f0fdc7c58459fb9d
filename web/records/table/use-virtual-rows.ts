import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** The rows to render: `first` inclusive, `last` exclusive, and the room that the others take, in px. */
export interface RowWindow {
  first: number
  last: number
  above: number
  below: number
}

/** Rows beyond each edge of the screen, so that a fast scroll finds them there. */
const overscan = 12

/**
 * Follows the page's scrolling and says which rows of a long table are on the screen. All rows have one height, the
 * custom property `--row-height` of the box; the box holds the table and is padded by `above` and `below`.
 */
export function useRowWindow(count: number, box: RefObject<HTMLElement | null>): RowWindow {
  const [view, setView] = useState({ first: 0, screenful: 40, height: 52 })

  useLayoutEffect(() => {
    function measure() {
      const element = box.current
      if (!element) return
      const height = rowHeightOf(element)
      const above = Math.floor(-element.getBoundingClientRect().top / height)
      const first = Math.max(0, above - overscan)
      const screenful = Math.ceil(innerHeight / height) + 2 * overscan
      setView((view) =>
        view.first === first && view.screenful === screenful && view.height === height
          ? view
          : { first, screenful, height },
      )
    }
    // Before the browser paints what was scrolled to: a rendering of its own would come a frame late, and blank.
    const measureNow = () => flushSync(measure)
    measure()
    addEventListener('scroll', measureNow, { passive: true })
    addEventListener('resize', measureNow)
    return () => {
      removeEventListener('scroll', measureNow)
      removeEventListener('resize', measureNow)
    }
  }, [box])

  const last = Math.min(count, view.first + view.screenful)
  const first = Math.max(0, Math.min(view.first, last - view.screenful))
  return { first, last, above: first * view.height, below: (count - last) * view.height }
}

/** The custom property is registered as a length, so its computed value is in px. */
function rowHeightOf(box: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(box).getPropertyValue('--row-height'))
}
