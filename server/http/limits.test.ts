import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { createSignedInClient, type TestClient } from '../../tests/support/http-client.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../tests/support/server.ts'
import type { SlowReaderLimits } from './slow-readers.ts'

let server: TestServer
const openSockets: Socket[] = []

afterEach(async () => {
  for (const socket of openSockets.splice(0)) socket.destroy()
  await server.stop()
})

async function start(
  connectionLimits: TestServerOptions['connectionLimits'],
  options: TestServerOptions = {},
) {
  server = await startTestServer({
    ...options,
    connectionLimits: { checkIntervalMs: 50, ...connectionLimits },
  })
}

/** A line to the server; `answer` resolves with all that came on it, once it is closed from the other side. */
function openConnection(firstBytes: string) {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(firstBytes)
  openSockets.push(socket)
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  // Who is cut off amid something may hear of it as an error.
  socket.on('error', () => {})
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(received))
  })
  return { socket, received: () => received, answer }
}

const healthRequest = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const timeoutResponse =
  /^HTTP\/1\.1 408 [\s\S]*"code":"invalid-request","message":"The request took too long to arrive\."/

it('security: headers that do not come in time are 408, however busily they trickle', async () => {
  await start({ headersTimeoutMs: 300 })
  const { socket, answer } = openConnection('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  const trickle = setInterval(() => socket.write('x'), 20)
  expect(await answer).toMatch(timeoutResponse)
  clearInterval(trickle)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

it('security: a body that does not come in time is 408, however busily it trickles', async () => {
  await start({ requestTimeoutMs: 300 })
  const { socket, answer } = openConnection(
    `POST ${paths.session} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
  )
  const trickle = setInterval(() => socket.write(' '), 20)
  expect(await answer).toMatch(timeoutResponse)
  clearInterval(trickle)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

it('security: a pause amid a body is not taken for a reader that sleeps', async () => {
  await start({ stallTimeoutMs: 100 })
  const body = JSON.stringify({ email: 'ada@example.com', password: 'a wrong guess' })
  const { socket, answer } = openConnection(
    `POST ${paths.session} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  )
  setTimeout(() => socket.write(body.slice(1)), 500)
  expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
})

it('durability: who has dialled and says nothing does not keep the server from stopping', async () => {
  await start({})
  const { answer } = openConnection('')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await server.restart()
  expect(await answer).toBe('')
})

it('security: one connection too many is closed without a word, and let in once there is room', async () => {
  await start({ maxConnections: 3 })
  const served = [openConnection(healthRequest), openConnection(healthRequest), openConnection(healthRequest)]
  for (const { received } of served) await expect.poll(received).toMatch(/^HTTP\/1\.1 200 /)
  expect(await openConnection(healthRequest).answer).toBe('')
  served[0]?.socket.destroy()
  await expect
    .poll(async () => {
      const { socket, received, answer } = openConnection(healthRequest)
      await Promise.race([answer, once(socket, 'data')])
      return received()
    })
    .toMatch(/^HTTP\/1\.1 200 /)
})

describe('security: readers of the list', () => {
  /** More than the system takes off the server's hands, on both sides of a line. */
  const records = 1200
  const text = 'x'.repeat(10_000)
  const fields = { eName: text, email: 'ada@example.com', password: text }
  let client: TestClient

  async function startWithLargeList(stallTimeoutMs: number, unreadLimits?: SlowReaderLimits) {
    await start({ stallTimeoutMs }, unreadLimits ? { slowReaderLimits: unreadLimits } : {})
    client = await createSignedInClient(server.url)
    await Promise.all(
      Array.from({ length: records }, (_, i) => server.storage.employees.add(`r${i}`, fields)),
    )
  }

  function requestList(cookie = client.cookie) {
    return openConnection(
      `GET ${paths.books} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: ${cookie}\r\n\r\n`,
    )
  }

  /** Asks for the list, and reads no more than how it begins. */
  async function openStalledReader(cookie?: string) {
    const reader = requestList(cookie)
    await once(reader.socket, 'data')
    reader.socket.pause()
    return reader
  }

  it('who does not read is cut off, also where the session has ended', async () => {
    await startWithLargeList(1000)
    const before = await server.countConnections()
    const sleepers = await Promise.all([openStalledReader(), openStalledReader(), openStalledReader()])
    await client.call('DELETE', paths.sessions)
    await expect.poll(server.countConnections).toBeLessThanOrEqual(before)
    for (const { socket, answer } of sleepers) {
      socket.resume()
      expect((await answer).length).toBeLessThan(records * text.length * 2)
    }
  })

  it('who reads slowly but steadily gets all of it', async () => {
    await startWithLargeList(1000)
    const { socket, answer } = requestList()
    socket.on('data', () => {
      socket.pause()
      setTimeout(() => socket.resume(), 10)
    })
    const [, body = ''] = (await answer).split('\r\n\r\n')
    expect(JSON.parse(body).documents).toHaveLength(records)
  })

  it('so many different lists as nobody reads are held in memory, of one account and of all; then 503 busy', async () => {
    await startWithLargeList(60_000, {
      perOwner: { maxBytes: 0, maxBodies: 2 },
      total: { maxBytes: 0, maxBodies: 3 },
    })
    const other = await createSignedInClient(server.url, 'grace@example.com')
    const change = () => server.storage.employees.update('r0', fields)
    const ok = /^HTTP\/1\.1 200 /
    const busy = /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n[\s\S]*"code":"busy"/

    const first = await openStalledReader()
    expect(first.received()).toMatch(ok)
    await change()
    // The same list takes no more room, however many read it.
    for (let i = 0; i < 3; i++) expect((await openStalledReader()).received()).toMatch(ok)
    await change()
    expect(await requestList().answer).toMatch(busy)
    expect((await openStalledReader(other.cookie)).received()).toMatch(ok)
    await change()
    expect(await requestList(other.cookie).answer).toMatch(busy)

    first.socket.destroy()
    await expect.poll(async () => (await openStalledReader()).received()).toMatch(ok)
  })
})
