import type { Employee } from '../../../contract/employees.ts'
import type { BookList } from '../../../contract/protocol.ts'

/** Enough records to fill any screen. */
const firstPartSize = 100

/** Time between further parts, in ms. */
const partIntervalMs = 1_000

/**
 * Reads the body of `GET books`. Passes the first `firstPartSize` records to `onPart` while the others are still being
 * received, then once per `partIntervalMs` those that have arrived since, and reads on when its promise has resolved. This
 * relies on the server writing one document per line; a body without lines is parsed at its end. Each chunk is parsed on
 * arrival, because parsing a long list at once would block painting.
 */
export async function readBookList(
  chunks: AsyncIterable<Uint8Array>,
  onPart?: (employees: Employee[]) => Promise<unknown>,
): Promise<BookList> {
  const decoder = new TextDecoder()
  const documents: Employee[] = []
  /** The text not parsed yet. */
  let buffer = ''
  let header = ''
  let deliveredCount = 0
  let deliveredAt = 0
  for await (const bytes of chunks) {
    buffer += decoder.decode(bytes, { stream: true })
    if (!header) [header, buffer] = splitAt(buffer, buffer.indexOf('\n') + 1)
    if (!header) continue
    const [lines, remainder] = splitAt(buffer, buffer.lastIndexOf(',\n') + 1)
    for (const employee of parseLines(lines)) documents.push(employee)
    buffer = remainder
    const isFirst = deliveredCount === 0
    const isDue = isFirst
      ? documents.length >= firstPartSize
      : performance.now() - deliveredAt > partIntervalMs && documents.length > deliveredCount
    if (!onPart || !isDue) continue
    const part = documents.slice(deliveredCount, isFirst ? firstPartSize : undefined)
    await onPart(part)
    deliveredCount += part.length
    deliveredAt = performance.now()
  }
  const { revision, documents: lastDocuments } = JSON.parse(header + buffer + decoder.decode()) as BookList
  // A network in between may have answered with other JSON.
  if (!Array.isArray(lastDocuments)) throw new TypeError('This is no list.')
  return { revision, documents: documents.concat(lastDocuments) }
}

const splitAt = (text: string, index: number) => [text.slice(0, index), text.slice(index)] as const

/** Parses documents that are each followed by a comma. */
function parseLines(lines: string): Employee[] {
  return lines === '' ? [] : JSON.parse(`[${lines.slice(0, -1)}]`)
}
