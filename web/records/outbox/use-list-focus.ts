import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** When the entry that has the focus goes, the one in its place takes it, or what `onLeft` says where there is none. */
export function useStripFocus(strip: RefObject<HTMLElement | null>, onLeft: () => void) {
  /** Which of the entries with buttons has the focus; -1: none. */
  const place = useRef(-1)
  const entries = () => [...(strip.current?.querySelectorAll('li:has(button)') ?? [])]

  useLayoutEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return
    const left = entries()
    const next = left[Math.min(place.current, left.length - 1)]
    place.current = -1
    if (next) next.querySelector('button')?.focus()
    else onLeft()
  })

  return {
    onFocus(event: FocusEvent) {
      place.current = entries().findIndex((entry) => entry.contains(event.target))
    },
    onBlur(event: FocusEvent) {
      // A button that is being taken out of the page loses the focus too; then it is not the person who left.
      if (event.relatedTarget || event.target.isConnected) place.current = -1
    },
  }
}
