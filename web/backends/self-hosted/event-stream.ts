import { type ChangeEvent, changeEvents, paths } from '../../../contract/protocol.ts'
import { actAfter, listen } from '../../lib/dom.ts'
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

const headers = { accept: 'text/event-stream' }

/**
 * Reads the stream of changes after the revision `since`, until the signal is aborted. A stream that has ended is opened again
 * and resumes after the last event. If each one ends at once, the delay between them grows. Some proxies end each one after
 * its first bytes; those contain the missed changes, so this is not reported as a lost connection. Others deliver nothing of
 * it: while a stream is silent, the changes are requested. `looks` receives an event `look` when somebody looks at the page.
 * Uses `fetch`, because `EventSource` can't distinguish a lost connection from an ended session.
 */
export async function readChangeStream(
  send: Send,
  since: number,
  listener: StreamListener,
  signal: AbortSignal,
  looks = new EventTarget(),
): Promise<void> {
  let lastRevision = since
  let failures = 0

  async function read(query: string, idleMs: number, signal: AbortSignal, onData: () => void) {
    const path = `${paths.changes}?since=${lastRevision}${query}`
    const { chunks } = await openResponse(send, path, idleMs, { signal, headers })
    for await (const delivery of readDeliveries(chunks, lastRevision)) {
      if (signal.aborted) return
      onData()
      const { revision, isStale } = delivery
      lastRevision = isStale ? revision : Math.max(lastRevision, revision)
      listener.onDelivery(delivery)
    }
  }

  while (!signal.aborted) {
    let openedAt: number | undefined
    let isLost = true
    const connection = new AbortController()
    const either = AbortSignal.any([signal, connection.signal])
    let isAnswered = false
    const setConnected = () => listener.onConnectionChange(true)
    async function ask() {
      const before = lastRevision
      await read('&follow=no', askTimeoutMs, either, setConnected)
      isAnswered = true
      return lastRevision > before
    }
    function loseConnection() {
      isAnswered = false
      connection.abort()
    }
    const silence = watchSilence(ask, loseConnection, looks, failures > 0)
    try {
      await read('', idleTimeoutMs, either, () => {
        if (openedAt === undefined) setConnected()
        openedAt ??= performance.now()
        silence.restart()
      })
      isLost = openedAt === undefined
    } catch (error) {
      if (!signal.aborted && hasCode(error, 'not-signed-in')) return listener.onSessionEnded()
      isLost = !isAnswered
    } finally {
      silence.stop()
      connection.abort()
    }
    if (signal.aborted) return
    if (isLost) listener.onConnectionChange(false)
    if (isAnswered || (openedAt !== undefined && performance.now() - openedAt > stableAfterMs)) failures = 0
    await backOff(failures++, signal)
  }
}

/**
 * How long a stream may be silent, in ms, before the changes are requested: before its first data, also after a lost connection,
 * between heartbeats, and while somebody looks at the page or uses it: the machine may have slept, or be in another network.
 */
const maxSilenceMs = { first: 4_000, afterLoss: 1_000, later: 17_000, whileUsed: 5_000 }
const askIntervalMs = 4_000

/** If the request gets no response either within this time, the connection is lost. */
const askTimeoutMs = 5_000

/** Calls `ask`, which requests the changes, again and again while a stream is silent; `onLost` if the server can't be reached. */
function watchSilence(ask: () => Promise<boolean>, onLost: () => void, looks: EventTarget, wasLost: boolean) {
  let heardAt = performance.now()
  let checkedAt = heardAt
  let maxMs = wasLost ? maxSilenceMs.afterLoss : maxSilenceMs.first
  let isAsking = false
  let isStopped = false
  let cancel = actAfter(maxMs, check)
  const stopLooking = listen(looks, 'look', () => scheduleAt(checkedAt + maxSilenceMs.whileUsed))

  function scheduleAt(time: number) {
    cancel()
    if (!isStopped && !isAsking) cancel = actAfter(Math.max(0, time - performance.now()), check)
  }

  async function check() {
    const askedAt = performance.now()
    isAsking = true
    let hasNews = false
    try {
      hasNews = await ask()
    } catch (error) {
      // Other errors come from the server.
      if (hasCode(error, 'offline') && heardAt < askedAt) onLost()
    }
    isAsking = false
    checkedAt = performance.now()
    const nextAt = checkedAt + askIntervalMs
    // If there were changes, the stream delivers none.
    scheduleAt(hasNews ? nextAt : Math.max(nextAt, heardAt + maxMs))
  }

  return {
    restart() {
      heardAt = checkedAt = performance.now()
      maxMs = maxSilenceMs.later
      scheduleAt(heardAt + maxMs)
    },
    stop() {
      isStopped = true
      stopLooking()
      cancel()
    },
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
