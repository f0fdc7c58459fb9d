import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { type Client, signedIn } from '../../tests/support/http-client.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../tests/support/server.ts'
import type { UnreadLimits } from './slow-readers.ts'

let server: TestServer
const open: Socket[] = []

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await server.stop()
})

async function start(
  connectionLimits: TestServerOptions['connectionLimits'],
  options: TestServerOptions = {},
) {
  server = await startTestServer({ ...options, connectionLimits: { lookEvery: 50, ...connectionLimits } })
}

/** A line to the server; `answer` resolves with all that came on it, once it is closed from the other side. */
function dial(first: string) {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(first)
  open.push(socket)
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  // Who is cut off amid something may hear of it as an error.
  socket.on('error', () => {})
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(heard))
  })
  return { socket, heard: () => heard, answer }
}

const whole = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const late =
  /^HTTP\/1\.1 408 [\s\S]*"code":"invalid-request","message":"The request took too long to arrive\."/

it('security: headers that do not come in time are 408, however busily they trickle', async () => {
  await start({ headersArrival: 300 })
  const { socket, answer } = dial('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  const trickle = setInterval(() => socket.write('x'), 20)
  expect(await answer).toMatch(late)
  clearInterval(trickle)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

it('security: a body that does not come in time is 408, however busily it trickles', async () => {
  await start({ arrival: 300 })
  const { socket, answer } = dial(
    `POST ${paths.session} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
  )
  const trickle = setInterval(() => socket.write(' '), 20)
  expect(await answer).toMatch(late)
  clearInterval(trickle)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

it('security: a pause amid a body is not taken for a reader that sleeps', async () => {
  await start({ standstill: 100 })
  const body = JSON.stringify({ email: 'ada@example.com', password: 'a wrong guess' })
  const { socket, answer } = dial(
    `POST ${paths.session} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  )
  setTimeout(() => socket.write(body.slice(1)), 500)
  expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
})

it('durability: who has dialled and says nothing does not keep the server from stopping', async () => {
  await start({})
  const { answer } = dial('')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await server.restart()
  expect(await answer).toBe('')
})

it('security: one connection too many is closed without a word, and let in once there is room', async () => {
  await start({ connections: 3 })
  const served = [dial(whole), dial(whole), dial(whole)]
  for (const { heard } of served) await expect.poll(heard).toMatch(/^HTTP\/1\.1 200 /)
  expect(await dial(whole).answer).toBe('')
  served[0]?.socket.destroy()
  await expect
    .poll(async () => {
      const { socket, heard, answer } = dial(whole)
      await Promise.race([answer, once(socket, 'data')])
      return heard()
    })
    .toMatch(/^HTTP\/1\.1 200 /)
})

describe('security: readers of the list', () => {
  /** More than the system takes off the server's hands, on both sides of a line. */
  const records = 1200
  const text = 'x'.repeat(10_000)
  const fields = { eName: text, email: 'ada@example.com', password: text }
  let client: Client

  async function startLarge(standstill: number, unreadLimits?: UnreadLimits) {
    await start({ standstill }, unreadLimits ? { unreadLimits } : {})
    client = await signedIn(server.url)
    await Promise.all(Array.from({ length: records }, (_, i) => server.storage.books.add(`r${i}`, fields)))
  }

  function dialForList(cookie = client.cookie) {
    return dial(
      `GET ${paths.books} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: ${cookie}\r\n\r\n`,
    )
  }

  /** Asks for the list, and reads no more than how it begins. */
  async function sleeper(cookie?: string) {
    const reader = dialForList(cookie)
    await once(reader.socket, 'data')
    reader.socket.pause()
    return reader
  }

  it('who does not read is cut off, also where the session has ended', async () => {
    await startLarge(1000)
    const before = await server.connections()
    const sleepers = await Promise.all([sleeper(), sleeper(), sleeper()])
    await client.call('DELETE', paths.sessions)
    await expect.poll(server.connections).toBeLessThanOrEqual(before)
    for (const { socket, answer } of sleepers) {
      socket.resume()
      expect((await answer).length).toBeLessThan(records * text.length * 2)
    }
  })

  it('who reads slowly but steadily gets all of it', async () => {
    await startLarge(1000)
    const { socket, answer } = dialForList()
    socket.on('data', () => {
      socket.pause()
      setTimeout(() => socket.resume(), 10)
    })
    const [, body = ''] = (await answer).split('\r\n\r\n')
    expect(JSON.parse(body).documents).toHaveLength(records)
  })

  it('so many different lists as nobody reads are held in memory, of one account and of all; then 503 busy', async () => {
    await startLarge(60_000, { perOwner: { bytes: 0, bodies: 2 }, inAll: { bytes: 0, bodies: 3 } })
    const other = await signedIn(server.url, 'grace@example.com')
    const change = () => server.storage.books.update('r0', fields)
    const ok = /^HTTP\/1\.1 200 /
    const busy = /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n[\s\S]*"code":"busy"/

    const first = await sleeper()
    expect(first.heard()).toMatch(ok)
    await change()
    // The same list takes no more room, however many read it.
    for (let i = 0; i < 3; i++) expect((await sleeper()).heard()).toMatch(ok)
    await change()
    expect(await dialForList().answer).toMatch(busy)
    expect((await sleeper(other.cookie)).heard()).toMatch(ok)
    await change()
    expect(await dialForList(other.cookie).answer).toMatch(busy)

    first.socket.destroy()
    await expect.poll(async () => (await sleeper()).heard()).toMatch(ok)
  })
})
