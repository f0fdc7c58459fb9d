import { useRef } from 'react'

/** Functions of which each call reaches the latest ones handed in, while they themselves stay the same: for `memo`. */
export function useStableCallbacks<T extends Record<keyof T, (...args: never[]) => void>>(latest: T): T {
  const current = useRef(latest)
  current.current = latest
  const stable = useRef<T>(null)
  stable.current ??= Object.fromEntries(
    Object.keys(latest).map((name) => [
      name,
      (...args: never[]) => current.current[name as keyof T](...args),
    ]),
  ) as T
  return stable.current
}
