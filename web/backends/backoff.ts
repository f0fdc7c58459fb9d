import { actAfter, listen, stopAll } from '../lib/dom.ts'

const firstDelayMs = 250
const maxDelayMs = 8_000

/**
 * Waits before the next attempt. The delay doubles with each failure, from `firstDelayMs` (0 failures) to `maxDelayMs`. It
 * is reduced at random by up to a half, so that many pages do not reconnect at the same moment. Resolves early when the
 * browser goes online, or when the signal is aborted.
 */
export function backOff(failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** failures) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => {
    const finish = () => {
      stop()
      resolve()
    }
    const stop = stopAll(
      actAfter(delayMs, finish),
      listen(signal, 'abort', finish),
      listen(globalThis.window, 'online', finish),
    )
  })
}
