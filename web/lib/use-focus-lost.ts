import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

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
