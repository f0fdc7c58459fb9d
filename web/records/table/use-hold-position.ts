import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps the rows where they are on the screen while the user points at them, has the focus in them, or has scrolled what is
 * above them out of sight: scrolls the page by as much as something above them changes its height.
 */
export function useHoldPosition(container: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = container.current
    const main = element?.closest('main')
    if (!element || !main) return
    const getOffset = () => element.getBoundingClientRect().top + scrollY
    let offset = getOffset()
    const observer = new ResizeObserver(() => {
      const moved = getOffset() - offset
      offset += moved
      if (moved !== 0 && (offset < scrollY || isInUse(element))) scrollBy({ top: moved, behavior: 'instant' })
    })
    for (const part of [main, ...main.children]) observer.observe(part)
    return () => observer.disconnect()
  }, [container])
}

function isInUse(element: HTMLElement): boolean {
  const { activeElement } = document
  if (activeElement !== document.body && !element.contains(activeElement)) return false
  return element.matches(':hover, :focus-within')
}
