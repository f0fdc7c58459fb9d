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
  /** The changes are not available: the list must be read again. */
  isStale: boolean
}

interface StreamListener extends Pick<ChangeListener, 'onConnectionChange' | 'onSessionEnded'> {
  /** Called at least once for each chunk of data that is received. */
  onDelivery(delivery: Delivery): void
}

/** The server sends a heartbeat every 15 s; a connection without data for this long is considered lost. */
const idleTimeoutMs = 40_000

/** A stream that has stayed open for this long counts as working: the delays between attempts start again. */
const stableAfterMs = 5_000

/**
 * Reads the stream of changes after the revision `since`, until the returned function is called. A stream that has ended is
 * opened again and resumes after the last event. If each one ends at once, the delay between them grows. Some proxies end
 * each one after its first bytes; those contain the missed changes, so this is not reported as a lost connection. Uses
 * `fetch`, because `EventSource` can't distinguish a lost connection from an ended session.
 */
export function openChangeStream(send: Send, since: number, listener: StreamListener): () => void {
  const stopController = new AbortController()
  const { signal } = stopController
  let lastRevision = since
  let failures = 0

  async function reconnectLoop() {
    while (!signal.aborted) {
      let hasDelivered = false
      try {
        hasDelivered = await readStream()
      } catch (error) {
        if (!signal.aborted && hasCode(error, 'not-signed-in')) return listener.onSessionEnded()
      }
      if (signal.aborted) return
      if (!hasDelivered) listener.onConnectionChange(false)
      await backOff(failures++, signal)
    }
  }

  /** Reads a stream to its end. Returns whether it has delivered anything. */
  async function readStream(): Promise<boolean> {
    let openedAt: number | undefined
    const path = `${paths.changes}?since=${lastRevision}`
    const headers = { accept: 'text/event-stream' }
    try {
      const { chunks } = await openResponse(send, path, idleTimeoutMs, { signal, headers })
      const { readEvent, deliver } = createReader()
      const parse = createEventParser(readEvent)
      const decoder = new TextDecoder()
      for await (const bytes of chunks) {
        if (openedAt === undefined) listener.onConnectionChange(true)
        openedAt ??= performance.now()
        parse(decoder.decode(bytes, { stream: true }))
        deliver()
      }
      return openedAt !== undefined
    } finally {
      if (openedAt !== undefined && performance.now() - openedAt > stableAfterMs) failures = 0
    }
  }

  /** Collects the events of one connection into deliveries. */
  function createReader() {
    let revision = lastRevision
    let changes: ChangeEvent[] = []
    /** Only the last missed change has an id. Until it arrives, they may be incomplete. */
    let incomplete: ChangeEvent[] = []

    function deliver(isStale = false) {
      if (signal.aborted) return
      const delivery = { since: lastRevision, revision, changes, isStale }
      lastRevision = revision
      changes = []
      listener.onDelivery(delivery)
    }

    function readEvent({ event, data, id }: StreamEvent) {
      if (event === changeEvents.change) incomplete.push(JSON.parse(data))
      if (!id) return
      const isStale = event === changeEvents.stale
      if (isStale) deliver()
      revision = Number(id)
      changes.push(...incomplete)
      incomplete = []
      if (isStale) deliver(true)
    }

    return { readEvent, deliver }
  }

  void reconnectLoop()
  return () => stopController.abort()
}

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  event: string
  data: string
  /** Undefined if the event has none of its own. */
  id: string | undefined
}

/**
 * Parses an event stream. Returns a function that takes the text in chunks of any size. Comments and unused fields are
 * ignored.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createEventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let buffer = ''
  let fields: { event?: string; id?: string; data?: string } = {}

  function parseLine(line: string) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`
    if (name === 'event' || name === 'id') fields[name] = value
  }

  function dispatchEvent() {
    const { event = 'message', data, id } = fields
    fields = {}
    if (data !== undefined) onEvent({ event, data, id })
  }

  return (text) => {
    // A carriage return at the end of a chunk may be the first half of a CRLF.
    const lines = (buffer + text).split(/\r\n|\n|\r(?!$)/)
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') dispatchEvent()
      else parseLine(line)
    }
  }
}
