import type { PointerEvent } from 'react'

/** Handles `onPointerEnter` of an element: a text that is cut off gets a title, any other gets none. */
export function showClippedTitle({ currentTarget }: PointerEvent<HTMLElement>): void {
  const text = currentTarget.querySelector('bdi') ?? currentTarget
  if (text.scrollWidth > text.clientWidth) currentTarget.title = text.textContent ?? ''
  else currentTarget.removeAttribute('title')
}
