import type { ImportSource } from '../../../model/view.ts'
import * as messages from '../messages.ts'
import { LockedError, type SheetRow, SourceError } from './parse-sheet.ts'
import { type ParsedSource, parseSource, type SourceChoice } from './parse-source.ts'

export interface ParseRequest {
  source: ImportSource
  choice?: SourceChoice | undefined
  password?: string | undefined
}

export type ParseMessage =
  | { progress: number }
  | { rows: SheetRow[] }
  /** All rows have been posted before. */
  | { parsed: Omit<ParsedSource, 'rows'> }
  | { problem: string; isLocked: boolean }

const rowsPerMessage = 1_000

const post = (message: ParseMessage) => postMessage(message)

/** Parses the source that is posted. Posts its rows in parts, because the page would freeze while it receives all of them. */
async function parse({ source, ...options }: ParseRequest) {
  const { rows, ...parsed } = await parseSource(source, {
    ...options,
    onProgress: (progress) => post({ progress }),
  })
  for (let i = 0; i < rows.length; i += rowsPerMessage) post({ rows: rows.slice(i, i + rowsPerMessage) })
  post({ parsed })
}

addEventListener('message', ({ data }: MessageEvent<ParseRequest>) => {
  parse(data).catch((error: unknown) => {
    const problem = error instanceof SourceError ? error.message : messages.fileUnreadable
    post({ problem, isLocked: error instanceof LockedError })
  })
})
