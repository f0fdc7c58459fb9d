import {
  type DocumentReference,
  disableNetwork,
  enableNetwork,
  type Firestore,
  getDocFromServer,
} from 'firebase/firestore'
import { listen } from '../../lib/dom.ts'
import { toServiceError, withTimeout } from './errors.ts'
import type { PageView } from './page-view.ts'

/** A stream that does not answer within this time is silent, in ms. */
const answerTimeoutMs = 10_000

/** Snapshots normally show a write within this time, in ms. */
const confirmDelayMs = 2_000

/** A page that is shown again checks the stream at once if it has heard nothing for this time, in ms. */
const silenceBeforeWakeMs = 10_000

interface StreamCheckOptions {
  /** Any document; it need not exist. Each check is charged as one read. */
  document: DocumentReference
  /** A visible page checks a stream that was silent for this time, in ms. */
  intervalMs: number
  /** A check confirms its writes. */
  view: PageView
  isConnected(): boolean
  onSilent(): void
}

/**
 * Checks Firestore's stream, because the SDK gives no sign when it goes silent. The check reads a document: the SDK does so
 * over the stream of the listener. Without an answer it restarts the network, which resumes the listener. Start it when the
 * listener is up to date.
 */
export class StreamCheck {
  readonly #options: StreamCheckOptions
  readonly #stopListening: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastHeardAt = performance.now()
  #isChecking = false
  #isStopped = false

  constructor(options: StreamCheckOptions) {
    this.#options = options
    this.#stopListening = listen(globalThis.document, 'visibilitychange', () =>
      this.#silenceMs > silenceBeforeWakeMs ? this.#check() : this.#checkIfDue(),
    )
    this.#schedule(options.intervalMs)
  }

  /** Call it for each snapshot from the server. */
  recordSnapshot(): void {
    this.#lastHeardAt = performance.now()
  }

  /** Call it when there is a write to confirm. */
  confirmSoon(): void {
    this.#schedule(confirmDelayMs)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#stopListening()
  }

  get #silenceMs(): number {
    return performance.now() - this.#lastHeardAt
  }

  /** Whether there are writes that no snapshot has shown, although the stream is connected. */
  get #hasUnconfirmedWrites(): boolean {
    const { view, isConnected } = this.#options
    return isConnected() && view.unconfirmedWrites().length > 0
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer)
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#checkIfDue(), delayMs)
  }

  async #checkIfDue(): Promise<void> {
    const remainingMs = this.#options.intervalMs - this.#silenceMs
    if (this.#hasUnconfirmedWrites || remainingMs <= 0) await this.#check()
    else this.#schedule(remainingMs)
  }

  async #check(): Promise<void> {
    if (this.#isChecking || globalThis.document?.hidden) return
    this.#isChecking = true
    const { document, intervalMs, view, onSilent } = this.#options
    const startedAt = performance.now()
    const writes = view.unconfirmedWrites()
    try {
      await withTimeout(answerTimeoutMs, getDocFromServer(document))
      // The SDK calls the listener in a new task.
      await new Promise((resolve) => setTimeout(resolve))
      this.recordSnapshot()
      if (!this.#isStopped) view.confirmWrites(writes)
    } catch (error) {
      const isSilent = toServiceError(error).code === 'offline' && this.#lastHeardAt < startedAt
      if (isSilent && !this.#isStopped) {
        onSilent()
        // Rejects if Firestore has been closed meanwhile.
        await restartNetwork(document.firestore).catch(() => {})
      }
    }
    this.#isChecking = false
    this.#schedule(this.#hasUnconfirmedWrites ? confirmDelayMs : intervalMs)
  }
}

async function restartNetwork(db: Firestore): Promise<void> {
  await disableNetwork(db)
  await enableNetwork(db)
}
