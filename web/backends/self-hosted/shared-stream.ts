import type { ChangeEvent } from '../../../contract/protocol.ts'
import { listen, stopAll } from '../../lib/dom.ts'
import type { ChangeListener } from '../ports.ts'
import type { Send } from './client.ts'
import { type Delivery, readChangeStream } from './event-stream.ts'

export interface SharedStreamListener extends Omit<ChangeListener, 'onChanges'> {
  onChanges(changes: ChangeEvent[]): void
}

/** What the leader tells the other tabs. `isConnected` is undefined until its first attempt to connect has ended. */
interface Report extends Delivery {
  isConnected: boolean | undefined
}

type Message = Report | 'report-please' | 'session-ended'

/** A tab asks for a report after this silence, in ms, reduced at random by up to a half, so that one tab asks. */
const silenceMs = 12_000

/** A tab that is looked at or used asks for a report if it had none for this time, in ms. */
const lookIntervalMs = 5_000

/** A leader that does not answer within this time is replaced: its tab is frozen, or its machine was asleep. In ms. */
const answerTimeoutMs = 3_000

/**
 * Delivers the changes after a revision, each once and in order, until it is closed. The tabs that use the same name share
 * one event stream, because with HTTP/1.1 a browser opens only six connections to a server: a leader reads the stream and
 * reports to the others through a `BroadcastChannel`.
 *
 * A report covers a range of revisions. A tab ignores what it already has, whoever reports it. If it misses the changes
 * before a range, it takes over and opens the stream at its own position, so the tab furthest behind leads.
 *
 * The leader holds a Web Lock. When its page is closed or crashes, the next tab gets the lock immediately. Web Locks need
 * HTTPS or localhost; elsewhere every visible tab leads, so hidden tabs hold no connection.
 */
export class SharedStream {
  readonly #send: Send
  readonly #name: string
  readonly #listener: SharedStreamListener
  readonly #channel: BroadcastChannel
  readonly #closing = new AbortController()
  /** The listener has received all changes up to this revision. */
  #position: number
  #isConnected: boolean | undefined
  /** Aborted when this tab no longer leads; undefined while it does not. */
  #leadership: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #looks = new EventTarget()
  #reportedAt = 0

