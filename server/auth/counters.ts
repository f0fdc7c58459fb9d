export type Counter = ReturnType<typeof createCounter>

export interface CounterOptions {
  /** How often a key may be counted in one window. */
  maxCount: number
  /** The window's length; it begins with the first count. */
  windowSeconds: number
  /** Milliseconds from any fixed moment: never the wall clock, which can be set back and forward. */
  now?: () => number
  /** Keys are chosen by strangers, so their number is bounded; the oldest window is forgotten first. */
  maxKeys?: number
}

interface CountWindow {
  count: number
  endsAt: number
}

/** Counts per key in fixed windows of time. */
export function createCounter({
  maxCount,
  windowSeconds,
  now = () => performance.now(),
  maxKeys = 100_000,
}: CounterOptions) {
  // Every window has the same length, so the order of the map is the order in which they end.
  const windows = new Map<string, CountWindow>()

  function findWindow(key: string): CountWindow | undefined {
    for (const [old, { endsAt }] of windows) {
      if (endsAt > now() && windows.size <= maxKeys) break
      windows.delete(old)
    }
    return windows.get(key)
  }

  return {
    /** 0, or the seconds to wait where the key has used up its points. */
    getWaitSeconds(key: string): number {
      const window = findWindow(key)
      if (!window || window.count < maxCount) return 0
      return Math.max(1, Math.ceil((window.endsAt - now()) / 1000))
    },
    /** Counts once. */
    increment(key: string) {
      const window = findWindow(key) ?? { count: 0, endsAt: now() + windowSeconds * 1000 }
      windows.set(key, window)
      window.count++
    },
    /** Takes one count back. */
    decrement(key: string) {
      const window = findWindow(key)
      if (window) window.count = Math.max(0, window.count - 1)
    },
    reset: (key: string) => windows.delete(key),
    size: () => windows.size,
  }
}
