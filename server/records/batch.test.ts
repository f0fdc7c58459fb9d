import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { maxBatchBytes, maxBatchSize } from '../../contract/batches.ts'
import { fieldNames } from '../../contract/employees.ts'
import { paths } from '../../contract/protocol.ts'
import { createSignedInClient, createTestClient, type TestClient } from '../../tests/support/http-client.ts'
import { ada, alan, fieldsWith, grace } from '../../tests/support/people.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'

const emptyBatch = { add: [], update: [], remove: [] }

/** Sends the first half of a body. `sendRest` sends the second; `response` resolves with status and code. */
function sendHalf(url: string, body: unknown, cookie = '') {
  const text = JSON.stringify(body)
  const headers = {
    cookie,
    'content-type': 'application/json',
    'content-length': text.length,
    'idempotency-key': 'slow',
  }
  const sending = request(url, { method: 'POST', headers, agent: false })
  // The connection may be reset after the response.
  sending.on('error', () => {})
  sending.write(text.slice(0, text.length / 2))
  const response = once(sending, 'response').then(async ([response]) => {
    const { code } = JSON.parse(Buffer.concat(await response.toArray()).toString())
    return { status: response.statusCode, code }
  })
  return { response, sendRest: () => sending.end(text.slice(text.length / 2)) }
}

function createEmployees(count: number) {
  return Array.from({ length: count }, (_, i) => ({ ...ada, email: `person-${i}@example.com` }))
}