  constructor(send: Send, since: number, name: string, listener: SharedStreamListener) {
    this.#send = send
    this.#name = name
    this.#listener = listener
    this.#position = since
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = ({ data }) => this.#receive(data)
    const stopListening = stopAll(
      listen(globalThis.document, 'visibilitychange', () => {
        if (!navigator.locks) this.#leadWhileVisible()
        if (document.hidden) return
        // The leader may be a tab that the browser has frozen in the background.
        this.#askForReport()
        this.#look()
      }),
      listen(globalThis.document, 'pointerdown keydown', this.#look),
      listen(globalThis.window, 'focus online', this.#look),
    )
    this.#closing.signal.addEventListener('abort', stopListening)
    if (navigator.locks) void this.#campaign()
    else this.#leadWhileVisible()
    this.#askForReport()
  }

  readonly close = () => {
    this.#closing.abort()
    this.#channel.close()
    clearTimeout(this.#timer)
  }

  /** Tells all tabs that the session has ended. */
  readonly endSession = () => {
    if (this.#closing.signal.aborted) return
    this.#post('session-ended')
    this.#notifyOfEnd()
  }

  /** Makes the leader check its connection, because somebody is there who would rely on it. */
  readonly #look = () => {
    if (document.hidden) return
    if (this.#leadership) this.#looks.dispatchEvent(new Event('look'))
    else if (performance.now() - this.#reportedAt > lookIntervalMs) this.#askForReport()
  }

  #leadWhileVisible() {
    if (document.hidden) this.#endLeadership(this.#leadership)
    else if (!this.#leadership) this.#lead(new AbortController())
  }

  /** Waits until no other tab leads, then leads until another one takes over, again and again. */
  async #campaign() {
    const { signal } = this.#closing
    let hasLed = true
    // While its page is unloaded, WebKit rejects each request at once.
    while (hasLed) hasLed = await this.#leadWithLock(new AbortController(), { signal })
  }

  /** Leads at once, because the present leader is silent or can't be followed. */
  #takeOver() {
    if (this.#leadership || this.#closing.signal.aborted || !navigator.locks) return
    this.#leadership = new AbortController()
    void this.#leadWithLock(this.#leadership, { steal: true })
  }

  /** Leads while this tab holds the lock. Resolves with whether it got it. */
  async #leadWithLock(leadership: AbortController, options: LockOptions): Promise<boolean> {
    const { signal } = this.#closing
    const closed = new Promise((resolve) => signal.addEventListener('abort', resolve))
    let hasLed = false
    const lead = () => {
      if (signal.aborted) return
      hasLed = true
      this.#lead(leadership)
      return closed
    }
    // Rejects when another tab takes the lock, or when this one is closed while it waits.
    await navigator.locks.request(this.#name, options, lead).catch(() => {})
    this.#endLeadership(leadership)
    return hasLed
  }

  #lead(leadership: AbortController) {
    this.#leadership = leadership
    clearTimeout(this.#timer)
    const listener = {
      onDelivery: (delivery: Delivery) => this.#report(delivery),
      onConnectionChange: (connected: boolean) => {
        if (connected === this.#isConnected) return
        this.#setConnected(connected)
        this.#reportPosition()
      },
      onSessionEnded: this.endSession,
    }
    const signal = AbortSignal.any([leadership.signal, this.#closing.signal])
    void readChangeStream(this.#send, this.#position, listener, signal, this.#looks)
  }

  #endLeadership(leadership: AbortController | undefined) {
    leadership?.abort()
    if (leadership !== this.#leadership) return
    this.#leadership = undefined
    this.#askForReport()
  }

  #post(message: Message) {
    this.#channel.postMessage(message)
  }

  #report(delivery: Delivery) {
    this.#post({ ...delivery, isConnected: this.#isConnected })
    this.#deliver(delivery)
  }

  #reportPosition() {
    this.#report({ since: this.#position, revision: this.#position, changes: [], isStale: false })
  }

  #receive(message: Message) {
    if (message === 'session-ended') this.#notifyOfEnd()
    else if (message !== 'report-please') {
      if (!this.#leadership) this.#follow(message)
      this.#deliver(message)
    } else if (this.#leadership) {
      this.#reportPosition()
      this.#looks.dispatchEvent(new Event('look'))
    }
  }

  #follow({ isConnected }: Report) {
    clearTimeout(this.#timer)
    this.#reportedAt = performance.now()
    this.#timer = setTimeout(() => this.#askForReport(), silenceMs * (0.5 + Math.random() / 2))
    if (isConnected !== undefined) this.#setConnected(isConnected)
  }

  #setConnected(isConnected: boolean) {
    if (isConnected === this.#isConnected) return
    this.#isConnected = isConnected
    this.#listener.onConnectionChange(isConnected)
  }

  #askForReport() {
    if (this.#leadership || this.#closing.signal.aborted) return
    clearTimeout(this.#timer)
    this.#post('report-please')
    this.#timer = setTimeout(() => this.#takeOver(), answerTimeoutMs)
  }

  #deliver({ since, revision, changes, isStale }: Delivery) {
    if (isStale) {
      const isForTabsBehind = since < this.#position && revision <= this.#position
      if (isForTabsBehind) return
      this.#position = revision
      this.#listener.onStale()
    } else if (since > this.#position) this.#takeOver()
    else {
      // Missed changes are not in the order of their revisions, so compare all with the position before the range.
      const newer = changes.filter((change) => change.revision > this.#position)
      this.#position = Math.max(this.#position, revision)
      if (newer.length > 0) this.#listener.onChanges(newer)
    }
  }

  #notifyOfEnd() {
    this.close()
    this.#listener.onSessionEnded()
  }
}
