import { startTransition, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { watchKeys } from './keys-ahead.ts'

const hasNone = () => false

let isAllLoaded = false

/** From now on parts open in the event that opens them, without a transition: their chunks have been loaded. */
export function openAtOnce(): void {
  isAllLoaded = true
}

/**
 * The state of a part that opens on demand, and what sets it. Anything but null opens the part in a transition, as long as its chunk
 * may have to be loaded: see `OnDemand`. Until it is shown, Escape takes that back, and the part gets what is typed if it `hasField`,
 * which never changes. Null closes it at once.
 */
export function useOpening<Value>(hasField: (value: Value) => boolean = hasNone) {
  const [value, setValue] = useState<Value | null>(null)
  const stopWatching = useRef(() => {})
  // In the commit that shows the part, so that no key is lost between.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is shown, or closed
  useLayoutEffect(() => {
    stopWatching.current()
    return () => stopWatching.current()
  }, [value])

  const open = useCallback(
    (next: Value | null) => {
      stopWatching.current()
      if (next === null) return setValue(null)
      stopWatching.current = watchKeys(() => open(null), hasField(next))
      if (isAllLoaded) setValue(next)
      else startTransition(() => setValue(next))
    },
    [hasField],
  )

  return [value, open] as const
}
