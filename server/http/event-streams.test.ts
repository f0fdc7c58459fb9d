import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { listenLocally } from '../../tests/support/listen.ts'
import { ada } from '../../tests/support/people.ts'
import { formatHead, openConnection } from '../../tests/support/raw-http.ts'
import { startTestServer } from '../../tests/support/server.ts'
import { createEventStreams, type EventStreams } from './event-streams.ts'

const viewerCount = 500

describe('durability: event streams', () => {
  let streams: EventStreams
  let server: ReturnType<typeof createServer>
  let url: string

  beforeEach(async () => {
    streams = createEventStreams({ heartbeatIntervalMs: 100, maxPerOwner: viewerCount })
    server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.open(String(request.url), response, 'ada')
    })
    url = `http://127.0.0.1:${await listenLocally(server)}`
  })
  afterEach(() => {
    streams.close()
    server.closeAllConnections()
    server.close()
  })

  const openStream = (owner: string) => openConnection(url, formatHead('GET', `/${owner}`))

  /** Opens a stream, and another one that is never read. */
  async function openTwo() {
    const [reader, stalled] = [openStream('reader'), openStream('stalled')]
    stalled.socket.pause()
    await expect.poll(streams.count).toBe(2)
    return { reader, stalled }
  }

  it(`deliver a change to ${viewerCount} viewers and are removed when the viewers disconnect`, async () => {
    const viewers = Array.from({ length: viewerCount }, (_, i) => openStream(`owner${i % 50}`))
    await expect.poll(streams.count).toBe(viewerCount)
    streams.broadcast(Buffer.from('data: a change\n\n'))
    await expect.poll(() => viewers.every(({ received }) => received().includes('a change'))).toBe(true)
    for (const { socket } of viewers) socket.destroy()
    await expect.poll(streams.count).toBe(0)
    const lost = new ServerResponse(new IncomingMessage(new Socket())).destroy()
    streams.open('lost before it began', lost, 'ada')
    expect(streams.owners()).toEqual([])
  })

  it('write nothing to a reader that stops reading, not even heartbeats', async () => {
    const { reader } = await openTwo()
    const change = Buffer.alloc(64 * 1024, 'x')
    const skipped = new Set<ServerResponse>()
    for (let sent = 0; skipped.size === 0; sent += change.length) {
      streams.broadcast(change, (stream) => skipped.add(stream))
      do await new Promise(setImmediate)
      while (reader.received().length < sent)
    }
    const [stream] = skipped
    const written = stream?.socket?.bytesWritten
    const { length } = reader.received()
    await expect.poll(() => reader.received().slice(length).split(':\n\n').length).toBeGreaterThan(2)
    expect([skipped.size, stream?.socket?.bytesWritten]).toEqual([1, written])
  })

  it('send nothing after their owner was closed, and close the connections of stalled readers too', async () => {
    const { reader, stalled } = await openTwo()
    for (let i = 0; i < 50; i++) streams.broadcast(Buffer.alloc(64 * 1024, 'x'))
    for (const owner of streams.owners()) streams.closeOwner(owner)
    streams.broadcast(Buffer.from('data: secret\n\n'))
    await expect.poll(reader.received).toMatch(/\n0\r\n\r\n$/)
    expect(reader.received()).not.toContain('secret')
    stalled.socket.resume()
    await stalled.response
  })

  async function startWithReader() {
    const app = await startTestServer()
    const { cookie } = await app.signIn()
    const open = () => app.open(formatHead('GET', paths.changes, { cookie }))
    const reader = open()
    await expect.poll(reader.received).toContain(':\n\n')
    let last = 0
    const add = (password = 'x') => app.storage.employees.add(`r${++last}`, { ...ada, password })
    return { reader, open, add }
  }

  it('send a burst of 200 changes in a few chunks', async () => {
    const { reader, add } = await startWithReader()
    let chunks = 0
    reader.socket.on('data', () => chunks++)
    await Promise.all(Array.from({ length: 200 }, () => add()))
    await expect.poll(() => reader.received().match(/^id: /gm)?.length).toBe(200)
    expect(chunks).toBeLessThan(50)
  })

  it('tell a slow reader what it has missed before what comes next', async () => {
    const { reader, open, add } = await startWithReader()
    open()
    reader.socket.pause()
    let isBehind = false
    const { write } = Socket.prototype
    vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args: unknown[]) {
      if (args[0] === '' && this.remotePort === reader.socket.localPort) isBehind = true
      // As if there were thousands of streams: meanwhile, events are gathered.
      if (isBehind) for (const end = performance.now() + 50; performance.now() < end; );
      return Reflect.apply(write, this, args)
    })
    while (!isBehind) await add('x'.repeat(10_000))
    for (const password of ['a', 'b', 'last']) await add(password)
    reader.socket.resume()
    await expect.poll(reader.received).toContain('"last"')
    const revisions = Array.from(reader.received().matchAll(/"revision":(\d+)/g), ([, text]) => Number(text))
    const inOrder = new Set(revisions.toSorted((a, b) => a - b))
    expect([...new Set(revisions)]).toEqual([...inOrder])
  })
})
