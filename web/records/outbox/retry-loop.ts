import { backOff } from '../../backends/backoff.ts'
import { isWaitingForConnection } from './entry.ts'
import type { Outbox } from './outbox.ts'

/**
 * Sends everything that waits for a connection, and retries single requests that fail while connected. The delay between
 * retries grows from 0.5 to 8 s. Stops when the signal is aborted.
 */
export function startRetryLoop(outbox: Outbox, signal: AbortSignal): void {
  let isRunning = false

  async function retryUntilSent() {
    if (isRunning) return
    isRunning = true
    for (let failures = 2; !signal.aborted && outbox.entries().some(isWaitingForConnection); failures++) {
      await backOff(failures, signal)
      if (!signal.aborted) await outbox.resendWaiting()
    }
    isRunning = false
  }

  signal.addEventListener('abort', outbox.subscribe(retryUntilSent))
  void outbox.resendWaiting().then(retryUntilSent)
}
