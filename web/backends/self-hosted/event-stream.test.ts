import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventParser, type StreamEvent } from './event-stream.ts'

function read(pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const take = createEventParser((event) => events.push(event))
  for (const piece of pieces) take(piece)
  return events
}

test('live: an event has its name, its data of one line or more, and its id', () => {
  expect(
    read(['retry: 1000\n\n: a comment\n\nid: 7\nevent: change\ndata: {"a":\ndata: 1}\n\ndata:plain\n\n']),
  ).toEqual([
    { event: 'change', data: '{"a":\n1}', id: '7' },
    { event: 'message', data: 'plain', id: undefined },
  ])
})

test('live: an event that has not ended is not told', () => {
  expect(read(['event: change\ndata: half'])).toEqual([])
  expect(read(['event: change\ndata: half\n'])).toEqual([])
})

test('live: however a stream is cut, and whatever ends its lines, its events are the same', () => {
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
        const pieces: string[] = []
        let at = 0
        for (const size of sizes) {
          pieces.push(text.slice(at, at + size))
          at += size
        }
        // A lone carriage return at the very end waits for what follows it.
        pieces.push(`${text.slice(at)}: end`)
        expect(read(pieces)).toEqual(
          events.map(({ id, data }) => ({ event: 'message', id, data: data.join('\n') })),
        )
      },
    ),
  )
})
