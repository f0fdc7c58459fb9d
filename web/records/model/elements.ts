import type { PointerEvent } from 'react'

/** The row of the table that contains an element; null for the header. */
export function closestRow(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-row]')
}

/** The id of the element with the name of a record, in its row. */
export const rowNameId = (id: string) => `name-${id}`

/** Returns the row of a record, if it is rendered. */
export function findRow(id: string): HTMLElement | null {
  const name = document.getElementById(rowNameId(id))
  return name && closestRow(name)
}

/** Where the table's header ends in the viewport, in px; above cards, which have none, the toolbar. */
export function getHeaderBottom(tablePart: Element): number {
  const section = tablePart.closest('section')
  const [toolbar, header] = ['header', 'th'].map((part) =>
    section?.querySelector(part)?.getBoundingClientRect(),
  )
  return header?.bottom || toolbar?.bottom || 0
}

/** Whether a record's row is in the viewport, and not beneath the table's header. */
export function isRowInViewport(id: string): boolean {
  const row = findRow(id)
  if (!row || !isInViewport(row)) return false
  return row.getBoundingClientRect().top >= Math.floor(getHeaderBottom(row))
}

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

/** Handles `onPointerEnter` of an element: a text that is cut off gets a title, any other gets none. */
export function showClippedTitle({ currentTarget }: PointerEvent<HTMLElement>): void {
  const text = currentTarget.querySelector('bdi') ?? currentTarget
  if (text.scrollWidth > text.clientWidth) currentTarget.title = text.textContent ?? ''
  else currentTarget.removeAttribute('title')
}
