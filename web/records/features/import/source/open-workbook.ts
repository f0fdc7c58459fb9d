import { maxBatchSize } from '../../../../../contract/batches.ts'
import * as messages from '../messages.ts'
import { SourceError } from './parse-sheet.ts'
import type { WorkbookSheet } from './read-workbook.ts'
import type { WorkbookMessage } from './workbook-worker.ts'
import workerUrl from './workbook-worker.ts?worker&url'

export interface ReadControls {
  signal?: AbortSignal
  onProgress?(progress: number): void
}

/** Reads the sheets of a workbook in a worker, which ends with `signal`. Rejects with a `SourceError`. */
export async function openWorkbook(bytes: Uint8Array<ArrayBuffer>, { signal, onProgress }: ReadControls) {
  const { promise, resolve, reject } = Promise.withResolvers<WorkbookSheet[]>()
  const worker = new Worker(trustWorkerUrl() as string, { type: 'module' })
  const received: WorkbookSheet['rows'][] = []
  signal?.addEventListener('abort', () => reject(signal.reason))
  worker.onerror = () => reject(new SourceError(messages.parserMissing))
  worker.onmessage = ({ data }: MessageEvent<WorkbookMessage>) => {
    if ('progress' in data) onProgress?.(data.progress)
    else if ('rows' in data) received.push(data.rows)
    else if ('reason' in data) reject(new SourceError(messages.unreadableWorkbooks[data.reason]))
    else resolve(joinSheets(data, received.flat()))
  }
  worker.postMessage({ bytes, maxRows: maxBatchSize + 1 }, [bytes.buffer])
  try {
    return await promise
  } finally {
    worker.terminate()
  }
}

interface ScriptPolicy {
  createScriptURL(input: string): unknown
}

let policy: ScriptPolicy | undefined

/** The policy of the server requires a trusted URL. This one returns the same URL, whatever it is given. */
function trustWorkerUrl(): unknown {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy }
  }
  policy ??= trustedTypes?.createPolicy('workbook-worker', { createScriptURL: () => workerUrl })
  return policy?.createScriptURL('') ?? workerUrl
}

/** Divides the rows of all sheets, in their order. */
function joinSheets(
  { sheets, counts }: Extract<WorkbookMessage, { sheets: unknown }>,
  rows: WorkbookSheet['rows'],
): WorkbookSheet[] {
  let end = 0
  return sheets.map((sheet, i) => {
    const start = end
    end += counts[i] ?? 0
    return { ...sheet, rows: rows.slice(start, end) }
  })
}
