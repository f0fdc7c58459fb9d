import { useInsertionEffect, useRef, useState } from 'react'

/**
 * Returns functions whose identity never changes, so that they can be props of memoized components. Each call runs the
 * callback of the latest committed render. Do not call them while rendering.
 */
export function useStableCallbacks<T extends Record<keyof T, (...args: never[]) => void>>(callbacks: T): T {
  const latest = useRef(callbacks)
  useInsertionEffect(() => {
    latest.current = callbacks
  })
  const [stableCallbacks] = useState(
    () =>
      Object.fromEntries(
        Object.keys(callbacks).map((name) => [
          name,
          (...args: never[]) => latest.current[name as keyof T](...args),
        ]),
      ) as T,
  )
  return stableCallbacks
}
