import { type ChangeEvent, changeEvents } from '../../../contract/protocol.ts'
import { backOff } from '../backoff.ts'
import { ServiceError } from '../ports.ts'
import { createEventParser, type StreamEvent } from './event-stream.ts'

export interface StreamListener {
  onChange(change: ChangeEvent): void
  /** What was missed cannot be told: the list must be read again. */
  onStale(): void
  onConnectionChange(connected: boolean): void
  onSessionEnded(): void
}

/** Opens the stream of what came after this revision. */
export type OpenStream = (since: number, signal: AbortSignal) => Promise<Response>

/** The service sends a heartbeat every 15 s; a line that is silent for longer than this is dead. */
const idleTimeoutMs = 40_000

/**
 * Follows the stream of changes until the returned function is called, through lost connections: each new one resumes
 * where the last one broke. Read with `fetch`, because `EventSource` does not tell a lost line from an ended session.
 */
export function openChangeStream(open: OpenStream, since: number, listener: StreamListener): () => void {
  const stopController = new AbortController()
  let lastRevision = since
  let failures = 0

  async function reconnectLoop() {
    while (!stopController.signal.aborted) {
      try {
        await readStream()
      } catch (error) {
        if (stopController.signal.aborted) return
        if (error instanceof ServiceError && error.code === 'not-signed-in') {
          listener.onSessionEnded()
          return
        }
      }
      if (stopController.signal.aborted) return
      listener.onConnectionChange(false)
      await backOff(failures++, stopController.signal)
    }
  }

  async function readStream() {
    const idleController = new AbortController()
    let timer = setTimeout(() => idleController.abort(), idleTimeoutMs)
    try {
      const response = await open(
        lastRevision,
        AbortSignal.any([stopController.signal, idleController.signal]),
      )
      failures = 0
      listener.onConnectionChange(true)
      const parse = createEventParser(onEvent)
      const decoder = new TextDecoder()
      for await (const bytes of readChunks(response)) {
        clearTimeout(timer)
        timer = setTimeout(() => idleController.abort(), idleTimeoutMs)
        parse(decoder.decode(bytes, { stream: true }))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  function onEvent(event: StreamEvent) {
    if (stopController.signal.aborted) return
    if (event.event === changeEvents.change) listener.onChange(JSON.parse(event.data))
    if (event.event === changeEvents.stale) listener.onStale()
    if (event.id) lastRevision = Number(event.id)
  }

  void reconnectLoop()
  return () => stopController.abort()
}

/** A response's bytes; Safari has no async iteration of streams yet. */
async function* readChunks(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
