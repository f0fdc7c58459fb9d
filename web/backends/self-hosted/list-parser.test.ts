import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import { readBookList } from './list-parser.ts'

const employee: fc.Arbitrary<Employee> = fc.record({
  id: fc.uuid(),
  eName: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('",\n{},\n')),
  email: fc.emailAddress(),
  password: fc.string(),
})

/** A body in the server's format, in chunks of these sizes. */
function createBody(documents: Employee[], sizes: number[]) {
  const lines = documents.map((document) => JSON.stringify(document)).join(',\n')
  const bytes = new TextEncoder().encode(`{"revision":7,"documents":[\n${lines}\n]}`)
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = sizes.shift() ?? bytes.length
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
      else controller.close()
      at += size
    },
  })
}

test('parses the complete list for any chunking, and passes its beginning to onPart', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(employee, { maxLength: 130, size: 'max' }),
      fc.array(fc.integer({ min: 1, max: 3000 })),
      async (documents, sizes) => {
        const firstRecords: Employee[][] = []
        const list = await readBookList(createBody(documents, sizes), async (first) =>
          firstRecords.push(first),
        )
        expect(list).toEqual({ revision: 7, documents })
        expect(firstRecords).toEqual(documents.length > 100 ? [documents.slice(0, 100)] : [])
      },
    ),
    { numRuns: 50 },
  )
})

test('reads a body without lines, and does not call onPart for it', async () => {
  const onPart = vi.fn()
  const body = new Blob(['{"revision":1,"documents":[]}']).stream()
  expect(await readBookList(body, onPart)).toEqual({ revision: 1, documents: [] })
  expect(onPart).not.toHaveBeenCalled()
})

test.each(['{"ok":true}', '{}', '[]', 'null'])(
  'JSON that is no list, from a network in between, is refused: %s',
  async (text) => {
    await expect(readBookList(new Blob([text]).stream())).rejects.toThrow()
  },
)
