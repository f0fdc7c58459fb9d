import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import type { TestClient } from '../../tests/support/http-client.ts'
import { ada, record, renamed } from '../../tests/support/people.ts'
import { formatHead } from '../../tests/support/raw-http.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../tests/support/server.ts'
import type { SlowReaderLimits } from './large-responses.ts'

let server: TestServer
const openConnection = (text: string) => server.open(text)

async function start(limits: TestServerOptions['connectionLimits'], options: TestServerOptions = {}) {
  server = await startTestServer({ ...options, connectionLimits: { checkIntervalMs: 50, ...limits } })
}

const healthRequest = formatHead('GET', '/healthz')
const json = { 'content-type': 'application/json' }
const timeoutResponse =
  /^HTTP\/1\.1 408 [\s\S]*"code":"invalid-request","message":"The request took too long to arrive\."/

it.each([
  ['headers', { headersTimeoutMs: 300 }, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
  [
    'a body',
    { requestTimeoutMs: 300 },
    `${formatHead('POST', paths.session, { ...json, 'content-length': 10_000 })}{`,
  ],
])(
  'security: returns 408 for %s arriving too slowly, even if it keeps trickling',
  async (_, limits, text) => {
    await start(limits)
    const { socket, response } = openConnection(text)
    const trickle = setInterval(() => socket.write(' '), 20)
    expect(await response).toMatch(timeoutResponse)
    clearInterval(trickle)
    // On a busy machine the headers of this request may take too long as well.
    await expect.poll(async () => (await fetch(`${server.url}/healthz`)).status).toBe(200)
  },
)

it('security: closes a connection whose request is followed by rubbish, and adds nothing to its response', async () => {
  await start({})
  const client = await server.signIn()
  const { cookie } = client
  const record = JSON.stringify(ada)
  const head = formatHead('POST', paths.books, { cookie, ...json, 'content-length': record.length })
  const add = openConnection(`${head}${record}\x00rubbish\r\n\r\n`)
  expect(await add.response).toBe('')
  await expect.poll(async () => await client.documents()).toHaveLength(1)

  const stream = openConnection(formatHead('GET', paths.changes, { cookie }))
  await expect.poll(stream.received).toContain(':\n\n')
  const before = stream.received()
  stream.socket.write('\x00rubbish\r\n\r\n')
  expect(await stream.response).toBe(before)

  const chunked = formatHead('POST', paths.books, { cookie, ...json, 'transfer-encoding': 'chunked' })
  const body = openConnection(`${chunked}no chunk\r\n`)
  expect(await body.response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
})

it('security: handles one request of a connection at a time, and closes it if another arrives before the response', async () => {
  await start({})
  const { cookie } = await server.signIn()
  const list = formatHead('GET', paths.books, { cookie })
  const { socket, received, response } = openConnection(list)
  await expect.poll(received).toContain('documents')
  socket.write(formatHead('GET', paths.changes, { cookie }))
  await expect.poll(received).toContain(':\n\n')
  const before = received()
  socket.write(list.repeat(100))
  expect(await response).toBe(before)
})

it('security: does not treat a pause within a request body as a stalled reader', async () => {
  await start({ stallTimeoutMs: 100 })
  const body = JSON.stringify({ email: 'ada@example.com', password: 'a wrong guess' })
  const headers = { ...json, connection: 'close', 'content-length': body.length }
  const { socket, response } = openConnection(`${formatHead('POST', paths.session, headers)}{`)
  setTimeout(() => socket.write(body.slice(1)), 500)
  expect(await response).toMatch(/^HTTP\/1\.1 401 /)
})

describe('security: a body that is refused before its end', () => {
  // More than the kernel holds.
  const bytes = 8 * 2 ** 20
  const body = ' '.repeat(bytes)
  const chunks = { 'transfer-encoding': 'chunked' }
  const chunked = `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const declared = { 'content-length': bytes }
  const close = { connection: 'close' }

  it.each([
    ['in one piece', declared, body],
    ['in chunks', chunks, chunked],
    ['in one piece, the last one', { ...declared, ...close }, body],
    ['in chunks, the last one', { ...chunks, ...close }, chunked],
  ])(
    'is read to its end, so that the response arrives and no proxy makes it a 502: %s',
    async (_, headers, text) => {
      await start({})
      const { socket, response } = openConnection(
        formatHead('POST', paths.session, { ...json, ...headers }) + text,
      )
      const errors: Error[] = []
      socket.on('error', (error) => errors.push(error))
      expect(await response).toMatch(/^HTTP\/1\.1 413 /)
      expect(errors).toEqual([])
    },
  )

  it('counts no longer as unfinished, so that the rest of it gets no second response', async () => {
    server = await startTestServer({ maxUnfinishedBodyBytes: 1_000_000 })
    const { socket, received, response } = openConnection(
      `${formatHead('POST', paths.session, { ...json, ...chunks })}10000\r\n${' '.repeat(0x10000)}\r\n`,
    )
    await expect.poll(received).toContain('too-large')
    socket.write(chunked)
    expect(await response).not.toContain(' 408 ')
  })
})

it('durability: an idle connection does not delay shutdown', async () => {
  await start({})
  const { response } = openConnection('')
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await server.restart()
  expect(await response).toBe('')
})

it.each([
  ['the limit', { maxConnections: 2 }],
  ['that of their address', { maxConnectionsPerAddress: 2 }],
])(
  'security: closes connections beyond %s and accepts new ones once there is capacity',
  async (_, limits) => {
    await start(limits)
    const served = [openConnection(healthRequest), openConnection(healthRequest)]
    for (const { received } of served) await expect.poll(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(await openConnection(healthRequest).response).toBe('')
    served[0]?.socket.destroy()
    const receive = async () => {
      const { socket, received, response } = openConnection(healthRequest)
      await Promise.race([response, once(socket, 'data')])
      return received()
    }
    await expect.poll(receive).toMatch(/^HTTP\/1\.1 200 /)
  },
)

it('security: limits unfinished bodies of strangers in all, at the cost of the oldest', async () => {
  server = await startTestServer({ maxUnfinishedBodyBytes: 40_000, localOnly: false })
  const begin = (path: string) =>
    openConnection(formatHead('POST', path, { ...json, 'content-length': 16_000 }) + ' '.repeat(15_000))
  const attackers = [begin(paths.session), begin(paths.accounts)]
  await expect.poll(server.countConnections).toBe(2)
  for (let i = 0; i < 20; i++) attackers.push(begin(paths.session))
  expect(await attackers[0]?.response).toMatch(timeoutResponse)
  expect(await attackers[1]?.response).toMatch(timeoutResponse)
  await expect.poll(server.countConnections).toBe(2)
  const client = server.connect()
  expect((await client.signUp('ada@example.com')).status).toBe(201)
  expect((await client.signIn('ada@example.com')).status).toBe(200)
})

it('security: limits unfinished records in all, so that many small pieces take little memory', async () => {
  server = await startTestServer({ maxUnfinishedBodyBytes: 4_000_000 })
  const { cookie } = await server.signIn()
  const head = formatHead('POST', paths.books, { cookie, ...json, 'transfer-encoding': 'chunked' })
  expect(await openConnection(head + '1\r\n \r\n'.repeat(10_000)).response).toMatch(timeoutResponse)
  const client = await server.signIn()
  expect((await client.add(ada)).status).toBe(201)
})

it('security: limits the bodies of one member that lack their end, however quickly the rest arrives', async () => {
  server = await startTestServer({ maxUnfinishedBodyBytes: 1_000_000 })
  const { cookie } = await server.signIn()
  const [count, bytes] = [20, 250_000]
  const head = formatHead('POST', paths.books, { cookie, ...json, 'content-length': bytes })
  const members = Array.from({ length: count }, () => openConnection(head + ' '.repeat(bytes - 10)))
  await Promise.any(members.map(({ response }) => response))
  await expect.poll(server.countConnections).toBeLessThan(count / 2)
})

it('security: does not keep the body of a request that has no use for it', async () => {
  await start({})
  const { cookie } = await server.signIn()
  const head = formatHead('GET', paths.changes, { cookie, 'content-length': 20_000_000 })
  const { socket, received } = openConnection(head)
  await expect.poll(received).toContain(':\n\n')
  socket.write(' '.repeat(20_000_000))
  await expect.poll(() => socket.writableLength).toBe(0)
})

it('security: accepts small bodies only without a session, and none at unknown addresses', async () => {
  server = await startTestServer()
  const statusOf = async (method: string, path: string, length: number) => {
    const { received } = openConnection(`${formatHead(method, path, { ...json, 'content-length': length })}{`)
    await expect.poll(received).toContain('\r\n\r\n')
    return Number(received().split(' ')[1])
  }
  for (const path of [paths.accounts, paths.session]) expect(await statusOf('POST', path, 16_385)).toBe(413)
  expect(await statusOf('DELETE', paths.session, 1_025)).toBe(413)
  for (const method of ['POST', 'PUT', 'OPTIONS', 'DELETE']) {
    expect(await statusOf(method, '/api/unknown', 10_000)).toBe(404)
  }
})

describe('security: readers of the list', () => {
  /** Together larger than the socket buffers of both sides. */
  const records = 1200
  const text = 'x'.repeat(10_000)
  const fields = renamed(text, record({ password: text }))
  let client: TestClient

  async function startWithLargeList(stallTimeoutMs: number, slowReaderLimits?: SlowReaderLimits) {
    await start({ stallTimeoutMs }, slowReaderLimits ? { slowReaderLimits } : {})
    client = await server.signIn()
    const add = Array.from({ length: records }, (_, i) => ({ id: `r${i}`, ...fields }))
    await server.storage.employees.writeBatch({ add, update: [], remove: [] })
  }

  function requestList(cookie = client.cookie) {
    return openConnection(formatHead('GET', paths.books, { cookie, connection: 'close' }))
  }

  /** Requests the list and stops reading after the first bytes. */
  async function openStalledReader(cookie?: string) {
    const reader = requestList(cookie)
    await once(reader.socket, 'data')
    reader.socket.pause()
    return reader
  }

  it('are disconnected when they stop reading, even if the session has ended', async () => {
    await startWithLargeList(1000)
    const before = await server.countConnections()
    const stalled = await Promise.all([openStalledReader(), openStalledReader(), openStalledReader()])
    await client.delete(paths.sessions)
    await expect.poll(server.countConnections).toBeLessThanOrEqual(before)
    for (const { socket, response } of stalled) {
      // A reset also discards what the kernel has not yet sent.
      const reset = once(socket, 'error')
      socket.resume()
      expect((await reset)[0]).toMatchObject({ code: 'ECONNRESET' })
      expect((await response).length).toBeLessThan(records * text.length * 2)
    }
  })

  it('receive the whole list if they read slowly but steadily', { tags: 'large' }, async () => {
    await startWithLargeList(3000)
    const { socket, response } = requestList()
    let pauseMs = 0
    socket.on('data', () => {
      // In total longer than a reader may stall.
      if (pauseMs > 4000) return
      pauseMs += 40
      socket.pause()
      setTimeout(() => socket.resume(), 40)
    })
    const [, body = ''] = (await response).split('\r\n\r\n')
    expect(JSON.parse(body).documents).toHaveLength(records)
  })

  /** Opens a stream that stops reading, then adds records. */
  async function pauseStream(stallTimeoutMs: number) {
    await start({ stallTimeoutMs }, { streamOptions: { heartbeatIntervalMs: 50 } })
    client = await server.signIn()
    const before = await server.countConnections()
    const stream = openConnection(
      `GET ${paths.changes} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${client.cookie}\r\n\r\n`,
    )
    await expect.poll(stream.received).toContain(':\n\n')
    stream.socket.pause()
    for (let i = 0; i < records; i++) await server.storage.employees.add(`r${i}`, fields)
    return { before, ...stream }
  }

  it('are told what they have missed once they read again', async () => {
    const { socket, received } = await pauseStream(10 * 60_000)
    socket.resume()
    await expect.poll(received).toContain(`id: ${records}\n`)
    await server.storage.employees.add('last', fields)
    await expect.poll(received).toContain(`id: ${records + 1}\n`)
  })

  it('are disconnected if they never read again', async () => {
    const { before, socket, response } = await pauseStream(1_000)
    await expect.poll(server.countConnections).toBe(before)
    socket.resume()
    expect(await response).not.toContain(`id: ${records}\n`)
  })

  it('can keep a limited number of list versions in memory, per account and in total; then 503 busy', async () => {
    await startWithLargeList(60_000, {
      perOwner: { maxBytes: 0, maxBodies: 2 },
      total: { maxBytes: 0, maxBodies: 3 },
    })
    const other = await server.signIn('grace@example.com')
    const change = () => server.storage.employees.update('r0', fields)
    const ok = /^HTTP\/1\.1 200 /
    const busy = /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n[\s\S]*"code":"busy"/

    const first = await openStalledReader()
    expect(first.received()).toMatch(ok)
    await change()
    // Further readers of the same version take no more memory.
    for (let i = 0; i < 3; i++) expect((await openStalledReader()).received()).toMatch(ok)
    await change()
    expect(await requestList().response).toMatch(busy)
    expect((await openStalledReader(other.cookie)).received()).toMatch(ok)
    await change()
    expect(await requestList(other.cookie).response).toMatch(busy)
    // Other large responses share the limits.
    for (const path of [paths.details, paths.deleted, `${paths.changes}?since=0`])
      expect((await client.get(path)).body.code).toBe('busy')
    expect((await client.writeBatch({})).body.code).toBe('busy')

    first.socket.destroy()
    await expect.poll(async () => (await openStalledReader()).received()).toMatch(ok)
  })
})
