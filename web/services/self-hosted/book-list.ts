import type { Employee } from '../../../contract/employees.ts'
import type { BookList } from '../../../contract/protocol.ts'

/** So many records fill any screen. */
const screenful = 100

/**
 * Reads the answer of `GET books`, and tells the first records while the others are still on their way. It can, because
 * the service writes one document a line; an answer without lines is read just as well, only not early.
 */
export async function readBookList(
  response: Response,
  onFirst?: (employees: Employee[]) => Promise<unknown>,
): Promise<BookList> {
  if (!onFirst || !response.body) return response.json()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let isTold = false
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    if (done) return JSON.parse(text)
    if (isTold) continue
    const first = firstDocuments(text, screenful)
    if (first) await onFirst(first)
    isTold = first !== null
  }
}

/** The first documents of a list of which only the beginning is there; null where it is too short to hold so many. */
export function firstDocuments(text: string, count: number): Employee[] | null {
  const start = text.indexOf('\n') + 1
  let end = start
  for (let line = 0; line < count; line++) {
    end = text.indexOf(',\n', end) + 1
    if (end === 0) return null
  }
  return JSON.parse(`[${text.slice(start, end - 1)}]`)
}
