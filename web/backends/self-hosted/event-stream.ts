import { type ChangeEvent, changeEvents, paths } from '../../../contract/protocol.ts'
import { backOff } from '../backoff.ts'
import { type ChangeListener, hasCode } from '../ports.ts'
import { openResponse, type Send } from './client.ts'

/** What the stream delivers after the revision `since`, up to and including `revision`. */
export interface Delivery {
  since: number
  revision: number
  /** All changes in this range; none if a heartbeat was received. */
  changes: ChangeEvent[]
  /** Changes in this range are not available: the list must be read again. */
  isStale: boolean
}

interface StreamListener extends Pick<ChangeListener, 'onConnectionChange' | 'onSessionEnded'> {
  /** Called for each chunk of data that is received. */
  onDelivery(delivery: Delivery): void
}

/** The server sends a heartbeat every 15 s; a connection without data for this long is considered lost. */
const idleTimeoutMs = 40_000

/** A stream that has stayed open for this long counts as working: the delays between attempts start again. */
const stableAfterMs = 5_000

/**
 * Reads the stream of changes after the revision `since`, until the signal is aborted. A stream that has ended is opened again
 * and resumes after the last event. If each one ends at once, the delay between them grows. Some proxies end each one after
 * its first bytes; those contain the missed changes, so this is not reported as a lost connection. Uses `fetch`, because
 * `EventSource` can't distinguish a lost connection from an ended session.
 */
export async function readChangeStream(
  send: Send,
  since: number,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const headers = { accept: 'text/event-stream' }
  let lastRevision = since
  let failures = 0

  while (!signal.aborted) {
    let openedAt: number | undefined
    let isLost = true
    try {
      const path = `${paths.changes}?since=${lastRevision}`
      const { chunks } = await openResponse(send, path, idleTimeoutMs, { signal, headers })
      for await (const delivery of readDeliveries(chunks, lastRevision)) {
        if (signal.aborted) return
        if (openedAt === undefined) listener.onConnectionChange(true)
        openedAt ??= performance.now()
        lastRevision = delivery.revision
        listener.onDelivery(delivery)
      }
      isLost = openedAt === undefined
    } catch (error) {
      if (!signal.aborted && hasCode(error, 'not-signed-in')) return listener.onSessionEnded()
    }
    if (signal.aborted) return
    if (isLost) listener.onConnectionChange(false)
    if (openedAt !== undefined && performance.now() - openedAt > stableAfterMs) failures = 0
    await backOff(failures++, signal)
  }
}

/** Reads the events of one connection; those that a chunk completes are delivered together. */
async function* readDeliveries(
  chunks: AsyncIterable<Uint8Array>,
  lastRevision: number,
): AsyncGenerator<Delivery> {
  const decoder = new TextDecoder()
  const parse = createEventParser()
  let revision = lastRevision
  /** Only the last missed change has an id. Until it arrives, they may be incomplete. */
  let incomplete: ChangeEvent[] = []
  for await (const bytes of chunks) {
    const delivery: Delivery = { since: revision, revision, changes: [], isStale: false }
    for (const { event, data = '', id } of parse(decoder.decode(bytes, { stream: true }))) {
      if (event === changeEvents.change) incomplete.push(JSON.parse(data))
      if (event === changeEvents.stale) delivery.isStale = true
      if (!id) continue
      revision = delivery.revision = Number(id)
      delivery.changes.push(...incomplete)
      incomplete = []
    }
    yield delivery
  }
}

type StreamEvent = Partial<Record<string, string>>

/**
 * Returns a function that takes the text of an event stream in chunks of any size, and returns the fields of the events that
 * are complete. Our server writes each field in one line, and ends lines with a line feed only.
 */
export function createEventParser(): (text: string) => StreamEvent[] {
  let buffer = ''
  return (text) => {
    const events = (buffer + text).split('\n\n')
    buffer = events.pop() ?? ''
    return events.map((event) =>
      Object.fromEntries(event.split('\n').map((line) => line.split(/: (.*)/s, 2))),
    )
  }
}
