import { type MouseEvent, type PointerEvent, type RefObject, useLayoutEffect, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { actAfter, listen, stopAll } from '../../../lib/dom.ts'
import { hasHover, watchPointer } from '../../../lib/presses/last-pointer.ts'
import { indexOfRow, type Rows, rowAt } from '../../model/search/visible-rows.ts'
import { closestRow, getHeaderBottom } from '../elements.ts'
import { getOriginPx, prepareSlide, slideFrom } from './slide-rows.ts'
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
  const [holder] = useState(() => new RowHolder(container, rows, order))
  useLayoutEffect(() => holder.handleRows(rows, order), [holder, rows, order])
  useLayoutEffect(() => holder.observe(), [holder])
  useLayoutEffect(watchPointer, [])
  return holder.handlers
}

class RowHolder {
  readonly #container: RefObject<HTMLElement | null>
  #rows: Rows
  #order: unknown
  /** How far the page was scrolled when it last moved. Reading `scrollY` while rendering would force a layout. */
  #scrolledPx = 0
  /** How far the rows are moved down on the page; the style of the table's body only shows it. */
  #shiftPx = 0
  #stopSettling = () => {}
  #pointedId: string | undefined
  /** False if the mouse only rests on the rows while the user types elsewhere. */
  #isPointing = false
  #lastPoint = ''
  #pressedId: string | undefined
  #pressedAtMs = 0
  #ignoresPressesUntil = 0
  /** The record that was at the place of the mouse before it was ignored. */
  #seenId: string | undefined

  constructor(container: RefObject<HTMLElement | null>, rows: Rows, order: unknown) {
    this.#container = container
    this.#rows = rows
    this.#order = order
  }

