export type Counter = ReturnType<typeof createCounter>

export interface CounterOptions {
  /** Maximum count per key and window. */
  maxCount: number
  /** Length of a window, which begins with the first count. */
  windowSeconds: number
  /** Monotonic time in milliseconds. Not the wall clock, which may be changed. */
  now?: () => number
  /** Limit on the number of keys, which clients choose. Beyond it the oldest windows are dropped. */
  maxKeys?: number
}

interface CountWindow {
  count: number
  endsAt: number
}

/** Counts per key in fixed time windows. */
export function createCounter({
  maxCount,
  windowSeconds,
  now = () => performance.now(),
  maxKeys = 100_000,
}: CounterOptions) {
  // All windows have the same length, so the map's insertion order is the order in which they end.
  const windows = new Map<string, CountWindow>()

  function findWindow(key: string): CountWindow | undefined {
    for (const [oldKey, { endsAt }] of windows) {
      if (endsAt > now() && windows.size <= maxKeys) break
      windows.delete(oldKey)
    }
    return windows.get(key)
  }

  return {
    /** Returns the seconds until the key may be counted again, 0 if it may be now. */
    getWaitSeconds(key: string): number {
      const window = findWindow(key)
      if (!window || window.count < maxCount) return 0
      return Math.max(1, Math.ceil((window.endsAt - now()) / 1000))
    },
    increment(key: string) {
      const window = findWindow(key) ?? { count: 0, endsAt: now() + windowSeconds * 1000 }
      windows.set(key, window)
      window.count++
    },
    decrement(key: string) {
      const window = findWindow(key)
      if (window) window.count = Math.max(0, window.count - 1)
    },
    reset: (key: string) => windows.delete(key),
    size: () => windows.size,
  }
}
