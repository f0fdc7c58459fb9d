import { backOff } from '../../backends/backoff.ts'
import { isWaitingForConnection } from './entry.ts'
import type { Outbox } from './outbox.ts'

/** The first retry waits as `backOff` does after this number of failures: 0.5 to 1 s. */
const initialFailures = 2

/**
 * Sends the operations that wait for a connection, and retries those that fail with `offline` while connected. The delay
 * between retries grows to 8 s. Stops when the signal is aborted.
 */
export function startRetryLoop(outbox: Outbox, signal: AbortSignal): void {
  let isRunning = false

  async function retryUntilSent() {
    if (isRunning) return
    isRunning = true
    for (
      let failures = initialFailures;
      !signal.aborted && outbox.entries().some(isWaitingForConnection);
      failures++
    ) {
      await backOff(failures, signal)
      if (!signal.aborted) await outbox.resendWaiting()
    }
    isRunning = false
  }

  signal.addEventListener('abort', outbox.subscribe(retryUntilSent))
  void outbox.resendWaiting().then(retryUntilSent)
}
