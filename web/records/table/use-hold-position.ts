import { type MouseEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { closestRow } from '../../lib/dom.ts'
import { indexOfRow, type Rows, rowAt } from '../search/visible-rows.ts'
import { getRowHeightPx } from './use-virtual-rows.ts'

/**
 * Presses are ignored for at most this time after another row has come to the place of a mouse that rests, or of a finger, in
 * ms. `own`: after the user has deleted the row that was there.
 */
const settlingMs = { mouse: 2_000, touch: 600, own: 150 }

/**
 * Keeps the row that the mouse points at, else the focused one, else the first in sight where it is on the screen when rows or
 * what is above them change: scrolls the page and, as far as it can't be scrolled, moves the rows until the mouse leaves them.
 * `order` differs after the user has searched or sorted, which moves the rows. Returns event handlers for the rows.
 */
export function useHoldPosition(container: RefObject<HTMLElement | null>, rows: Rows, order: unknown) {
  const [holder] = useState(() => createHolder(container, rows))
  const shownOrder = useRef(order)
  useLayoutEffect(() => {
    holder.handleRows(rows, shownOrder.current === order)
    shownOrder.current = order
  }, [holder, rows, order])
  useLayoutEffect(() => holder.observe(), [holder])
  return holder.handlers
}

function createHolder(container: RefObject<HTMLElement | null>, initialRows: Rows) {
  const mover = createMover(container)
  let rows = initialRows
  let pointedId: string | undefined
  /** False if the mouse only rests on the rows while the user types elsewhere. */
  let isPointing = false
  let lastPoint = ''
  let pressedId: string | undefined
  let ignoresPressesUntil = 0

  const idOf = (target: EventTarget) =>
    rowAt(rows, Number(closestRow(target as Element)?.dataset.row ?? -1))?.employee.id

  function ignorePresses(otherwiseMs: number) {
    const isOwn = pressedId !== undefined && indexOfRow(rows, pressedId) < 0
    ignoresPressesUntil = performance.now() + (isOwn ? settlingMs.own : otherwiseMs)
  }

  /** Returns whether the row that the mouse points at is still where it was. */
  function holdPointedRow(before: Rows): boolean {
    if (pointedId === undefined) return false
    const index = indexOfRow(rows, pointedId)
    const moved = index - indexOfRow(before, pointedId)
    if (index >= 0 && isPointing) mover.holdRows(moved, true)
    else if (index < 0 || moved !== 0) ignorePresses(settlingMs.mouse)
    if (index < 0) pointedId = undefined
    return index >= 0 && isPointing
  }

  function holdRowInSight(before: Rows) {
    const { first, count } = mover.findRowsInSight()
    const focused = container.current?.querySelector('tbody tr:focus-within:not([data-offscreen])')
    const anchorId = focused ? idOf(focused) : first > 0 ? rowAt(before, first)?.employee.id : undefined
    const index = indexOfRow(rows, anchorId)
    const moved = index < 0 ? 0 : index - indexOfRow(before, anchorId)
    mover.holdRows(moved, false)
    const isSame = (_: unknown, i: number) =>
      rowAt(before, first + i)?.employee.id === rowAt(rows, first + i + moved)?.employee.id
    const isTouch = !matchMedia('(hover: hover)').matches
    if (isTouch && !Array.from({ length: count }).every(isSame)) ignorePresses(settlingMs.touch)
  }

  return {
    handleRows(next: Rows, isSameOrder: boolean) {
      const before = rows
      rows = next
      if (!isSameOrder) mover.release()
      else if (before !== rows && !holdPointedRow(before)) holdRowInSight(before)
    },

    observe() {
      const handleKey = ({ target }: Event) => {
        isPointing &&= container.current?.contains(target as Node) === true
      }
      addEventListener('keydown', handleKey)
      const stop = mover.observeAbove()
      return () => {
        removeEventListener('keydown', handleKey)
        stop?.()
      }
    },

    handlers: {
      onPointerOver({ target, pointerType }: PointerEvent) {
        if (pointerType === 'mouse') pointedId = idOf(target)
      },
      // Browsers also send this event when only the page below the mouse has changed.
      onPointerMove({ screenX, screenY }: PointerEvent) {
        const point = `${screenX} ${screenY}`
        if (point === lastPoint) return
        lastPoint = point
        isPointing = true
        ignoresPressesUntil = 0
      },
      onPointerLeave() {
        pointedId = undefined
        mover.release()
      },
      onClickCapture(event: MouseEvent) {
        if (event.detail > 0 && event.timeStamp < ignoresPressesUntil) return event.stopPropagation()
        isPointing = true
        pressedId = idOf(event.target)
      },
    },
  }
}

/** Moves the page, or the rows on it. */
function createMover(container: RefObject<HTMLElement | null>) {
  /** How far the rows are moved down on the page. */
  let shiftPx = 0

  function setShift(px: number) {
    shiftPx = Math.abs(px) < 1 ? 0 : px
    const body = container.current?.querySelector('tbody')
    if (body) body.style.translate = shiftPx === 0 ? '' : `0 ${shiftPx}px`
  }

  /** Undoes a move by `movedPx` down. Without `canShift`, as far as the page can be scrolled. */
  function hold(movedPx: number, canShift: boolean) {
    const before = scrollY
    const wantedPx = canShift ? movedPx - shiftPx : movedPx
    if (wantedPx !== 0) scrollBy({ top: wantedPx, behavior: 'instant' })
    if (canShift) setShift(scrollY - before - wantedPx)
  }

  return {
    release: () => setShift(0),

    holdRows(moved: number, canShift: boolean) {
      if (container.current) hold(moved * getRowHeightPx(container.current), canShift)
    },

    /** The index of the first row that is wholly below the header, and the number of rows that fit below it. */
    findRowsInSight() {
      const row = container.current?.querySelector<HTMLElement>('[data-row]:not([data-offscreen])')
      const header = container.current?.querySelector('th')
      if (!container.current || !row || !header) return { first: 0, count: 0 }
      const heightPx = getRowHeightPx(container.current)
      const headerPx = header.getBoundingClientRect().bottom
      const toFirstPx = headerPx - row.getBoundingClientRect().top
      const first = Number(row.dataset.row) + Math.ceil(toFirstPx / heightPx - 0.1)
      return { first: Math.max(0, first), count: Math.ceil((innerHeight - headerPx) / heightPx) }
    },

    /** Holds the rows while what is above them changes its height, if they are in use or it is out of sight. */
    observeAbove() {
      const element = container.current
      const main = element?.closest('main')
      if (!element || !main) return
      const getOffset = () => element.getBoundingClientRect().top + scrollY
      let offset = getOffset()
      const observer = new ResizeObserver(() => {
        const moved = getOffset() - offset
        offset += moved
        const isPointed = isInUse(element) && element.matches(':hover')
        if (moved !== 0 && (offset < scrollY || isInUse(element))) hold(moved, isPointed)
      })
      for (const part of [main, ...main.children]) observer.observe(part)
      return () => observer.disconnect()
    },
  }
}

function isInUse(element: HTMLElement): boolean {
  const { activeElement } = document
  if (activeElement !== document.body && !element.contains(activeElement)) return false
  return element.matches(':hover, :focus-within')
}
