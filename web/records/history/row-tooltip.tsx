import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Employee } from '../../../contract/employees.ts'
import { type Rows, rowAt } from '../search/visible-rows.ts'
import { closestRow } from '../table/use-row-focus.ts'
import { describeDetails } from './describe-time.ts'
import { useDetailsCache } from './details-cache.ts'
import type { History } from './history.ts'
import styles from './row-tooltip.module.css'

/** How long the pointer or the focus rests on a row before the tooltip is shown, in ms. */
const showDelayMs = 700
/** Time to move the pointer from the row to the tooltip, in ms. */
const hideDelayMs = 200
/** The details of this many rows before and after the row are loaded with it, so that the next one has them at once. */
const nearbyRows = 30

export interface RowTooltipProps {
  history: History
  /** The element with the rows. */
  container: RefObject<HTMLElement | null>
  rows: Rows
}

interface DescribedRow {
  row: HTMLElement
  employee: Employee
}

/**
 * When and by whom a row's record was last changed: the description of the focused row, and a tooltip of the row that the
 * pointer or the keyboard focus rests on. One element serves all rows, and nothing is loaded before the first of them.
 */
export function RowTooltip({ history, container, rows }: RowTooltipProps) {
  const cache = useDetailsCache(history)
  const id = useId()
  const tooltip = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<DescribedRow | null>(null)
  const [shown, setShown] = useState<DescribedRow | null>(null)
  const described = shown ?? focused
  const text = described && describeDetails(cache.get(described.employee), history.email)
  const shownRow = text ? shown?.row : undefined

  const findRow = useEffectEvent((target: EventTarget | null): DescribedRow | null => {
    const row = target instanceof Element ? closestRow(target) : null
    const index = Number(row?.dataset.row)
    const employee = rowAt(rows, index)?.employee
    if (!row || !employee) return null
    const nearby = Array.from({ length: 2 * nearbyRows + 1 }, (_, i) => rowAt(rows, index - nearbyRows + i))
    cache.load(nearby.flatMap((each) => each?.employee ?? [])).catch(() => {})
    return { row, employee }
  })

  useEffect(() => {
    const element = container.current
    if (!element) return
    return followRows(element, () => tooltip.current, { findRow, onFocus: setFocused, onShow: setShown })
  }, [container])

  // The row is the table's own element. Its own description is more important, and can come and go meanwhile.
  useEffect(() => {
    const row = described?.row
    if (!row || !text) return
    const describe = () => {
      if (row.hasAttribute('aria-description')) row.removeAttribute('aria-describedby')
      else row.setAttribute('aria-describedby', id)
    }
    describe()
    const observer = new MutationObserver(describe)
    observer.observe(row, { attributeFilter: ['aria-description'] })
    return () => {
      observer.disconnect()
      row.removeAttribute('aria-describedby')
    }
  }, [described, text, id])

  useLayoutEffect(() => {
    const element = tooltip.current
    if (!shownRow || !element) return
    element.showPopover()
    place(element, shownRow)
    return () => element.hidePopover()
  }, [shownRow])

  return (
    <div ref={tooltip} id={id} role="tooltip" popover="manual" className={styles.tooltip}>
      {text}
    </div>
  )
}

interface RowEvents {
  findRow(target: EventTarget | null): DescribedRow | null
  onFocus(row: DescribedRow | null): void
  onShow(row: DescribedRow | null): void
}

/** Calls back when the focus moves to another row, and when the pointer or the visible focus has rested on a row. */
function followRows(
  container: HTMLElement,
  getTooltip: () => HTMLElement | null,
  { findRow, onFocus, onShow }: RowEvents,
) {
  const controller = new AbortController()
  const options = { signal: controller.signal, passive: true }
  let timer: ReturnType<typeof setTimeout> | undefined

  function schedule(row: DescribedRow | null, delayMs = row ? showDelayMs : hideDelayMs) {
    clearTimeout(timer)
    timer = setTimeout(() => onShow(row), delayMs)
  }

  function onPointerOver({ target, pointerType }: PointerEvent) {
    if (pointerType !== 'mouse') return
    // A button has its own purpose, and a cut text its own tooltip.
    const hasOther = target instanceof Element && target.closest('button, [title]:not([title=""])')
    schedule(hasOther ? null : findRow(target))
  }

  function onFocusIn({ target }: Pick<FocusEvent, 'target'>) {
    const row = findRow(target)
    onFocus(row)
    const isVisible = row !== null && target === row.row && row.row.matches(':focus-visible')
    schedule(isVisible ? row : null, isVisible ? showDelayMs : 0)
  }

  function onFocusOut() {
    onFocus(null)
    schedule(null, 0)
  }

  /** Escape hides the tooltip; in a row it does nothing else. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !getTooltip()?.matches(':popover-open')) return
    schedule(null, 0)
    if (!container.contains(document.activeElement)) return
    event.stopPropagation()
    event.preventDefault()
  }

  // The focus may have come first.
  if (document.activeElement) onFocusIn({ target: document.activeElement })
  container.addEventListener('pointerover', onPointerOver, options)
  container.addEventListener('pointerleave', () => schedule(null), options)
  container.addEventListener('pointerdown', () => schedule(null, 0), options)
  container.addEventListener('focusin', onFocusIn, options)
  container.addEventListener('focusout', onFocusOut, options)
  getTooltip()?.addEventListener('pointerenter', () => clearTimeout(timer), options)
  getTooltip()?.addEventListener('pointerleave', () => schedule(null), options)
  // It covers the next row.
  getTooltip()?.addEventListener('pointerdown', () => schedule(null, 0), options)
  addEventListener('scroll', () => schedule(null, 0), options)
  addEventListener('keydown', onKeyDown, { capture: true, signal: controller.signal })
  return () => {
    clearTimeout(timer)
    controller.abort()
  }
}

/** Below the row's name, or above the row if there is no space. */
function place(element: HTMLElement, row: HTMLElement) {
  const { top, bottom } = row.getBoundingClientRect()
  const { left } = (row.querySelector('th') ?? row).getBoundingClientRect()
  const { width, height } = element.getBoundingClientRect()
  const hasSpaceBelow = bottom + height <= innerHeight
  element.style.insetInlineStart = `${Math.max(0, Math.min(left, innerWidth - width))}px`
  element.style.insetBlockStart = `${hasSpaceBelow ? bottom : top - height}px`
}
