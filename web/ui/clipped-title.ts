import type { PointerEvent } from 'react'

/** Handles `onPointerEnter` of an element: a text that is cut off gets the browser's tooltip, any other gets none. */
export function showClippedTitle({ currentTarget }: PointerEvent<HTMLElement>): void {
  const text = currentTarget.querySelector('bdi') ?? currentTarget
  currentTarget.title = text.scrollWidth > text.clientWidth ? (text.textContent ?? '') : ''
}
