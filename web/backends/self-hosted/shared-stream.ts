import type { ChangeEvent } from '../../../contract/protocol.ts'
import type { ChangeListener } from '../ports.ts'
import type { Send } from './client.ts'
import { runForLeader } from './leadership.ts'
import { type Delivery, openChangeStream } from './reconnect.ts'

export interface SharedStreamListener extends Omit<ChangeListener, 'onChanges'> {
  onChanges(changes: ChangeEvent[]): void
}

/** What the leader tells the other tabs. `isConnected` is undefined until its first attempt to connect has ended. */
interface Report extends Delivery {
  isConnected: boolean | undefined
}

type Message = Report | 'report-please' | 'session-ended'

/** After this time without a report, a tab asks for one, in ms. Reduced at random by up to a half, so that one tab asks. */
const silenceMs = 12_000

/** A leader that does not answer within this time is replaced: its tab is frozen, or its machine was asleep. In ms. */
const answerTimeoutMs = 3_000

/**
 * Delivers the changes after the revision `since`, each once and in order, until the returned function is called. The tabs
 * that use the same name share one event stream, because with HTTP/1.1 a browser opens only six connections to a server:
 * a leader reads the stream and reports to the others through a `BroadcastChannel`.
 *
 * A report covers a range of revisions. A tab ignores what it already has, whoever reports it. If it misses the changes
 * before a range, it takes over and opens the stream at its own position, so the tab furthest behind leads.
 */
export function openSharedStream(
  send: Send,
  since: number,
  name: string,
  listener: SharedStreamListener,
): () => void {
  const channel = new BroadcastChannel(name)
  /** The listener has received all changes up to this revision. */
  let position = since
  let isConnected: boolean | undefined
  let isLeading = false
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const candidate = runForLeader(name, lead)

  function lead() {
    isLeading = true
    clearTimeout(timer)
    const stopStream = openChangeStream(send, position, {
      onDelivery: report,
      onConnectionChange(connected) {
        isConnected = connected
        listener.onConnectionChange(connected)
        reportPosition()
      },
      onSessionEnded() {
        channel.postMessage('session-ended' satisfies Message)
        endSession()
      },
    })
    return () => {
      isLeading = false
      stopStream()
      askForReport()
    }
  }

  function report(delivery: Delivery) {
    channel.postMessage({ ...delivery, isConnected } satisfies Message)
    deliver(delivery)
  }

  function reportPosition() {
    report({ since: position, revision: position, changes: [], isStale: false })
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data === 'report-please') {
      if (isLeading) reportPosition()
    } else if (data === 'session-ended') endSession()
    else {
      if (!isLeading) follow(data)
      deliver(data)
    }
  }

  function follow(report: Report) {
    clearTimeout(timer)
    timer = setTimeout(askForReport, silenceMs * (0.5 + Math.random() / 2))
    if (report.isConnected === undefined || report.isConnected === isConnected) return
    isConnected = report.isConnected
    listener.onConnectionChange(isConnected)
  }

  function askForReport() {
    if (isLeading || isClosed) return
    clearTimeout(timer)
    channel.postMessage('report-please' satisfies Message)
    timer = setTimeout(candidate.takeOver, answerTimeoutMs)
  }

  function deliver({ since, revision, changes, isStale }: Delivery) {
    if (isStale) {
      const isForTabsBehind = since < position && revision <= position
      if (isForTabsBehind) return
      position = revision
      listener.onStale()
    } else if (since > position) candidate.takeOver()
    else {
      // Missed changes are not in the order of their revisions, so compare all with the position before the range.
      const newer = changes.filter((change) => change.revision > position)
      position = Math.max(position, revision)
      if (newer.length > 0) listener.onChanges(newer)
    }
  }

  function endSession() {
    close()
    listener.onSessionEnded()
  }

  function close() {
    isClosed = true
    candidate.resign()
    channel.close()
    clearTimeout(timer)
    globalThis.document?.removeEventListener('visibilitychange', askIfVisible)
  }

  /** The leader may be a tab that the browser has frozen in the background. */
  function askIfVisible() {
    if (!document.hidden) askForReport()
  }

  globalThis.document?.addEventListener('visibilitychange', askIfVisible)
  askForReport()
  return close
}
