/** The row of the table that contains an element; null for the header. */
export function closestRow(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>('[data-row]')
}

export const rowNameId = (id: string) => `name-${id}`

export function findRow(id: string): HTMLElement | null {
  const name = document.getElementById(rowNameId(id))
  return name && closestRow(name)
}

export const countRenderedRows = () => document.querySelectorAll('[data-row]').length

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

/** Scrolls a row into the viewport, to where nothing covers it: neither the table's header nor the form that edits a record. */
export function revealRow(row: HTMLElement | null | undefined): void {
  if (!row) return
  row.scrollIntoView({ block: 'nearest' })
  const form = document.querySelector('form[data-editing="true"]')
  const coveredTo = Math.max(getHeaderBottom(row), form?.getBoundingClientRect().bottom ?? 0)
  const hidden = coveredTo - row.getBoundingClientRect().top
  if (hidden > 0) scrollBy(0, -hidden)
}

/**
 * Keeps a custom property of the parts with `data-sticky` at an element's height. Not of the page: that would restyle all of its
 * elements, which takes 50 ms on a slow laptop. Returns a function that stops and removes the property.
 */
export function observeHeight(element: HTMLElement, property: `--${string}`): () => void {
  let isObserving = true
  const styles = () =>
    Array.from(document.querySelectorAll<HTMLElement>('[data-sticky]'), ({ style }) => style)
  const update = () => {
    const height = `${element.offsetHeight}px`
    if (isObserving) for (const style of styles()) style.setProperty(property, height)
  }
  update()
  // Later, because the property can resize other observed elements, which browsers report as an error of a loop.
  const observer = new ResizeObserver(() => requestAnimationFrame(update))
  observer.observe(element)
  return () => {
    isObserving = false
    observer.disconnect()
    for (const style of styles()) style.removeProperty(property)
  }
}
