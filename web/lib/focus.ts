import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { afterPaint, ignoreDoubleClick, ignoreHeldEnter, listen, stopAll } from './dom.ts'

/**
 * When the list item with the focus is removed, focuses the item in its position, or the last one. Only items with a button
 * count. Spread the returned handlers, which also ignore double clicks and a held Enter, onto the list.
 */
export function useListFocus(listRef: RefObject<HTMLElement | null>) {
  /** -1 if no item has the focus. */
  const focusedIndex = useRef(-1)
  const getItems = () => [...(listRef.current?.querySelectorAll('li:has(button)') ?? [])]

  // After every render, because any render can remove the focused item.
  useLayoutEffect(() => {
    if (focusedIndex.current < 0 || document.activeElement !== document.body) return
    const items = getItems()
    const next = items[Math.min(focusedIndex.current, items.length - 1)]?.querySelector('button')
    focusedIndex.current = -1
    next?.focus()
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

/** Calls `onFocusLost` when the focused element was removed or disabled, no other is focused, and no modal dialog is open. */
export function useFocusLost(onFocusLost: () => void): void {
  const handleFocusLost = useEffectEvent(onFocusLost)
  useEffect(() => {
    let last: Element | null = null
    const setLast = ({ type, target }: Event) => {
      if (type === 'focusin') last = target as Element
      else if (!last?.contains(target as Element)) last = null
    }
    const isGone = () => last && (!last.isConnected || last.matches(':disabled'))
    const handleLoss = () => {
      if (!isGone() || document.activeElement !== document.body || document.querySelector('dialog:modal'))
        return
      last = null
      handleFocusLost()
    }
    // Rendering may focus something else.
    const observer = new MutationObserver(() => isGone() && void afterPaint().then(handleLoss))
    observer.observe(document.body, { childList: true, subtree: true })
    return stopAll(listen(document, 'focusin pointerdown', setLast), () => observer.disconnect())
  }, [])
}
