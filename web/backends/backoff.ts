/**
 * Waits before the next attempt: 0.25 s, 0.5 s, 1 s … 8 s, reduced by up to a half at random, so that many pages do not
 * reconnect at the same moment. Resolves early when the browser goes online, or when the signal is aborted.
 */
export function backOff(failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(8_000, 250 * 2 ** failures) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      globalThis.removeEventListener?.('online', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    signal.addEventListener('abort', finish)
    globalThis.addEventListener?.('online', finish)
  })
}
