import { isInViewport } from '../lib/dom.ts'

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
