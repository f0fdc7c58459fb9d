import { backOff } from '../../backends/backoff.ts'
import { waitsForLine } from './entry.ts'
import type { Outbox } from './outbox.ts'

/**
 * Sends what waits for the line, now that the line is there; and what gets lost although it is there again and again,
 * ever more rarely, from half a second to 8 s apart, until the signal is given.
 */
export function keepSending(outbox: Outbox, signal: AbortSignal): void {
  let isTrying = false

  async function tryUntilSent() {
    if (isTrying) return
    isTrying = true
    for (let failures = 2; !signal.aborted && outbox.entries().some(waitsForLine); failures++) {
      await backOff(failures, signal)
      if (!signal.aborted) await outbox.resume()
    }
    isTrying = false
  }

  signal.addEventListener('abort', outbox.subscribe(tryUntilSent))
  void outbox.resume().then(tryUntilSent)
}
