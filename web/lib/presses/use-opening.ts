import { startTransition, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { isForComposition } from './key-press.ts'

/**
 * The state of a part that opens on demand, and what sets it. Anything but null opens the part in a transition, because its chunk may
 * have to be loaded: see `OnDemand`. Until it is shown, Escape takes that back, and does nothing else. Null closes it at once.
 */
export function useOpening<Value>() {
  const [value, setValue] = useState<Value | null>(null)
  const stopWaiting = useRef(() => {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is shown, or closed
  useLayoutEffect(() => {
    stopWaiting.current()
    return () => stopWaiting.current()
  }, [value])

  const open = useCallback((next: Value | null) => {
    stopWaiting.current()
    if (next === null) return setValue(null)
    stopWaiting.current = onEscape(() => open(null))
    startTransition(() => setValue(next))
  }, [])

  return [value, open] as const
}

/** Acts on Escape, before anything else does, until the returned function is called. */
function onEscape(act: () => void): () => void {
  function handle(event: KeyboardEvent) {
    if (event.key !== 'Escape' || isForComposition(event)) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  addEventListener('keydown', handle, true)
  return () => removeEventListener('keydown', handle, true)
}
