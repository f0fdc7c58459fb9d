import { countRows, type Rows, rowAt } from '../../model/search/visible-rows.ts'
import { getRowHeightPx } from './use-virtual-rows.ts'

const timing = { duration: 140, easing: 'ease-out' } as const

/** Rows come from so many places beyond the viewport at most; those from farther away fade in. */
const maxRowsBeyond = 20

/** Where the rows are, besides the layout: how far the page is scrolled, and the rows are moved down on it, in px. */
interface RowsPosition {
  scrolledPx: number
  shiftPx: number
}

/**
 * Call it when the rows have changed, before the page is scrolled for them, and the returned function after it: the rows in
 * sight slide there from their earlier places on the screen, so that a deleted row collapses, and new ones fade in where they
 * make room. The buttons of the row that takes the place of a deleted one are there at once, for the next press. A search moves
 * nothing.
 */
export function prepareSlide(
  container: HTMLElement,
  before: Rows,
  position: RowsPosition,
): (after: Rows, position: RowsPosition) => void {
  const origin = getOriginPx(container, position)
  return (after, position) => {
    const isSearch = before.employees === after.employees && countRows(before) !== countRows(after)
    if (before === after || countRows(before) === 0 || isSearch || isStill()) return
    const heightPx = getRowHeightPx(container)
    const present = getOriginPx(container, position)
    const earlier = mapIds(before, origin, heightPx, maxRowsBeyond)
    const shown = mapIds(after, present, heightPx, 0)
    for (const [id, index] of shown) {
      const row = container.querySelector<HTMLElement>(`[data-row="${index}"]:not([data-offscreen])`)
      const earlierIndex = earlier.get(id)
      const isNew = earlierIndex === undefined
      const distance = isNew ? 0 : (earlierIndex - index) * heightPx + origin - present
      const successorOf = rowAt(before, index)?.employee.id ?? ''
      const isSuccessor = earlierIndex === index + 1 && earlier.has(successorOf) && !shown.has(successorOf)
      if (isNew) row?.animate({ opacity: [0, 0, 1] }, timing)
      else slideFrom(row, distance)
      if (isSuccessor) slideFrom(row?.lastElementChild, -distance)
    }
  }
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Lets an element slide to its place from so many px below it, unless the user has asked for reduced motion. */
export function slideFrom(element: Element | null | undefined, fromPx: number) {
  if (Math.abs(fromPx) < 1 || isStill()) return
  element?.animate({ transform: [`translateY(${fromPx}px)`, 'none'] }, { ...timing, composite: 'add' })
}

/** The indices of the rows in the viewport, and of some beyond it, by the ids of their records. */
function mapIds(rows: Rows, originPx: number, heightPx: number, beyond: number): Map<string, number> {
  const first = Math.floor(-originPx / heightPx) - beyond
  const last = Math.ceil((innerHeight - originPx) / heightPx) + beyond
  const indices = new Map<string, number>()
  for (let index = Math.max(0, first); index < Math.min(last, countRows(rows)); index++)
    indices.set(rowAt(rows, index)?.employee.id ?? '', index)
  return indices
}

/** Where the rows begin in the viewport, in px, at this position. */
export function getOriginPx(container: HTMLElement, { scrolledPx, shiftPx }: RowsPosition): number {
  const header = container.querySelector('thead')?.offsetHeight ?? 0
  return container.getBoundingClientRect().top + scrollY - scrolledPx + header + shiftPx
}
