export type Counters = ReturnType<typeof createCounters>

export interface CounterLimits {
  /** How often a key may be counted in one window. */
  points: number
  /** The window's length; it begins with the first count. */
  seconds: number
  /** Milliseconds from any fixed moment: never the wall clock, which can be set back and forward. */
  now?: () => number
  /** Keys are chosen by strangers, so their number is bounded; the oldest window is forgotten first. */
  maxKeys?: number
}

interface Window {
  count: number
  endsAt: number
}

/** Counts per key in fixed windows of time. */
export function createCounters({
  points,
  seconds,
  now = () => performance.now(),
  maxKeys = 100_000,
}: CounterLimits) {
  // Every window has the same length, so the order of the map is the order in which they end.
  const windows = new Map<string, Window>()

  function windowOf(key: string): Window | undefined {
    for (const [old, { endsAt }] of windows) {
      if (endsAt > now() && windows.size <= maxKeys) break
      windows.delete(old)
    }
    return windows.get(key)
  }

  return {
    /** 0, or the seconds to wait where the key has used up its points. */
    wait(key: string): number {
      const window = windowOf(key)
      if (!window || window.count < points) return 0
      return Math.max(1, Math.ceil((window.endsAt - now()) / 1000))
    },
    /** Counts once. */
    take(key: string) {
      const window = windowOf(key) ?? { count: 0, endsAt: now() + seconds * 1000 }
      windows.set(key, window)
      window.count++
    },
    /** Takes one count back. */
    giveBack(key: string) {
      const window = windowOf(key)
      if (window) window.count = Math.max(0, window.count - 1)
    },
    forget: (key: string) => windows.delete(key),
    size: () => windows.size,
  }
}
