import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSignedInClient } from '../../tests/support/http-client.ts'
import { startTestServer } from '../../tests/support/server.ts'
import { createEventStreams, type EventStreams } from './event-streams.ts'

const viewers = 500

describe('durability: streams', () => {
  let streams: EventStreams
  let server: ReturnType<typeof createServer>
  let url: string

  beforeEach(async () => {
    streams = createEventStreams({
      heartbeatIntervalMs: 100,
      maxBufferedBytes: 100_000,
      maxPerOwner: viewers,
    })
    server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      streams.open(String(request.url), response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    streams.close()
    server.closeAllConnections()
    server.close()
  })

  const openStream = (owner: string) =>
    new Promise<IncomingMessage>((resolve) => get(`${url}/${owner}`, { agent: false }, resolve))

  it(`${viewers} viewers all hear a change, and none is left after they have gone`, async () => {
    const responses = await Promise.all(
      Array.from({ length: viewers }, (_, i) => openStream(`owner${i % 50}`)),
    )
    await expect.poll(streams.count).toBe(viewers)
    const heard = Promise.all(responses.map((response) => waitForText(response, 'a change')))
    streams.broadcast(Buffer.from('data: a change\n\n'))
    await heard
    for (const response of responses) response.destroy()
    await expect.poll(streams.count).toBe(0)
    expect(streams.owners()).toEqual([])
  })

  it('shows life on a quiet stream', async () => {
    const response = await openStream('ada')
    await waitForText(response, ':\n\n')
    response.destroy()
  })

  it('drops a reader that does not read, and no other', async () => {
    const reader = await openStream('reader')
    let read = 0
    reader.on('data', (bytes: Buffer) => {
      read += bytes.length
    })
    const sleeper = await openStalledReader(url)
    await expect.poll(streams.count).toBe(2)
    const change = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    while (streams.count() === 2) {
      streams.broadcast(change)
      sent += change.length
      do await new Promise(setImmediate)
      while (read < sent)
    }
    expect(sent).toBeLessThan(100 * 1024 * 1024)
    expect(streams.owners()).toEqual(['/reader'])
    sleeper.destroy()
    reader.destroy()
  })

  it('sends nothing more to an owner whose streams were ended, and closes the line also where nobody reads', async () => {
    const reader = await openStream('reader')
    let heard = ''
    reader.on('data', (bytes) => {
      heard += bytes
    })
    const sleeper = await openStalledReader(url)
    await expect.poll(streams.count).toBe(2)
    for (let i = 0; i < 50; i++) streams.broadcast(Buffer.alloc(64 * 1024, 'x'))
    const closed = once(sleeper, 'close')
    for (const owner of streams.owners()) streams.closeOwner(owner)
    streams.broadcast(Buffer.from('data: secret\n\n'))
    await once(reader, 'end')
    expect(heard).not.toContain('secret')
    sleeper.resume()
    await closed
  })

  it('sends a burst of changes as one piece', async () => {
    const app = await startTestServer()
    const client = await createSignedInClient(app.url)
    const response = await new Promise<IncomingMessage>((resolve) => {
      get(`${app.url}/api/collections/books/changes`, { headers: { cookie: client.cookie } }, resolve)
    })
    const pieces: string[] = []
    response.on('data', (bytes) => pieces.push(String(bytes)))
    await expect.poll(() => pieces.length).toBe(1)
    const fields = { eName: 'Ada', email: 'ada@example.com', password: 'p' }
    await Promise.all(Array.from({ length: 200 }, (_, i) => app.storage.employees.add(`r${i}`, fields)))
    await expect.poll(() => pieces.join('').match(/^id: /gm)?.length).toBe(200)
    expect(pieces.length).toBeLessThanOrEqual(3)
    response.destroy()
    await app.stop()
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

/** Asks for a stream and never reads from it. */
function openStalledReader(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause()
      socket.write('GET /sleeper HTTP/1.1\r\nHost: x\r\n\r\n')
      resolve(socket)
    })
    socket.on('error', () => {})
  })
}
