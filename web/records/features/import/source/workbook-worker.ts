import { readWorkbook, WorkbookError, type WorkbookSheet } from './read-workbook.ts'

export type WorkbookMessage =
  | { progress: number }
  | { rows: WorkbookSheet['rows'] }
  | { sheets: Omit<WorkbookSheet, 'rows'>[]; counts: number[] }
  | { reason: WorkbookError['reason'] }

const rowsPerMessage = 2_000

const post = (message: WorkbookMessage) => postMessage(message)

/** Reads the workbook that is posted. Posts its rows in parts, because the page would freeze while it receives all of them. */
addEventListener('message', ({ data }: MessageEvent<{ bytes: Uint8Array; maxRows: number }>) => {
  try {
    const sheets = readWorkbook(data.bytes, data.maxRows, (progress) => post({ progress }))
    for (const { rows } of sheets)
      for (let i = 0; i < rows.length; i += rowsPerMessage) post({ rows: rows.slice(i, i + rowsPerMessage) })
    post({
      sheets: sheets.map(({ rows: _, ...sheet }) => sheet),
      counts: sheets.map(({ rows }) => rows.length),
    })
  } catch (error) {
    post({ reason: error instanceof WorkbookError ? error.reason : 'broken' })
  }
})
