import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventParser, type StreamEvent } from './event-stream.ts'

function read(chunks: string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const parse = createEventParser((event) => events.push(event))
  for (const chunk of chunks) parse(chunk)
  return events
}

test('parses the name, the id and multi-line data of an event', () => {
  expect(
    read(['retry: 1000\n\n: a comment\n\nid: 7\nevent: change\ndata: {"a":\ndata: 1}\n\ndata:plain\n\n']),
  ).toEqual([
    { event: 'change', data: '{"a":\n1}', id: '7' },
    { event: 'message', data: 'plain', id: undefined },
  ])
})

test('does not emit an incomplete event', () => {
  expect(read(['event: change\ndata: half'])).toEqual([])
  expect(read(['event: change\ndata: half\n'])).toEqual([])
})

test('parses the same events for any chunking and any line ending', () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', ':', '{', 'ü') })
  const event = fc.record({ id: fc.nat().map(String), data: fc.array(line, { minLength: 1, maxLength: 3 }) })
  fc.assert(
    fc.property(
      fc.array(event),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(20)),
      (events, end, sizes) => {
        const text = events
          .map(({ id, data }) => [`id: ${id}`, ...data.map((one) => `data: ${one}`), '', ''].join(end))
          .join('')
        const chunks: string[] = []
        let at = 0
        for (const size of sizes) {
          chunks.push(text.slice(at, at + size))
          at += size
        }
        // The parser waits for the character after a final carriage return.
        chunks.push(`${text.slice(at)}: end`)
        expect(read(chunks)).toEqual(
          events.map(({ id, data }) => ({ event: 'message', id, data: data.join('\n') })),
        )
      },
    ),
  )
})
