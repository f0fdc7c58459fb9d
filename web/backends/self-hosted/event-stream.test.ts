import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { paths } from '../../../contract/protocol.ts'
import { listenerWith, recordChanges, signUpAndIn } from '../../../tests/support/backend-client.ts'
import { type Relay, startHttpProxy } from '../../../tests/support/http-proxy.ts'
import { ada } from '../../../tests/support/people.ts'
import { provideServer } from '../../../tests/support/provide-server.ts'
import { createBrowser } from '../../../tests/support/self-hosted-backend.ts'
import { ServiceError } from '../ports.ts'
import { createSelfHostedBackend } from './backend.ts'
import type { Send } from './client.ts'
import { createEventParser, readChangeStream } from './event-stream.ts'

// A proxy between the page and the server that interferes with the event stream only.

let proxy: Awaited<ReturnType<typeof startHttpProxy>>
let relay: Relay
/** When each stream was opened, in ms. */
let openedAt: number[]
const interfere: Relay = (body, response, request) => {
  if (request.url?.split('?')[0] !== paths.changes) return void body.pipe(response)
  openedAt.push(performance.now())
  relay(body, response, request)
}
const server = provideServer({}, 'test')
beforeEach(async () => {
  openedAt = []
  proxy = await startHttpProxy(server.url, () => false, interfere)
})

const connect = async () =>
  (await signUpAndIn(createSelfHostedBackend({ ...createBrowser(), base: proxy.url }))).documents

const relays: [string, Relay][] = [
  ['before the first byte', (_stream, response) => void response.end()],
  ['after the first bytes', (stream, response) => stream.once('data', (bytes) => response.end(bytes))],
  [
    'with an error after the first bytes',
    (stream, response) => stream.once('data', (bytes) => response.write(bytes, () => response.destroy())),
  ],
]

test.each(relays)('waits longer each time if a proxy ends every stream %s', async (_, end) => {
  relay = end
  const documents = await connect()
  const { stop } = await recordChanges(documents)
  await expect.poll(() => openedAt.length).toBe(5)
  stop()
  const [, , , fourth = 0, fifth = 0] = openedAt
  // The fourth delay is 1 to 2 s; the first ones are at most 250 ms.
  expect(fifth - fourth).toBeGreaterThan(900)
})

test.each<[string, Relay]>([
  ['ends', (stream, response) => void stream.once('data', (bytes) => response.end(bytes))],
  [
    'holds back',
    (stream, response, { url }) =>
      url?.includes('follow=no') ? void stream.pipe(response) : void stream.resume(),
  ],
])(
  'changes arrive and the connection counts as live although a proxy %s every stream',
  async (_, relayStream) => {
    relay = relayStream
    const documents = await connect()
    const statuses: boolean[] = []
    await documents.list()
    const received: unknown[] = []
    const stop = documents.subscribe(
      listenerWith({
        onChanges: (changes) => void received.push(...changes),
        onConnectionChange: (connected) => void statuses.push(connected),
      }),
    )
    await expect.poll(() => openedAt.length).toBe(2)
    await documents.add(ada, 'k')
    await expect.poll(() => received).toMatchObject([{ document: ada }])
    stop()
    expect(statuses).not.toContain(false)
  },
)

describe('with a stream that this test controls', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Reads a stream that is silent unless `say` is called. `respond` responds to requests for the changes. */
  function readSilentStream(respond: () => Promise<Response>) {
    const asked: number[] = []
    const statuses: boolean[] = []
    const streams: ReadableStreamDefaultController<Uint8Array>[] = []
    const startedAt = performance.now()
    const send: Send = async (_method, path, { signal } = {}) => {
      const open = (stream: (typeof streams)[0]) => {
        streams.push(stream)
        signal?.addEventListener('abort', () => stream.error(signal.reason))
      }
      if (!path.includes('follow=no')) return new Response(new ReadableStream({ start: open }))
      asked.push(Math.round((performance.now() - startedAt) / 1_000))
      return respond()
    }
    const controller = new AbortController()
    const looks = new EventTarget()
    const listener = {
      ...listenerWith({ onConnectionChange: (isConnected) => void statuses.push(isConnected) }),
      onDelivery() {},
    }
    void readChangeStream(send, 0, listener, controller.signal, looks)
    return {
      asked,
      statuses,
      streams,
      say: (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text)),
      look: () => looks.dispatchEvent(new Event('look')),
      stop: () => controller.abort(),
    }
  }

  const respondWith = (text: string) => async () => new Response(text)
  const wait = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

  test('requests the changes while the stream is silent, and no more once it works', async () => {
    const { asked, statuses, say, stop } = readSilentStream(respondWith(':\n\n'))
    await wait(9)
    expect(asked).toEqual([4, 8])
    say(':\n\n')
    await wait(16)
    expect(asked).toEqual([4, 8])
    await wait(2)
    expect(asked).toEqual([4, 8, 26])
    expect(statuses).not.toContain(false)
    stop()
  })

  test('asks soon after somebody has looked at the page, then again while the stream has not delivered the news', async () => {
    const { asked, say, look, stop } = readSilentStream(respondWith('id: 7\nevent: change\ndata: {}\n\n'))
    await wait(1)
    say(':\n\n')
    await wait(1)
    for (let times = 0; times < 3; times++) look()
    await wait(5)
    expect(asked).toEqual([6])
    await wait(4)
    expect(asked).toEqual([6, 10])
    stop()
  })

  test('opens the stream again if the server does not respond either', async () => {
    const { statuses, streams, stop } = readSilentStream(() =>
      Promise.reject(new ServiceError('offline', 'unreachable')),
    )
    await wait(5)
    expect(statuses).toEqual([false])
    expect(streams.length).toBe(2)
    stop()
  })
})

function read(chunks: string[]) {
  const parse = createEventParser()
  return chunks.flatMap((chunk) => parse(chunk))
}

test('parses the name, the id and the data of an event', () => {
  const text = ':\n\nid: 7\nevent: change\ndata: {"a": 1}\n\nevent: stale\ndata: {}\n\n'
  expect(read([text]).slice(1)).toEqual([
    { id: '7', event: 'change', data: '{"a": 1}' },
    { event: 'stale', data: '{}' },
  ])
})

test('does not emit an incomplete event', () => {
  expect(read(['event: change\ndata: half'])).toEqual([])
  expect(read(['event: change\ndata: half\n'])).toEqual([])
})

test('parses the same events for any chunking', () => {
  const data = fc.string({ unit: fc.constantFrom('a', ' ', ':', '{', 'ü') })
  const event = fc.record({ id: fc.nat().map(String), data })
  const property = fc.property(fc.array(event), fc.array(fc.nat(20)), (events, sizes) => {
    let rest = events.map(({ id, data }) => `id: ${id}\ndata: ${data}\n\n`).join('')
    const chunks = sizes.map((size) => {
      const chunk = rest.slice(0, size)
      rest = rest.slice(size)
      return chunk
    })
    expect(read([...chunks, rest])).toEqual(events)
  })
  fc.assert(property)
})
