import { backOff } from '../../backends/backoff.ts'
import { isWaitingForConnection } from './entry.ts'
import type { Outbox } from './outbox.ts'

/**
 * Sends what waits for the line, now that the line is there; and what gets lost although it is there again and again,
 * ever more rarely, from half a second to 8 s apart, until the signal is given.
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
