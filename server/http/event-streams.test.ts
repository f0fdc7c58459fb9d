import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      streams.open(String(request.url), response, 'ada')
    })
    url = `http://127.0.0.1:${await listenLocally(server)}`
  })
  afterEach(() => {
    streams.close()
    server.closeAllConnections()
    server.close()
  })

  const openStream = (owner: string) =>
    new Promise<IncomingMessage>((resolve) => get(`${url}/${owner}`, { agent: false }, resolve))

  it(`deliver a change to ${viewerCount} viewers and are removed when the viewers disconnect`, async () => {
    const open = (_: unknown, i: number) => openStream(`owner${i % 50}`)
    const responses = await Promise.all(Array.from({ length: viewerCount }, open))
    await expect.poll(streams.count).toBe(viewerCount)
    const received = Promise.all(responses.map((response) => waitForText(response, 'a change')))
    streams.broadcast(Buffer.from('data: a change\n\n'))
    await received
    for (const response of responses) response.destroy()
    await expect.poll(streams.count).toBe(0)
    expect(streams.owners()).toEqual([])
  })

  it('write nothing to a reader that stops reading, not even heartbeats', async () => {
    const reader = await openStream('reader')
    await openStalledReader(url)
    await expect.poll(streams.count).toBe(2)
    const change = Buffer.alloc(64 * 1024, 'x')
    const skipped = new Set<ServerResponse>()
    let read = 0
    reader.on('data', (bytes: Buffer) => {
      read += bytes.length
    })
    for (let sent = 0; skipped.size === 0; sent += change.length) {
      streams.broadcast(change, (stream) => skipped.add(stream))
      do await new Promise(setImmediate)
      while (read < sent)
    }
    const [stream] = skipped
    const written = stream?.socket?.bytesWritten
    await waitForText(reader, ':\n\n')
    await waitForText(reader, ':\n\n')
    expect([skipped.size, stream?.socket?.bytesWritten]).toEqual([1, written])
    reader.destroy()
  })

  it('send nothing after their owner was closed, and close the connections of stalled readers too', async () => {
    const reader = await openStream('reader')
    let received = ''
    reader.on('data', (bytes) => {
      received += bytes
    })
    const stalled = await openStalledReader(url)
    await expect.poll(streams.count).toBe(2)
    for (let i = 0; i < 50; i++) streams.broadcast(Buffer.alloc(64 * 1024, 'x'))
    const closed = once(stalled, 'close')
    for (const owner of streams.owners()) streams.closeOwner(owner)
    streams.broadcast(Buffer.from('data: secret\n\n'))
    await once(reader, 'end')
    expect(received).not.toContain('secret')
    stalled.resume()
    await closed
  })

  it('send a burst of 200 changes in a few chunks', async () => {
    const app = await startTestServer()
    const client = await app.signIn()
    const response = await new Promise<IncomingMessage>((resolve) => {
      get(`${app.url}/api/collections/books/changes`, { headers: { cookie: client.cookie } }, resolve)
    })
    const chunks: string[] = []
    response.on('data', (bytes) => chunks.push(String(bytes)))
    await expect.poll(() => chunks.length).toBe(1)
    await Promise.all(Array.from({ length: 200 }, (_, i) => app.storage.employees.add(`r${i}`, ada)))
    await expect.poll(() => chunks.join('').match(/^id: /gm)?.length).toBe(200)
    expect(chunks.length).toBeLessThan(50)
    response.destroy()
  })
})

function waitForText(response: IncomingMessage, text: string): Promise<void> {
  return new Promise((resolve) => {
    let received = ''
    response.on('data', (bytes) => {
      received += bytes
      if (received.includes(text)) resolve()
    })
  })
}

/** Opens a stream and never reads from it. */
async function openStalledReader(url: string): Promise<Socket> {
  const { socket, sent } = openConnection(url, formatHead('GET', '/stalled'))
  socket.pause()
  await sent
  return socket
}
