import { type DocumentReference, getDocFromServer } from 'firebase/firestore'
import { listen } from '../../lib/dom.ts'
import { toServiceError, withTimeout } from './errors.ts'
import { reconnect } from './firestore.ts'
import type { PageView, RequestedWrite } from './page-view.ts'

/** A stream that does not answer within this time is silent, in ms. */
const answerTimeoutMs = 10_000

/** How often to look whether a check is due, in ms. Snapshots normally show a write within this time. */
const tickMs = 2_000

/** A page that is shown again checks the stream at once if it has heard nothing for this time, in ms. */
const silenceBeforeWakeMs = 10_000

interface CheckedStream {
  /** Any document; it need not exist. Each check is charged as one read. */
  document: DocumentReference
  /** A check confirms its writes. */
  view: PageView
  isConnected(): boolean
  onSilent(): void
}

/**
 * Checks Firestore's stream, because the SDK gives no sign when it goes silent. The check reads a document: the SDK does so
 * over the stream of the listener. Without an answer it restarts the network, which resumes the listener. Start it when the
 * listener is up to date. A visible page checks a stream that was silent for `intervalMs` milliseconds, or that has not
 * shown a write although it is connected.
 */
export function checkStream({ document, view, isConnected, onSilent }: CheckedStream, intervalMs: number) {
  let lastHeardAt = performance.now()
  let lastCheckAt = lastHeardAt
  let isChecking = false
  let isStopped = false
  /** The writes that were not confirmed at the last tick. */
  let unconfirmed: ReadonlySet<RequestedWrite> = new Set()

  function tick() {
    const writes = isConnected() ? view.unconfirmedWrites() : []
    const isLate = writes.some((write) => unconfirmed.has(write))
    unconfirmed = new Set(writes)
    if (isLate || isSilentFor(intervalMs)) void check()
  }

  const isSilentFor = (ms: number) => performance.now() - Math.max(lastHeardAt, lastCheckAt) >= ms

  async function check() {
    if (isChecking || globalThis.document?.hidden) return
    isChecking = true
    const startedAt = performance.now()
    const writes = view.unconfirmedWrites()
    try {
      await withTimeout(answerTimeoutMs, getDocFromServer(document))
      // The SDK calls the listener in a new task.
      await new Promise((resolve) => setTimeout(resolve))
      lastHeardAt = performance.now()
      if (!isStopped) view.confirmWrites(writes)
    } catch (error) {
      const isSilent = toServiceError(error).code === 'offline' && lastHeardAt < startedAt
      if (isSilent && !isStopped) {
        onSilent()
        await reconnect(document.firestore)
      }
    }
    isChecking = false
    lastCheckAt = performance.now()
  }

  const timer = setInterval(tick, tickMs)
  const stopListening = listen(globalThis.document, 'visibilitychange', () => {
    if (isSilentFor(silenceBeforeWakeMs)) void check()
  })
  return {
    /** Call it for each snapshot from the server. */
    recordSnapshot() {
      lastHeardAt = performance.now()
    },
    stop() {
      isStopped = true
      clearInterval(timer)
      stopListening()
    },
  }
}
