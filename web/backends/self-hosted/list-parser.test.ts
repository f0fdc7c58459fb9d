import fc from 'fast-check'
import { expect, test } from 'vitest'
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

test('does not call onPart for a short list or a body without lines', async () => {
  const firstRecords: Employee[][] = []
  const { body } = new Response('{"revision":1,"documents":[]}')
  if (!body) throw new Error('The response has no body.')
  expect(await readBookList(body, async (first) => firstRecords.push(first))).toEqual({
    revision: 1,
    documents: [],
  })
  expect(firstRecords).toEqual([])
})
