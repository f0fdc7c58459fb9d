import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** When the entry that has the focus goes, the one in its place takes it, or what `onLeft` says where there is none. */
export function useListFocus(listRef: RefObject<HTMLElement | null>, onEmpty: () => void) {
  /** Which of the entries with buttons has the focus; -1: none. */
  const focusedIndex = useRef(-1)
  const getItems = () => [...(listRef.current?.querySelectorAll('li:has(button)') ?? [])]

  useLayoutEffect(() => {
    if (focusedIndex.current < 0 || document.activeElement !== document.body) return
    const left = getItems()
    const next = left[Math.min(focusedIndex.current, left.length - 1)]
    focusedIndex.current = -1
    if (next) next.querySelector('button')?.focus()
    else onEmpty()
  })

  return {
    onFocus(event: FocusEvent) {
      focusedIndex.current = getItems().findIndex((entry) => entry.contains(event.target))
    },
    onBlur(event: FocusEvent) {
      // A button that is being taken out of the page loses the focus too; then it is not the person who left.
      if (event.relatedTarget || event.target.isConnected) focusedIndex.current = -1
    },
  }
}
