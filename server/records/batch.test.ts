import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Batch, maxBatchBytes, maxBatchSize } from '../../contract/batches.ts'
import { type Employee, fieldNames } from '../../contract/employees.ts'
import { paths, repeatedHeader } from '../../contract/protocol.ts'
import type { TestClient } from '../../tests/support/http-client.ts'
import { refusal } from '../../tests/support/http-client.ts'
import { ada, alan, fieldsWith, grace, makeEmployees } from '../../tests/support/people.ts'
import { provideSignedInServer } from '../../tests/support/provide-server.ts'
import { formatHead, openConnection } from '../../tests/support/raw-http.ts'
import { startTestServer } from '../../tests/support/server.ts'

const emptyBatch = { add: [], update: [], remove: [] }
const json = { 'content-type': 'application/json' }

describe('protocol: a batch', () => {
  const { server, client } = provideSignedInServer()
  let keys = 0

  const send = (batch: unknown, key = `batch-${++keys}`, from: TestClient = client) =>
    from.post(paths.batch, batch, { 'idempotency-key': key })
  beforeEach(async () => {
    const sent = await send({ ...emptyBatch, remove: await client.documents() })
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

  it('restores deleted records in their places; one that never existed is neither restored nor kept', async () => {
    const records: Employee[] = []
    for (const fields of [ada, grace, alan])
      records.push({ id: (await client.add(fields)).body.id, ...fields })
    await send({ ...emptyBatch, remove: records })
    const stream = await client.openChangeStream()
    await stream.readFirst()
    const restore = [{ id: 'never', ...ada }, ...records.toReversed()]
    const { status, body, headers } = await send({ ...emptyBatch, restore })
    expect(status).toBe(200)
    const [first, second, third] = records.map(({ id }) => id)
    const restored = [
      { id: first, after: null },
      { id: second, after: first },
      { id: third, after: second },
    ]
    expect(body).toEqual({ ids: [], kept: [], restored })
    expect((await client.list()).body).toEqual({
      revision: Number(headers.get('revision')),
      documents: records,
    })
    const events = [await stream.next(), await stream.next(), await stream.next()]
    expect(events.map((event) => event?.data.document)).toEqual(records.toReversed())
    await stream.close()
  })

  it('says that it is repeated if it has added its records before', async () => {
    const batch = { ...emptyBatch, add: [ada] }
    const { headers, body } = await send(batch, 'once')
    expect(headers.get(repeatedHeader)).toBeNull()
    await client.remove(body.ids[0])
    expect((await send(batch, 'once')).headers.get(repeatedHeader)).toBe('yes')
    for (let i = 0; i < 2; i++)
      expect((await send(emptyBatch, 'nothing')).headers.get(repeatedHeader)).toBeNull()
  })

  it('says that it is repeated if others have done one of its changes before', async () => {
    const { body } = await send({ ...emptyBatch, add: [ada, grace] })
    const [first, second] = [
      { id: body.ids[0], ...ada },
      { id: body.ids[1], ...grace },
    ]
    const update = [{ seen: first, fields: alan }]
    const isRepeated = async (batch: Partial<Batch>) =>
      (await send({ ...emptyBatch, ...batch })).headers.get(repeatedHeader)
    expect(await isRepeated({ update })).toBeNull()
    expect(await isRepeated({ update, remove: [second] })).toBe('yes')
    expect(await isRepeated({ remove: [second] })).toBe('yes')
    expect(await isRepeated({ restore: [second] })).toBeNull()
    expect(await isRepeated({ restore: [second] })).toBe('yes')
    expect(await isRepeated({ remove: [first] })).toBeNull()
  })

  it('does not do again with the same key what others have undone', async () => {
    const { body } = await send({ ...emptyBatch, add: [ada, grace, alan] })
    const [first, second, third] = [ada, grace, alan].map((fields, i) => ({
      id: body.ids[i],
      ...fields,
    })) as [Employee, Employee, Employee]
    await client.remove(third.id)
    const update = [{ seen: first, fields: alan }]
    const batch = { add: [], update, remove: [second], restore: [third] }
    const { status, headers } = await send(batch, 'once')
    expect([status, headers.get(repeatedHeader)]).toEqual([200, null])
    await client.update(first.id, ada)
    await client.restore(second.id, grace)
    await client.remove(third.id)
    const repeated = await send(batch, 'once')
    expect([repeated.body.kept, repeated.headers.get(repeatedHeader)]).toEqual([[], 'yes'])
    expect(await client.documents()).toEqual([first, second])
    expect((await send(batch, 'anew')).headers.get(repeatedHeader)).toBeNull()
    expect((await client.documents()).map(({ id }: Employee) => id)).toEqual([first.id, third.id])
  })

  it('changes a record twice', async () => {
    const { body } = await send({ ...emptyBatch, add: [ada] })
    const [id] = body.ids
    const update = [
      { seen: { id, ...ada }, fields: grace },
      { seen: { id, ...grace }, fields: ada },
    ]
    for (let i = 0; i < 2; i++) expect((await send({ ...emptyBatch, update }, 'both')).body.kept).toEqual([])
    expect(await client.list()).toMatchObject({ body: { documents: [{ id, ...ada }] } })
  })

  it('has the key of a batch of an earlier version, which knows no restores', async () => {
    const batch = { ...emptyBatch, add: [ada] }
    const { body } = await send(batch, 'earlier')
    const repeated = await send({ ...batch, restore: [] }, 'earlier')
    expect(repeated).toMatchObject({ status: 200, body: { ids: body.ids, kept: [], restored: [] } })
    const restore = [{ id: body.ids[0], ...ada }]
    expect(await send({ ...batch, restore }, 'earlier')).toMatchObject(refusal(422, 'key-reused'))
  })

  it('refuses its key with other content, and writes nothing', async () => {
    const { id } = (await client.add(ada)).body
    const batch = { ...emptyBatch, add: [ada, grace] }
    const { body } = await send(batch, 'reused')
    const before = (await client.list()).body
    const changed = fieldNames.map((name) => ({ ...grace, [name]: fieldsWith('other')[name] }))
    for (const other of [
      ...changed.map((fields) => ({ ...batch, add: [ada, fields] })),
      { ...batch, add: [ada] },
      { ...batch, add: [grace, ada] },
      { ...batch, update: [{ seen: { id, ...ada }, fields: alan }] },
      { ...batch, remove: [{ id, ...ada }] },
    ]) {
      expect(await send(other, 'reused')).toMatchObject(refusal(422, 'key-reused'))
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
    ['add/1/email', { add: [ada, { ...ada, email: 'nobody' }] }],
    ['add/0/eName', { add: [{ ...ada, eName: '' }] }],
    ['add/0/password', { add: [{ ...ada, password: '\ud800' }] }],
    ['add/0/id', { add: [{ ...ada, id: 'mine' }] }],
    ['update/0/seen', { update: [{ fields: ada }] }],
    ['update/0/fields/eName', { update: [{ seen: { id: 'x', ...ada }, fields: { ...ada, eName: 5 } }] }],
    ['remove/0/id', { remove: [{ ...ada, id: '../x' }] }],
    [
      'restore/1/email',
      {
        restore: [
          { id: 'x', ...ada },
          { id: 'y', ...ada, email: 'nobody' },
        ],
      },
    ],
    ['restore/0/id', { restore: [ada] }],
    ['remove', { remove: undefined }],
    ['add', { add: {} }],
  ])('refuses an invalid %s, names it, and writes nothing', async (field, changes) => {
    const before = (await client.list()).body
    const { status, body } = await send({ ...emptyBatch, ...changes })
    expect([status, body.code, body.field]).toEqual([400, 'invalid-request', field])
    if (field === 'add') expect(body.message).toBe('add must be an array.')
    expect((await client.list()).body).toEqual(before)
  })

  it('refuses a batch without a key, without a session, or with too many changes', async () => {
    const keyless = await client.post(paths.batch, emptyBatch)
    expect([keyless.status, keyless.body.field]).toEqual([400, 'idempotency-key'])
    expect((await send(emptyBatch, 'k', server.connect())).status).toBe(401)
    expect((await send({ ...emptyBatch, add: makeEmployees(maxBatchSize + 1) })).status).toBe(413)
    const [half, more] = [makeEmployees(maxBatchSize / 2), makeEmployees(maxBatchSize / 2 + 1)]
    const update = more.map((fields, i) => ({ seen: { id: `r${i}`, ...fields }, fields }))
    expect(await send({ ...emptyBatch, add: half, update })).toMatchObject(refusal(413, 'too-large'))
    expect(await client.documents()).toEqual([])
  })

  /** Sends a part of a batch, with this length, in a connection of its own. */
  function sendPart(part: string, length: number, { cookie }: TestClient = client, { url } = server) {
    const headers = { cookie, ...json, 'content-length': length, 'idempotency-key': 'part' }
    return openConnection(url, formatHead('POST', paths.batch, headers) + part)
  }

  it('changes nothing if the client disconnects before sending all of it', async () => {
    const complete = JSON.stringify({ ...emptyBatch, add: makeEmployees(1000) })
    const { socket, sent } = sendPart(complete.slice(0, -1), complete.length)
    await sent
    socket.destroy()
    expect((await send({ ...emptyBatch, add: [grace] })).status).toBe(200)
    expect(await client.documents()).toHaveLength(1)
  })

  it('may be compressed with gzip only, and its size limit applies after decompression', async () => {
    const post = async (body: Buffer, encoding = 'gzip') => {
      const headers = {
        cookie: client.cookie,
        ...json,
        'idempotency-key': 'packed',
        'content-encoding': encoding,
      }
      return (await server.send('POST', paths.batch, headers, body)).status
    }
    const batch = JSON.stringify({ ...emptyBatch, add: makeEmployees(1000) })
    expect(await post(gzipSync(batch))).toBe(200)
    expect(await client.documents()).toHaveLength(1000)
    expect(await post(gzipSync(batch).subarray(0, -20))).toBe(400)
    expect(await post(Buffer.from(batch))).toBe(400)
    expect(await post(gzipSync(batch), 'br')).toBe(415)
    const bomb = gzipSync(`${' '.repeat(maxBatchBytes)}${JSON.stringify(emptyBatch)}`)
    expect(bomb.length).toBeLessThan(100_000)
    expect(await post(bomb)).toBe(413)
  })

  it.each([
    ['an empty body', ''],
    ['truncated gzip', gzipSync('{').subarray(0, -4)],
    ['plain text', 'plain'],
  ])('%s instead of a gzip body returns 4xx, whatever else is wrong with the request', async (_, body) => {
    const good = { cookie: client.cookie, ...json, 'content-encoding': 'gzip', 'idempotency-key': 'broken' }
    for (const wrong of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': '' },
      { 'idempotency-key': '' },
    ])
      for (const method of ['POST', 'PUT']) {
        const { status } = await server.send(method, paths.batch, { ...good, ...wrong }, body)
        expect(Math.floor(status / 100)).toBe(4)
      }
    expect((await send({ ...emptyBatch, add: [grace] })).status).toBe(200)
  })

  it('is not blocked by clients that send slowly', async () => {
    await Promise.all(Array.from({ length: 5 }, () => sendPart('{', 100).sent))
    expect((await send({ ...emptyBatch, add: [grace] })).status).toBe(200)
  })

  it('may take longer to arrive than other requests', async () => {
    const strictServer = await startTestServer({ connectionLimits: { requestTimeoutMs: 300 } })
    const sender = await strictServer.signIn()
    const body = JSON.stringify({ ...emptyBatch, add: [grace] })
    const batch = sendPart(body.slice(0, 20), body.length, sender, strictServer)
    const signIn = formatHead('POST', paths.session, { ...json, 'content-length': 100 })
    expect(await strictServer.open(`${signIn}{`).response).toMatch(/^HTTP\/1\.1 408 /)
    batch.socket.write(body.slice(20))
    await expect.poll(batch.received).toMatch(/^HTTP\/1\.1 200 /)
    expect(await sender.documents()).toHaveLength(1)
  })
})
