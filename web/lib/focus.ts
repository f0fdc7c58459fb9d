import { type FocusEvent, type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { ignoreDoubleClick, ignoreHeldEnter } from './dom.ts'

/**
 * When the list item with the focus is removed, focuses the item in its position, or the last one; calls `onEmpty` if none is
 * left. Only items with a button count. Spread the returned handlers, which also ignore double clicks and a held Enter, onto
 * the list.
 */
export function useListFocus(listRef: RefObject<HTMLElement | null>, onEmpty: () => void) {
  /** -1 if no item has the focus. */
  const focusedIndex = useRef(-1)
  const getItems = () => [...(listRef.current?.querySelectorAll('li:has(button)') ?? [])]

  // After every render, because any render can remove the focused item.
  useLayoutEffect(() => {
    if (focusedIndex.current < 0 || document.activeElement !== document.body) return
    const items = getItems()
    const next = items[Math.min(focusedIndex.current, items.length - 1)]?.querySelector('button')
    focusedIndex.current = -1
    if (next) next.focus()
    else onEmpty()
  })

  return {
    onClickCapture: ignoreDoubleClick,
    onKeyDown: ignoreHeldEnter,
    onFocus(event: FocusEvent) {
      focusedIndex.current = getItems().findIndex((item) => item.contains(event.target))
    },
    onBlur(event: FocusEvent) {
      // A button also loses the focus when it is removed from the page. Then the position is still needed.
      if (event.relatedTarget || event.target.isConnected) focusedIndex.current = -1
    },
  }
}

/** Calls `onFocusLost` if the component is unmounted while the element has the focus. */
export function useFocusLost(element: RefObject<HTMLElement | null>, onFocusLost: () => void): void {
  const handleFocusLost = useEffectEvent(onFocusLost)
  useLayoutEffect(() => {
    const current = element.current
    return () => {
      if (current?.contains(document.activeElement)) handleFocusLost()
    }
  }, [element])
}
