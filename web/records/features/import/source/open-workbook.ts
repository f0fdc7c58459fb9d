import { maxBatchSize } from '../../../../../contract/batches.ts'
import * as messages from '../messages.ts'
import { SourceError } from './parse-sheet.ts'
import type { WorkbookSheet } from './read-workbook.ts'
import type { WorkbookMessage } from './workbook-worker.ts'

export interface ReadControls {
  signal?: AbortSignal
  onProgress?(progress: number): void
}

/** Reads the sheets of a workbook in a worker, which ends with `signal`. Rejects with a `SourceError`. */
export async function openWorkbook(bytes: Uint8Array<ArrayBuffer>, { signal, onProgress }: ReadControls) {
  const { promise, resolve, reject } = Promise.withResolvers<WorkbookSheet[]>()
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), { type: 'module' })
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
