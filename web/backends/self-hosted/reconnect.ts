import { type ChangeEvent, changeEvents } from '../../../contract/protocol.ts'
import { backOff } from '../backoff.ts'
import { ServiceError } from '../ports.ts'
import { createEventReader, type StreamEvent } from './event-stream.ts'

export interface StreamObserver {
  change(change: ChangeEvent): void
  /** What was missed cannot be told: the list must be read again. */
  stale(): void
  connected(connected: boolean): void
  ended(): void
}

/** Opens the stream of what came after this revision. */
export type OpenStream = (since: number, signal: AbortSignal) => Promise<Response>

/** The service sends a heartbeat every 15 s; a line that is silent for longer than this is dead. */
const longestSilence = 40_000

/**
 * Follows the stream of changes until the returned function is called, through lost connections: each new one resumes
 * where the last one broke. Read with `fetch`, because `EventSource` does not tell a lost line from an ended session.
 */
export function followChanges(open: OpenStream, since: number, observer: StreamObserver): () => void {
  const stopping = new AbortController()
  let position = since
  let failures = 0

  async function follow() {
    while (!stopping.signal.aborted) {
      try {
        await readOnce()
      } catch (error) {
        if (stopping.signal.aborted) return
        if (error instanceof ServiceError && error.code === 'not-signed-in') {
          observer.ended()
          return
        }
      }
      if (stopping.signal.aborted) return
      observer.connected(false)
      await backOff(failures++, stopping.signal)
    }
  }

  async function readOnce() {
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), longestSilence)
    try {
      const response = await open(position, AbortSignal.any([stopping.signal, silence.signal]))
      failures = 0
      observer.connected(true)
      const read = createEventReader(onEvent)
      const decoder = new TextDecoder()
      for await (const bytes of chunksOf(response)) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), longestSilence)
        read(decoder.decode(bytes, { stream: true }))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  function onEvent(event: StreamEvent) {
    if (stopping.signal.aborted) return
    if (event.event === changeEvents.change) observer.change(JSON.parse(event.data))
    if (event.event === changeEvents.stale) observer.stale()
    if (event.id) position = Number(event.id)
  }

  void follow()
  return () => stopping.abort()
}

/** A response's bytes; Safari has no async iteration of streams yet. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
