import { type MouseEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { listen } from '../../lib/dom.ts'
import { closestRow, getHeaderBottom } from '../elements.ts'
import { indexOfRow, type Rows, rowAt } from '../search/visible-rows.ts'
import { getOriginPx, prepareSlide } from './slide-rows.ts'
import { getRowHeightPx } from './use-virtual-rows.ts'

/**
 * Presses are ignored for at most this time after another row has come to the place of a mouse that rests, or of a finger, in
 * ms. `own`: after the user has deleted the row that was there; counted from the press if the row is gone so soon.
 */
const settlingMs = { mouse: 2_000, touch: 600, own: 150 }

/**
 * Keeps the row that the mouse points at, else the focused one, else the first in sight where it is on the screen when rows or
 * what is above them change: scrolls the page and, as far as it can't be scrolled, moves the rows until the mouse leaves them.
 * `order` differs after the user has searched or sorted, which moves the rows. Returns event handlers for the rows.
 */
export function useHoldPosition(container: RefObject<HTMLElement | null>, rows: Rows, order: unknown) {
  const [holder] = useState(() => new RowHolder(container, rows))
  const shownOrder = useRef(order)
  useLayoutEffect(() => {
    const slide = container.current && prepareSlide(container.current, holder.rows)
    holder.handleRows(rows, shownOrder.current === order)
    slide?.(rows)
    shownOrder.current = order
  }, [container, holder, rows, order])
  useLayoutEffect(() => holder.observe(), [holder])
  return holder.handlers
}

class RowHolder {
  readonly #container: RefObject<HTMLElement | null>
  readonly #mover: Mover
  #rows: Rows
  #pointedId: string | undefined
  /** False if the mouse only rests on the rows while the user types elsewhere. */
  #isPointing = false
  #lastPoint = ''
  #pressedId: string | undefined
  #pressedAtMs = 0
  #ignoresPressesUntil = 0

  constructor(container: RefObject<HTMLElement | null>, rows: Rows) {
    this.#container = container
    this.#mover = createMover(container, () => this.#ignorePresses())
    this.#rows = rows
  }

  /** The rows that were handled last. */
  get rows(): Rows {
    return this.#rows
  }

  handleRows(rows: Rows, isSameOrder: boolean): void {
    const before = this.#rows
    this.#rows = rows
    if (!isSameOrder) this.#mover.release()
    else if (before !== rows && !this.#holdPointedRow(before)) this.#holdRowInSight(before)
  }

  /** Starts to observe the page. Returns a function that stops. */
  observe(): () => void {
    const handleKey = ({ target }: Event) => {
      this.#isPointing &&= this.#container.current?.contains(target as Node) === true
      // The focus must not go to a row beneath the header.
      this.#mover.release()
    }
    const stopListening = listen(window, 'keydown', handleKey)
    const stopObserving = this.#mover.observeAbove()
    return () => {
      stopListening()
      stopObserving?.()
    }
  }

  readonly handlers = {
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') this.#pointedId = this.#idOf(target)
    },
    // Browsers also send this event when only the page below the mouse has changed.
    onPointerMove: ({ screenX, screenY }: PointerEvent) => {
      const point = `${screenX} ${screenY}`
      if (point === this.#lastPoint) return
      this.#lastPoint = point
      this.#isPointing = true
      this.#ignoresPressesUntil = 0
    },
    onPointerLeave: () => {
      this.#pointedId = undefined
      this.#mover.release()
    },
    onClickCapture: (event: MouseEvent) => {
      // A key, also by a row's shortcut.
      if (event.detail === 0) return
      if (event.timeStamp < this.#ignoresPressesUntil) return event.stopPropagation()
      this.#isPointing = true
      this.#pressedId = this.#idOf(event.target)
      this.#pressedAtMs = event.timeStamp
    },
  }

  #idOf(target: EventTarget): string | undefined {
    return rowAt(this.#rows, Number(closestRow(target as Element)?.dataset.row ?? -1))?.employee.id
  }

  #ignorePresses() {
    const isOwn = this.#pressedId !== undefined && indexOfRow(this.#rows, this.#pressedId) < 0
    const kind = isOwn ? 'own' : matchMedia('(hover: hover)').matches ? 'mouse' : 'touch'
    const now = performance.now()
    const isQuick = isOwn && now < this.#pressedAtMs + settlingMs.own
    this.#ignoresPressesUntil = (isQuick ? this.#pressedAtMs : now) + settlingMs[kind]
  }

  /** Returns whether the row that the mouse points at is still where it was. */
  #holdPointedRow(before: Rows): boolean {
    if (this.#pointedId === undefined) return false
    const index = indexOfRow(this.#rows, this.#pointedId)
    const moved = index - indexOfRow(before, this.#pointedId)
    const isHeld = index >= 0 && this.#isPointing
    if (isHeld) this.#mover.holdRows(moved, true)
    else if (moved !== 0) this.#ignorePresses()
    if (index < 0) this.#pointedId = undefined
    return isHeld
  }

  #holdRowInSight(before: Rows) {
    const rows = this.#rows
    const { first, count } = this.#mover.findRowsInSight()
    const focused = this.#container.current?.querySelector('tbody tr:focus-within:not([data-offscreen])')
    const firstId = first > 0 ? rowAt(before, first)?.employee.id : undefined
    const anchorId = focused ? this.#idOf(focused) : firstId
    const index = indexOfRow(rows, anchorId)
    const moved = index < 0 ? 0 : index - indexOfRow(before, anchorId)
    this.#mover.holdRows(moved, false)
    const isSame = (_: unknown, i: number) =>
      rowAt(before, first + i)?.employee.id === rowAt(rows, first + i + moved)?.employee.id
    const isTouch = !matchMedia('(hover: hover)').matches
    if (isTouch && !Array.from({ length: count }).every(isSame)) this.#ignorePresses()
  }
}

type Mover = ReturnType<typeof createMover>

/** Moves the page, or the rows on it. Calls `onSlip` when the rows could not be held. */
function createMover(container: RefObject<HTMLElement | null>, onSlip: () => void) {
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
    const restPx = scrollY - before - wantedPx
    if (canShift) setShift(restPx)
    else if (Math.abs(restPx) >= 1) onSlip()
  }

  return {
    release: () => setShift(0),

    holdRows(moved: number, canShift: boolean) {
      if (container.current) hold(moved * getRowHeightPx(container.current), canShift)
    },

    /** The index of the first row that is wholly below the header, and the number of rows that fit below it. */
    findRowsInSight() {
      const row = container.current?.querySelector<HTMLElement>('[data-row]:not([data-offscreen])')
      if (!container.current || !row) return { first: 0, count: 0 }
      const heightPx = getRowHeightPx(container.current)
      const headerPx = getHeaderBottom(row)
      // Not where the row is, which may be sliding.
      const first = Math.ceil((headerPx - getOriginPx(container.current)) / heightPx - 0.1)
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
        if (moved !== 0 && (offset < scrollY || isInUse(element))) hold(moved, false)
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
