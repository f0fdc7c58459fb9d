import { hash } from 'node:crypto'
import { AppError } from '../app-error.ts'

export type Counter = ReturnType<typeof createCounter>

export interface CounterOptions {
  maxCount: number
  /** Length of a window, which begins with the first count. */
  windowSeconds: number
  /** Monotonic time in milliseconds. Not the wall clock, which may be changed. */
  now?: () => number
  /** Limit on the number of keys, which clients choose. Each takes about 200 bytes, however long it is. */
  maxKeys?: number
}

interface CountWindow {
  count: number
  /** How much of it may still be undone. */
  unsettled: number
  endsAt: number
}

/** Counts per key in fixed time windows. Beyond `maxKeys` it forgets a tenth of the keys, those with the lowest counts. */
export function createCounter(options: CounterOptions) {
  const { maxCount, windowSeconds, now = () => performance.now(), maxKeys = 100_000 } = options
  // The keys are hashes. All windows have the same length, so the insertion order is the order in which they end.
  const windows = new Map<string, CountWindow>()

  function findWindow(id: string): CountWindow | undefined {
    for (const [oldId, { endsAt }] of windows) {
      if (endsAt > now()) break
      windows.delete(oldId)
    }
    return windows.get(id)
  }

  function addWindow(id: string): CountWindow {
    if (windows.size >= maxKeys) forgetLowest()
    const window = { count: 0, unsettled: 0, endsAt: now() + windowSeconds * 1000 }
    windows.set(id, window)
    return window
  }

  function forgetLowest() {
    const lowestFirst = [...windows].sort(([, a], [, b]) => a.count - b.count)
    for (const [id] of lowestFirst.slice(0, Math.ceil(maxKeys / 10))) windows.delete(id)
  }

  return {
    /** Returns the seconds until the key may be counted again, 0 if it may be now. */
    getWaitSeconds(key: string): number {
      const window = findWindow(toId(key))
      if (!window || window.count < maxCount) return 0
      if (window.count - window.unsettled < maxCount) return 1
      return Math.max(1, Math.ceil((window.endsAt - now()) / 1000))
    },
    /** Increments the count. The returned function must be called once, to confirm or undo it. */
    increment(key: string, amount = 1) {
      const id = toId(key)
      const window = findWindow(id) ?? addWindow(id)
      window.count += amount
      window.unsettled += amount
      return (isCounted: boolean) => {
        window.unsettled -= amount
        if (!isCounted) window.count -= amount
        if (window.count === 0 && windows.get(id) === window) windows.delete(id)
      }
    },
    reset: (key: string) => windows.delete(toId(key)),
    size: () => windows.size,
  }
}

export type CounterKey = [counter: Counter, key: string]

/** Throws `too-many-requests` if one of the keys has reached its limit. */
export function requireAllowed(...counts: CounterKey[]): void {
  const retryAfterSeconds = Math.max(...counts.map(([counter, key]) => counter.getWaitSeconds(key)))
  if (retryAfterSeconds > 0) throw new AppError('too-many-requests', { retryAfterSeconds })
}

const toId = (key: string) => hash('sha256', key, 'binary')
