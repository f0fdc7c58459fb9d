/**
 * Waits before the next try: 0.25 s, 0.5 s, 1 s … 8 s, each somewhat by chance, so that a thousand pages do not all
 * come back in the same moment; and no longer once the browser says that it is online again, or the signal is given.
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
