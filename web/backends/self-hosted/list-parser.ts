import type { Employee } from '../../../contract/employees.ts'
import type { BookList } from '../../../contract/protocol.ts'

/** So many records fill any screen. */
const screenful = 100

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
  let rest = ''
  let opening = ''
  let isTold = false
  for (;;) {
    const { done, value } = await reader.read()
    rest += decoder.decode(value, { stream: !done })
    if (done) break
    if (!opening) [opening, rest] = cutAt(rest, rest.indexOf('\n') + 1)
    if (!opening) continue
    const [lines, after] = cutAt(rest, rest.lastIndexOf(',\n') + 1)
    for (const employee of parsedLines(lines)) documents.push(employee)
    rest = after
    if (isTold || documents.length < screenful) continue
    isTold = true
    await onFirst(documents.slice(0, screenful))
  }
  const { revision, documents: last } = JSON.parse(opening + rest) as BookList
  return { revision, documents: documents.concat(last) }
}

const cutAt = (text: string, place: number) => [text.slice(0, place), text.slice(place)] as const

/** Documents with a comma behind each. */
function parsedLines(lines: string): Employee[] {
  return lines === '' ? [] : JSON.parse(`[${lines.slice(0, -1)}]`)
}
