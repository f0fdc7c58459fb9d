import type { ChangeEvent } from '../../../contract/protocol.ts'
import { listen } from '../../lib/dom.ts'
import type { ChangeListener } from '../ports.ts'
import type { Send } from './client.ts'
import { type Delivery, openChangeStream } from './event-stream.ts'
import { type Candidate, runForLeader } from './leadership.ts'

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

/** A leader that does not answer within this time is replaced: its tab is frozen, or its machine was asleep. In ms. */
const answerTimeoutMs = 3_000

/**
 * Delivers the changes after a revision, each once and in order, until it is closed. The tabs that use the same name share
 * one event stream, because with HTTP/1.1 a browser opens only six connections to a server: a leader reads the stream and
 * reports to the others through a `BroadcastChannel`.
 *
 * A report covers a range of revisions. A tab ignores what it already has, whoever reports it. If it misses the changes
 * before a range, it takes over and opens the stream at its own position, so the tab furthest behind leads.
 */
export class SharedStream {
  readonly #send: Send
  readonly #listener: SharedStreamListener
  readonly #channel: BroadcastChannel
  readonly #candidate: Candidate
  readonly #stopListening: () => void
  /** The listener has received all changes up to this revision. */
  #position: number
  #isConnected: boolean | undefined
  #isLeading = false
  #isClosed = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: Send, since: number, name: string, listener: SharedStreamListener) {
    this.#send = send
    this.#listener = listener
    this.#position = since
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = ({ data }) => this.#receive(data)
    // The leader may be a tab that the browser has frozen in the background.
    this.#stopListening = listen(globalThis.document, 'visibilitychange', () => {
      if (!document.hidden) this.#askForReport()
    })
    this.#candidate = runForLeader(name, () => this.#lead())
    this.#askForReport()
  }

  readonly close = () => {
    this.#isClosed = true
    this.#candidate.resign()
    this.#channel.close()
    clearTimeout(this.#timer)
    this.#stopListening()
  }

  /** Tells all tabs that the session has ended. */
  readonly endSession = () => {
    if (this.#isClosed) return
    this.#post('session-ended')
    this.#notifyOfEnd()
  }

  #lead() {
    this.#isLeading = true
    clearTimeout(this.#timer)
    const stopStream = openChangeStream(this.#send, this.#position, {
      onDelivery: (delivery) => this.#report(delivery),
      onConnectionChange: (connected) => {
        this.#setConnected(connected)
        this.#reportPosition()
      },
      onSessionEnded: this.endSession,
    })
    return () => {
      this.#isLeading = false
      stopStream()
      this.#askForReport()
    }
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
      if (!this.#isLeading) this.#follow(message)
      this.#deliver(message)
    } else if (this.#isLeading) this.#reportPosition()
  }

  #follow({ isConnected }: Report) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#askForReport(), silenceMs * (0.5 + Math.random() / 2))
    if (isConnected !== undefined) this.#setConnected(isConnected)
  }

  #setConnected(isConnected: boolean) {
    if (isConnected === this.#isConnected) return
    this.#isConnected = isConnected
    this.#listener.onConnectionChange(isConnected)
  }

  #askForReport() {
    if (this.#isLeading || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#post('report-please')
    this.#timer = setTimeout(this.#candidate.takeOver, answerTimeoutMs)
  }

  #deliver({ since, revision, changes, isStale }: Delivery) {
    if (isStale) {
      const isForTabsBehind = since < this.#position && revision <= this.#position
      if (isForTabsBehind) return
      this.#position = revision
      this.#listener.onStale()
    } else if (since > this.#position) this.#candidate.takeOver()
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
