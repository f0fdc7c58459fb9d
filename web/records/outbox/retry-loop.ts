import { backOff } from '../../backends/backoff.ts'
import { isWaiting } from './entry.ts'
import type { Outbox } from './outbox.ts'

/** The first retry waits as `backOff` does after this number of failures: 0.5 to 1 s. */
const initialFailures = 2

/**
 * Sends the operations that wait for a connection, and retries those that fail with `offline` or `busy` while connected.
 * The delay between retries grows to 8 s, and is longer if the service asks for it. Stops when the signal is aborted.
 */
export function startRetryLoop(outbox: Outbox, signal: AbortSignal): void {
  let isRunning = false

  async function retryUntilSent() {
    if (isRunning) return
    isRunning = true
    for (let failures = initialFailures; !signal.aborted && outbox.entries().some(isWaiting); failures++) {
      await backOff(failures, signal)
      if (!signal.aborted) await outbox.resendWaiting()
    }
    isRunning = false
  }

  signal.addEventListener('abort', outbox.subscribe(retryUntilSent))
  void outbox.resendWaiting().then(retryUntilSent)
}
