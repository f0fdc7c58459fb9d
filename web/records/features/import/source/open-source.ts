import { msg } from '../../../../language/translate.ts'
import { trustScriptUrl } from '../../../../lib/workers.ts'
import type { ParsedSource, ParseMessage, ParseRequest } from './parse-source.ts'
import workerUrl from './parse-worker.ts?worker&url'
import { createLoadError, LockedError, type SheetRow, SourceError } from './sheet.ts'

export interface ReadControls {
  signal: AbortSignal
  onProgress(progress: number): void
}

/** The time within which a worker reports something. A damaged file may make a reader run without end. */
const maxSilenceSeconds = 120

/**
 * Reads and parses a source in a worker, which ends with `signal`, or when it takes too long. Rejects with a `SourceError`, or with
 * the reason of `signal`.
 */
export async function openSource(request: ParseRequest, { signal, onProgress }: ReadControls) {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<ParsedSource>()
  const worker = new Worker(trustScriptUrl('import-worker', workerUrl), { type: 'module' })
  const received: SheetRow[][] = []
  let silentSeconds = 0
  // Seconds in which the computer sleeps do not count.
  const clock = setInterval(() => {
    if (++silentSeconds >= maxSilenceSeconds) reject(new SourceError(tooLong))
  }, 1_000)
  signal.addEventListener('abort', () => reject(signal.reason))
  // A reader's error is a message.
  worker.onerror = () => reject(createLoadError())
  worker.onmessage = ({ data }: MessageEvent<ParseMessage>) => {
    silentSeconds = 0
    if ('progress' in data) onProgress(data.progress)
    else if ('rows' in data) received.push(data.rows)
    else if ('parsed' in data) resolve({ ...data.parsed, rows: received.flat() })
    else reject(new (data.isLocked ? LockedError : SourceError)(data.problem))
  }
  worker.postMessage(request)
  try {
    return await promise
  } finally {
    clearInterval(clock)
    worker.terminate()
  }
}

const tooLong = msg('Reading this took too long, so it was stopped. Export it as CSV and import that.')