  /** Effects and handlers run only while it is in the page. */
  get #element(): HTMLElement {
    return this.#container.current as HTMLElement
  }

  handleRows(rows: Rows, order: unknown): void {
    // When the page becomes shorter at its end, the browser scrolls up by itself.
    const isAtEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 1
    const scrolledPx = isAtEnd ? this.#scrolledPx : scrollY
    const before = this.#rows
    const slide = prepareSlide(this.#element, before, { scrolledPx, shiftPx: this.#shiftPx })
    this.#rows = rows
    if (this.#order !== order) this.#shift(0)
    else if (before !== rows && !this.#holdPointedRow(before, scrolledPx))
      this.#holdRowInSight(before, scrolledPx)
    this.#order = order
    slide(rows, { scrolledPx: scrollY, shiftPx: this.#shiftPx })
  }

  /** Starts to observe the page. Returns a function that stops. */
  observe(): () => void {
    const element = this.#element
    const stopListening = listen(window, 'keydown', ({ target }) => {
      this.#isPointing &&= element.contains(target as Node)
      // The focus must not go to a row beneath the header.
      this.#shift(0)
    })
    // Holds the rows while what is above them changes its height, if they are in use or it is out of sight.
    const getOffset = () => element.getBoundingClientRect().top + scrollY
    let offset = getOffset()
    this.#scrolledPx = scrollY
    const handleMove = () => {
      const moved = getOffset() - offset
      offset += moved
      // At the end of the page, the browser scrolls up by itself.
      const before = scrollY + Math.max(0, Math.min(this.#scrolledPx - scrollY, -moved))
      if (moved !== 0 && (offset < scrollY || isInUse(element))) this.#hold(moved, false, before)
      this.#scrolledPx = scrollY
    }
    const observer = new ResizeObserver(handleMove)
    const main = element.closest('main')
    for (const part of main ? [main, ...main.children] : []) observer.observe(part)
    return stopAll(
      stopListening,
      listen(window, 'scroll', handleMove),
      () => observer.disconnect(),
      () => this.#stopSettling(),
    )
  }

  readonly handlers = {
    onPointerOver: ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') this.#pointedId = this.#idOf(target)
    },
    // Browsers also send this event when only the page below the mouse has changed.
    onPointerMove: ({ screenX, screenY }: PointerEvent) => {
      const point = `${screenX} ${screenY}`
      if (point === this.#lastPoint) return
      this.#lastPoint = point
      this.#isPointing = true
      this.#ignoresPressesUntil = 0
      this.#settleLater()
    },
    onPointerLeave: () => {
      this.#pointedId = undefined
      this.#shift(0)
    },
    onClickCapture: (event: MouseEvent) => {
      // A key, also by a row's shortcut.
      if (event.detail === 0) return
      if (this.#ignores(event)) return event.stopPropagation()
      this.#isPointing = true
      this.#pressedId = this.#idOf(event.target)
      this.#pressedAtMs = event.timeStamp
    },
    onDoubleClickCapture: (event: MouseEvent) => {
      if (event.timeStamp < this.#ignoresPressesUntil) event.stopPropagation()
    },
  }

  /** Whether a press is meant for the record that was there before, and not only opens one. The row says that it was ignored. */
  #ignores({ target, timeStamp }: MouseEvent): boolean {
    if (timeStamp >= this.#ignoresPressesUntil) return false
    if (this.#seenId !== undefined && this.#idOf(target) === this.#seenId) return false
    if ((target as Element).closest('[data-action="edit"]')) return false
    const name = closestRow(target as Element)?.querySelector<HTMLElement>('th')
    if (name) {
      name.dataset.ignored = t('The list moved. Press again.')
      setTimeout(() => delete name.dataset.ignored, settlingMs.mouse)
    }
    return true
  }

  #idOf(target: EventTarget): string | undefined {
    return rowAt(this.#rows, Number(closestRow(target as Element)?.dataset.row ?? -1))?.employee.id
  }

  #ignorePresses() {
    this.#seenId = this.#pointedId
    const isOwn = this.#pressedId !== undefined && indexOfRow(this.#rows, this.#pressedId) < 0
    const pointer = hasHover() ? 'mouse' : 'touch'
    const kind = isOwn ? 'own' : pointer
    const now = performance.now()
    const isQuick = isOwn && now < this.#pressedAtMs + settlingMs.own
    this.#ignoresPressesUntil = (isQuick ? this.#pressedAtMs : now) + settlingMs[kind]
  }

  /** Returns whether the row that the mouse points at is still where it was. */
  #holdPointedRow(before: Rows, scrolledPx: number): boolean {
    if (this.#pointedId === undefined) return false
    const index = indexOfRow(this.#rows, this.#pointedId)
    const moved = index - indexOfRow(before, this.#pointedId)
    const isHeld = index >= 0 && this.#isPointing
    if (isHeld) this.#hold(moved * getRowHeightPx(this.#element), true, scrolledPx)
    else if (moved !== 0) this.#ignorePresses()
    if (index < 0) this.#pointedId = undefined
    return isHeld
  }

  #holdRowInSight(before: Rows, scrolledPx: number) {
    const element = this.#element
    const rows = this.#rows
    const row = element.querySelector('[data-row]:not([data-offscreen])')
    const heightPx = getRowHeightPx(element)
    const headerPx = row ? getHeaderBottom(row) : innerHeight
    // The first row that is wholly below the header; not where it is, because it may be sliding.
    const originPx = getOriginPx(element, { scrolledPx, shiftPx: this.#shiftPx })
    const first = Math.max(0, Math.ceil((headerPx - originPx) / heightPx - 0.1))
    const inSight = Array.from({ length: Math.ceil((innerHeight - headerPx) / heightPx) })
    const focused = element.querySelector('tbody tr:focus-within')
    const focusedId = focused ? this.#idOf(focused) : undefined
    const focusedPlace = indexOfRow(before, focusedId) - first
    const firstId = row && first > 0 ? rowAt(before, first)?.employee.id : undefined
    const anchorId = focusedPlace in inSight ? focusedId : firstId
    const index = indexOfRow(rows, anchorId)
    const moved = index < 0 ? 0 : index - indexOfRow(before, anchorId)
    this.#hold(moved * heightPx, false, scrolledPx)
    const isSame = (_: unknown, i: number) =>
      rowAt(before, first + i)?.employee.id === rowAt(rows, first + i + moved)?.employee.id
    if (!hasHover() && !inSight.every(isSame)) this.#ignorePresses()
  }

  /** Undoes a move by `movedPx` down. Without `canShift`, as far as the page can be scrolled. */
  #hold(movedPx: number, canShift: boolean, scrolledPx: number) {
    const top = scrolledPx + (canShift ? movedPx - this.#shiftPx : movedPx)
    if (top !== scrollY) scrollTo({ top, behavior: 'instant' })
    this.#scrolledPx = scrollY
    const restPx = scrollY - top
    if (canShift) this.#shift(restPx)
    else if (Math.abs(restPx) >= 1) this.#ignorePresses()
  }

  #shift(px: number) {
    this.#shiftPx = Math.abs(px) < 1 ? 0 : px
    const body = this.#element.querySelector('tbody')
    if (body) body.style.translate = this.#shiftPx === 0 ? '' : `0 ${this.#shiftPx}px`
    this.#settleLater()
  }

  /** Moves the rows back once the mouse has rested for as long as presses are ignored. Another row then comes to its place. */
  #settleLater() {
    this.#stopSettling()
    if (this.#shiftPx === 0) return
    this.#stopSettling = actAfter(settlingMs.mouse, () => {
      const fromPx = this.#shiftPx
      this.#shift(0)
      slideFrom(this.#element.querySelector('tbody'), fromPx)
      this.#pressedId = undefined
      this.#ignorePresses()
    })
  }
}

function isInUse(element: HTMLElement): boolean {
  const { activeElement } = document
  if (activeElement !== document.body && !element.contains(activeElement)) return false
  return element.matches(':hover, :focus-within')
}
