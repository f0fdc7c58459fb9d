import { msg } from '../../../../language/translate.ts'
import { trustScriptUrl } from '../../../../lib/workers.ts'
import { LockedError, type SheetRow, SourceError } from './parse-sheet.ts'
import type { ParsedSource } from './parse-source.ts'
import type { ParseMessage, ParseRequest } from './parse-worker.ts'
import workerUrl from './parse-worker.ts?worker&url'

export interface ReadControls {
  signal: AbortSignal
  onProgress(progress: number): void
}

/** Reads and parses a source in a worker, which ends with `signal`. Rejects with a `SourceError`. */
export async function openSource(request: ParseRequest, { signal, onProgress }: ReadControls) {
  const { promise, resolve, reject } = Promise.withResolvers<ParsedSource>()
  const worker = new Worker(trustScriptUrl('import-worker', workerUrl), { type: 'module' })
  const received: SheetRow[][] = []
  signal.addEventListener('abort', () => reject(signal.reason))
  worker.onerror = () =>
    reject(new SourceError(msg('This part of the page didn’t load. Check your connection.')))
  worker.onmessage = ({ data }: MessageEvent<ParseMessage>) => {
    if ('progress' in data) onProgress(data.progress)
    else if ('rows' in data) received.push(data.rows)
    else if ('parsed' in data) resolve({ ...data.parsed, rows: received.flat() })
    else reject(new (data.isLocked ? LockedError : SourceError)(data.problem))
  }
  worker.postMessage(request)
  try {
    return await promise
  } finally {
    worker.terminate()
  }
}
