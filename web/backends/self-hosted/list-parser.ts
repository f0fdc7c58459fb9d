import type { Employee } from '../../../contract/employees.ts'
import type { BookList } from '../../../contract/protocol.ts'

/** Enough records to fill any screen. */
const firstBatchSize = 100

/**
 * Reads the response of `GET books` and passes the first `firstBatchSize` records to `onFirst` while the others are still
 * being received. This relies on the server writing one document per line; a response without lines is parsed at its end.
 * Each chunk is parsed on arrival, because parsing a long list at once would block painting.
 */
export async function readBookList(
  response: Response,
  onFirst?: (employees: Employee[]) => Promise<unknown>,
): Promise<BookList> {
  if (!onFirst || !response.body) return response.json()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const documents: Employee[] = []
  /** The text not parsed yet. */
  let buffer = ''
  let header = ''
  let hasNotified = false
  for (;;) {
    const { done, value } = await reader.read()
    buffer += decoder.decode(value, { stream: !done })
    if (done) break
    if (!header) [header, buffer] = splitAt(buffer, buffer.indexOf('\n') + 1)
    if (!header) continue
    const [lines, remainder] = splitAt(buffer, buffer.lastIndexOf(',\n') + 1)
    for (const employee of parseLines(lines)) documents.push(employee)
    buffer = remainder
    if (hasNotified || documents.length < firstBatchSize) continue
    hasNotified = true
    await onFirst(documents.slice(0, firstBatchSize))
  }
  const { revision, documents: lastDocuments } = JSON.parse(header + buffer) as BookList
  return { revision, documents: documents.concat(lastDocuments) }
}

const splitAt = (text: string, index: number) => [text.slice(0, index), text.slice(index)] as const

/** Parses documents that are each followed by a comma. */
function parseLines(lines: string): Employee[] {
  return lines === '' ? [] : JSON.parse(`[${lines.slice(0, -1)}]`)
}
