import type { PointerEvent } from 'react'

/** Whether the element's full height is inside the viewport. */
export function isInViewport(element: Element | null | undefined): boolean {
  if (!element) return false
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Keeps a custom property of the page at an element's height. Returns a function that stops and removes the property. */
export function observeHeight(element: HTMLElement, property: `--${string}`): () => void {
  const { style } = document.documentElement
  let isObserving = true
  const update = () => isObserving && style.setProperty(property, `${element.offsetHeight}px`)
  update()
  // Later, because the property can resize other observed elements, which browsers report as an error of a loop.
  const observer = new ResizeObserver(() => requestAnimationFrame(update))
  observer.observe(element)
  return () => {
    isObserving = false
    observer.disconnect()
    style.removeProperty(property)
  }
}

/** Hidden tabs are never painted, so resolve after this time, in ms. */
const maxWaitMs = 100

/** Resolves once the current rendering has been painted, so that long work after it does not delay the paint. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    globalThis.requestAnimationFrame?.(() => setTimeout(resolve))
    setTimeout(resolve, maxWaitMs)
  })
}

/** The row of the table that contains an element; null for the header. */
export function closestRow(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-row]')
}

/** Handles `onPointerEnter` of an element: a text that is cut off gets a title, any other gets none. */
export function showClippedTitle({ currentTarget }: PointerEvent<HTMLElement>): void {
  const text = currentTarget.querySelector('bdi') ?? currentTarget
  if (text.scrollWidth > text.clientWidth) currentTarget.title = text.textContent ?? ''
  else currentTarget.removeAttribute('title')
}
