import type { Message } from '../../../../language/translate.ts'
import type { HeldSource } from './held-source.ts'
import { type ParsedSource, type ParseOptions, parseSource } from './parse-source.ts'
import { LockedError, type SheetRow, toSourceError } from './sheet.ts'

export type ParseRequest = ParseOptions & { source: HeldSource }

export type ParseMessage =
  | { progress: number }
  | { rows: SheetRow[] }
  /** All rows have been posted before. */
  | { parsed: Omit<ParsedSource, 'rows'> }
  | { problem: Message | ''; isLocked: boolean }

const rowsPerMessage = 1_000

const post = (message: ParseMessage) => postMessage(message)

/** Parses the source that is posted. Posts its rows in parts, because the page would freeze while it receives all of them. */
addEventListener('message', async ({ data: { source, ...options } }: MessageEvent<ParseRequest>) => {
  try {
    const { rows, ...parsed } = await parseSource(source, options, (progress) => post({ progress }))
    for (let i = 0; i < rows.length; i += rowsPerMessage) post({ rows: rows.slice(i, i + rowsPerMessage) })
    post({ parsed })
  } catch (error) {
    post({ problem: toSourceError(error).problem, isLocked: error instanceof LockedError })
  }
})
