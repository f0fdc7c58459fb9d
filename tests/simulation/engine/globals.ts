import type { Clock, Owner } from './clock.ts'

/** Timers that are held run in the first second of each minute. */
const heldCheckMs = 1_000
const heldIntervalMs = 60_000

/**
 * Timers on the virtual clock. `owner`: whose code calls them. `areHeld`: they run once a minute, as those of a hidden tab. Ids are
 * objects, as Node's are.
 */
export function createTimers(clock: Clock, owner: () => Owner, areHeld: () => boolean = () => false) {
  type Timer = { cancel: () => void; ref(): Timer; unref(): Timer; refresh(): Timer }
  function createTimer(cancel: () => void, restart = () => {}): Timer {
    const refresh = () => {
      timer.cancel()
      restart()
      return timer
    }
    const timer: Timer = { cancel, ref: () => timer, unref: () => timer, refresh }
    return timer
  }
  const clear = (timer: Timer | undefined) => timer?.cancel()
  function once(act: (...args: unknown[]) => unknown, delayMs = 0, ...args: unknown[]): Timer {
    const timer = createTimer(
      () => {},
      () => schedule(delayMs),
    )
    const schedule = (ms: number) => {
      timer.cancel = clock.after(ms, owner(), run)
    }
    const run = () => {
      if (clock.now % heldIntervalMs >= heldCheckMs && areHeld()) schedule(heldCheckMs)
      else act(...args)
    }
    schedule(delayMs)
    return timer
  }

  function setInterval(act: () => unknown, intervalMs: number): Timer {
    const timer = createTimer(() => {})
    const repeat = () => {
      timer.cancel = clock.after(intervalMs, owner(), () => {
        repeat()
        act()
      })
    }
    repeat()
    const handle = createTimer(() => timer.cancel())
    return handle
  }

  return {
    setTimeout: once,
    setImmediate: (act: (...args: unknown[]) => unknown, ...args: unknown[]) => once(act, 0, ...args),
    setInterval,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  }
}

/** The class `Date` with another clock. */
export function createDateClass(now: () => number): DateConstructor {
  class VirtualDate extends Date {
    constructor(...args: unknown[]) {
      super(...((args.length > 0 ? args : [now()]) as [number]))
    }
    static override now(): number {
      return Math.floor(now())
    }
  }
  return VirtualDate as unknown as DateConstructor
}