describe('protocol: a batch', () => {
  let server: TestServer
  let client: TestClient
  let keys = 0

  const send = (batch: unknown, key = `batch-${++keys}`, from = client) =>
    from.call('POST', paths.batch, batch, { 'idempotency-key': key })
  const documents = async () => (await client.list()).body.documents

  beforeAll(async () => {
    server = await startTestServer()
    client = await createSignedInClient(server.url)
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    const sent = await send({ ...emptyBatch, remove: await documents() })
    expect(sent.status).toBe(200)
  })

  it('adds, updates and removes records, and returns the added ids in order, and the revision', async () => {
    const [first, second] = [(await client.add(ada)).body.id, (await client.add(grace)).body.id]
    const { status, body, headers } = await send({
      add: [alan, ada],
      update: [{ seen: { id: first, ...ada }, fields: alan }],
      remove: [{ id: second, ...grace }],
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ids: [expect.stringMatching(/^[\w-]{22,64}$/), expect.any(String)], kept: [] })
    const list = await client.list()
    expect(list.body).toEqual({
      revision: Number(headers.get('revision')),
      documents: [
        { id: first, ...alan },
        { id: body.ids[0], ...alan },
        { id: body.ids[1], ...ada },
      ],
    })
  })

  it('refuses its key with other content, and writes nothing', async () => {
    const { id } = (await client.add(ada)).body
    const batch = { ...emptyBatch, add: [ada, grace] }
    const { body } = await send(batch, 'reused')
    const before = (await client.list()).body
    for (const other of [
      ...fieldNames.map((name) => ({
        ...batch,
        add: [ada, { ...grace, [name]: fieldsWith('other')[name] }],
      })),
      { ...batch, add: [ada] },
      { ...batch, add: [grace, ada] },
      { ...batch, update: [{ seen: { id, ...ada }, fields: alan }] },
      { ...batch, remove: [{ id, ...ada }] },
    ]) {
      const { status, body } = await send(other, 'reused')
      expect([status, body.code]).toEqual([422, 'key-reused'])
    }
    expect((await client.list()).body).toEqual(before)
    const reordered = `{"remove":[], "update":[], "add":[${JSON.stringify(ada)},{"email":"grace\\u0040example.com",
      "password":"nanoseconds","eName":"Grace Hopper"}]}`
    expect((await send(reordered, 'reused')).body).toEqual(body)
  })

  it('increments the revision per changed record and returns the last; the current one if nothing changed', async () => {
    const stream = await client.openChangeStream()
    await stream.readFirst()
    const before: number = (await client.list()).body.revision
    const revisionOf = async (sent: ReturnType<typeof send>) => Number((await sent).headers.get('revision'))
    const batch = { ...emptyBatch, add: [ada, grace, alan] }
    expect(await revisionOf(send(batch, 'three'))).toBe(before + 3)
    const events = [await stream.next(), await stream.next(), await stream.next()]
    expect(events.map((event) => event?.data.revision)).toEqual([before + 1, before + 2, before + 3])
    await client.add(ada)
    expect(await revisionOf(send(batch, 'three'))).toBe(before + 4)
    expect(await revisionOf(send(emptyBatch))).toBe(before + 4)
    await stream.close()
  })

  it.each([
    ['add/1/email', { ...emptyBatch, add: [ada, { ...ada, email: 'nobody' }] }],
    ['add/0/eName', { ...emptyBatch, add: [{ ...ada, eName: '' }] }],
    ['add/0/password', { ...emptyBatch, add: [{ ...ada, password: '\ud800' }] }],
    ['add/0/id', { ...emptyBatch, add: [{ ...ada, id: 'mine' }] }],
    ['update/0/seen', { ...emptyBatch, update: [{ fields: ada }] }],
    [
      'update/0/fields/eName',
      { ...emptyBatch, update: [{ seen: { id: 'x', ...ada }, fields: { ...ada, eName: 5 } }] },
    ],
    ['remove/0/id', { ...emptyBatch, remove: [{ ...ada, id: '../x' }] }],
    ['remove', { add: [], update: [] }],
    ['add', { ...emptyBatch, add: {} }],
  ])('refuses an invalid %s, names it, and writes nothing', async (field, batch) => {
    const before = (await client.list()).body
    const { status, body } = await send(batch)
    expect([status, body.code, body.field]).toEqual([400, 'invalid-request', field])
    if (field === 'add') expect(body.message).toBe('add must be an array.')
    expect((await client.list()).body).toEqual(before)
  })

  it('refuses a batch without a key, without a session, or with too many changes', async () => {
    const keyless = await client.call('POST', paths.batch, emptyBatch)
    expect([keyless.status, keyless.body.field]).toEqual([400, 'idempotency-key'])
    expect((await send(emptyBatch, 'k', createTestClient(server.url))).status).toBe(401)
    expect((await send({ ...emptyBatch, add: createEmployees(maxBatchSize + 1) })).status).toBe(413)
    const [half, more] = [createEmployees(maxBatchSize / 2), createEmployees(maxBatchSize / 2 + 1)]
    const update = more.map((fields, i) => ({ seen: { id: `r${i}`, ...fields }, fields }))
    const tooLarge = await send({ ...emptyBatch, add: half, update })
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'too-large'])
    expect(await documents()).toEqual([])
  })

  /** Sends the beginning of a batch when the server handles the request. The returned function closes the connection. */
  async function startRequest(text: string) {
    const headers = {
      cookie: client.cookie,
      'content-type': 'application/json',
      'idempotency-key': 'begun',
      expect: '100-continue',
    }
    const sending = request(server.url + paths.batch, { method: 'POST', headers })
    sending.on('error', () => {})
    await once(sending, 'continue')
    await new Promise((resolve) => sending.write(text, resolve))
    return () => sending.destroy()
  }

  it('changes nothing if the client disconnects before sending all of it', async () => {
    const complete = JSON.stringify({ ...emptyBatch, add: createEmployees(1000) })
    const disconnect = await startRequest(complete.slice(0, -1))
    disconnect()
    expect((await send({ ...emptyBatch, add: [grace] })).status).toBe(200)
    expect(await documents()).toHaveLength(1)
  })

  it('may be compressed with gzip only, and its size limit applies after decompression', async () => {
    const post = (body: Uint8Array<ArrayBuffer>, encoding = 'gzip') =>
      fetch(server.url + paths.batch, {
        method: 'POST',
        headers: {
          cookie: client.cookie,
          'content-type': 'application/json',
          'content-encoding': encoding,
          'idempotency-key': 'packed',
        },
        body,
      })
    const packed = (text: string) => new Uint8Array(gzipSync(text))
    const batch = JSON.stringify({ ...emptyBatch, add: createEmployees(1000) })
    expect((await post(packed(batch))).status).toBe(200)
    expect(await documents()).toHaveLength(1000)
    expect((await post(packed(batch).subarray(0, -20))).status).toBe(400)
    expect((await post(new TextEncoder().encode(batch))).status).toBe(400)
    expect((await post(packed(batch), 'br')).status).toBe(415)
    const bomb = packed(`${' '.repeat(maxBatchBytes)}${JSON.stringify(emptyBatch)}`)
    expect(bomb.length).toBeLessThan(100_000)
    expect((await post(bomb)).status).toBe(413)
  })

  it.each([
    ['an empty body', ''],
    ['truncated gzip', gzipSync('{').subarray(0, -4)],
    ['plain text', 'plain'],
  ])('%s instead of a gzip body returns 4xx, whatever else is wrong with the request', async (_, sent) => {
    const good = { 'content-type': 'application/json', 'idempotency-key': 'broken' }
    for (const wrong of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': '' },
      { 'idempotency-key': '' },
    ]) {
      for (const [method, path] of [
        ['POST', paths.batch],
        ['PUT', paths.batch],
      ] as const) {
        const headers = { cookie: client.cookie, ...good, ...wrong, 'content-encoding': 'gzip' }
        const sending = request(server.url + path, { method, headers, agent: false })
        sending.end(sent)
        const [{ statusCode }] = await once(sending, 'response')
        expect(statusCode).toBeGreaterThanOrEqual(400)
        expect(statusCode).toBeLessThan(500)
      }
    }
    expect((await send({ ...emptyBatch, add: [grace] })).status).toBe(200)
  })

  it('is not blocked by clients that send slowly', async () => {
    const slow = await Promise.all(Array.from({ length: 5 }, () => startRequest('{')))
    expect((await send({ ...emptyBatch, add: [grace] })).status).toBe(200)
    for (const disconnect of slow) disconnect()
  })

  it('may take longer to arrive than other requests', async () => {
    const strictServer = await startTestServer({ connectionLimits: { requestTimeoutMs: 300 } })
    const sender = await createSignedInClient(strictServer.url)
    const batch = sendHalf(strictServer.url + paths.batch, { ...emptyBatch, add: [grace] }, sender.cookie)
    const signIn = sendHalf(strictServer.url + paths.session, { email: 'a@example.com', password: 'p' })
    expect(await signIn.response).toMatchObject({ status: 408, code: 'invalid-request' })
    batch.sendRest()
    expect(await batch.response).toMatchObject({ status: 200 })
    expect((await sender.list()).body.documents).toHaveLength(1)
    await strictServer.stop()
  })
})
