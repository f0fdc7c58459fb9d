import type { Employee } from '../../../contract/employees.ts'
import type { BookList } from '../../../contract/protocol.ts'

/** So many records fill any screen. */
const firstBatchSize = 100

/**
 * Reads the answer of `GET books`, and tells the first records while the others are still on their way. It can, because
 * the service writes one document a line; an answer without lines is read just as well, only not early. Each piece is
 * parsed as it comes: all at the end would keep the page from being painted meanwhile.
 */
export async function readBookList(
  response: Response,
  onFirst?: (employees: Employee[]) => Promise<unknown>,
): Promise<BookList> {
  if (!onFirst || !response.body) return response.json()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const documents: Employee[] = []
  /** What of the text is not parsed yet; before the first document's line, all of it. */
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

/** Documents with a comma behind each. */
function parseLines(lines: string): Employee[] {
  return lines === '' ? [] : JSON.parse(`[${lines.slice(0, -1)}]`)
}
