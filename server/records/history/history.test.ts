import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maxDetailIds, maxReportedIds } from '../../../contract/history.ts'
import { paths } from '../../../contract/protocol.ts'
import {
  createSignedInClient,
  createTestClient,
  type TestClient,
} from '../../../tests/support/http-client.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { removeExpiredHistory } from './retention.ts'

const ada = { eName: 'Ada', email: 'ada@example.com', password: 'engine' }
const grace = { eName: 'Grace', email: 'grace@example.com', password: 'cobol' }

let server: TestServer
let ann: TestClient
let bob: TestClient

beforeEach(async () => {
  server = await startTestServer()
  ann = await createSignedInClient(server.url, 'ann@example.com')
  bob = await createSignedInClient(server.url, 'bob@example.com')
})
afterEach(() => server.stop())

const get = async (path: string) => (await ann.call('GET', path)).body
const add = async (fields: object) => (await ann.add(fields)).body.id as string
const exposedTo = (uid: string) => `${paths.exposed}?account=${uid}`

async function readLog() {
  const entries = []
  for await (const page of server.storage.history.loadActivity()) entries.push(...page)
  return entries.map(({ kind, by, record, count }) => [kind, by, record ?? count])
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

describe('protocol: details', () => {
  it('say when and by whom a record was last changed, and when its password was, of all or of some records', async () => {
    const [first, second] = [await add(ada), await add(grace)]
    await bob.update(first, { ...ada, eName: 'Ada L.' })
    const { details } = await get(paths.details)
    const times = { changedAt: timestamp, passwordChangedAt: timestamp }
    expect(details).toEqual([
      { id: first, changedBy: 'bob@example.com', ...times },
      { id: second, changedBy: 'ann@example.com', ...times },
    ])
    expect((await get(`${paths.details}?ids=${second},none`)).details).toEqual([details[1]])
    await bob.update(second, { ...grace, password: 'flow' })
    const [, changed] = (await get(paths.details)).details
    expect(changed).toMatchObject({ changedBy: 'bob@example.com', passwordChangedAt: changed.changedAt })
  })

  it('name no one if the operator has changed a record, and are the same without compression', async () => {
    await server.storage.employees.add('a', ada)
    const { details } = await get(paths.details)
    expect(details).toEqual([{ id: 'a', changedAt: timestamp, passwordChangedAt: timestamp }])
    const plain = await ann.call('GET', paths.details, undefined, { 'accept-encoding': 'identity' })
    expect([plain.headers.get('content-encoding'), plain.body.details]).toEqual([null, details])
  })

  it('are empty if there are no records', async () => {
    expect(await get(paths.details)).toEqual({ details: [] })
  })

  it.each([
    ['ids='],
    ['ids=a,,b'],
    ['ids=a%20b'],
    [`ids=${Array.from({ length: maxDetailIds + 1 }, (_, i) => i)}`],
    ['ids=a&ids=b'],
    ['all=yes'],
  ])('are refused for %s', async (query) => {
    expect(await ann.call('GET', `${paths.details}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid-request' },
    })
  })
})

describe('protocol: deleted records', () => {
  it('can be listed and restored by everybody, at their place, and everybody hears of it', async () => {
    const [first, second] = [await add(ada), await add(grace)]
    await bob.remove(first)
    const deleted = { id: first, ...ada, deletedAt: timestamp, deletedBy: 'bob@example.com' }
    expect(await get(paths.deleted)).toEqual({ documents: [deleted], total: 1, keptDays: 30 })
    const stream = await bob.openChangeStream()
    const restored = await ann.call('POST', paths.restore(first))
    expect(restored).toMatchObject({ status: 200, body: { id: first, after: null } })
    const document = { id: first, ...ada }
    expect((await stream.next())?.data).toMatchObject({ type: 'saved', document, after: null })
    await stream.close()
    expect((await get(paths.books)).documents).toEqual([document, { id: second, ...grace }])
    expect(await get(paths.deleted)).toMatchObject({ documents: [], total: 0 })
  })

  it('can be restored by two at once, and again', async () => {
    const [, id] = [await add(ada), await add(grace)]
    await ann.remove(id)
    const restore = (client: TestClient) => client.call('POST', paths.restore(id))
    const [one, other] = await Promise.all([restore(ann), restore(bob)])
    expect([one.status, other.status, (await restore(ann)).status]).toEqual([200, 200, 200])
    expect(one.headers.get('revision')).toBe(other.headers.get('revision'))
    expect((await get(paths.books)).documents).toHaveLength(2)
  })

  it('cannot be restored once they are wiped, or if they never existed', async () => {
    const id = await add(ada)
    await ann.remove(id)
    const retention = { deletedDays: 30, activityDays: 365 }
    const dayMs = 24 * 60 * 60 * 1000
    await removeExpiredHistory(server.storage.history, retention, () => Date.now() + 29 * dayMs)
    expect(await get(paths.deleted)).toMatchObject({ total: 1 })
    await removeExpiredHistory(server.storage.history, retention, () => Date.now() + 30 * dayMs)
    for (const missing of [id, 'never'])
      expect(await ann.call('POST', paths.restore(missing))).toMatchObject({
        status: 404,
        body: { code: 'not-found' },
      })
    expect((await ann.restore(id, ada)).status).toBe(200)
    expect((await ann.call('POST', paths.restore('a b'))).status).toBe(400)
  })

  it('are listed up to a size, the latest first', async () => {
    const long = { ...ada, eName: 'x'.repeat(10_000), password: 'y'.repeat(10_000) }
    const ids = await Promise.all(Array.from({ length: 60 }, () => add(long)))
    for (const id of ids) await ann.remove(id)
    const { documents, total } = await get(paths.deleted)
    expect([documents.length, total, documents[0].id]).toEqual([52, 60, ids.at(-1)])
  })
})

describe('security: what an account could read', () => {
  it('is listed for accounts that exist or were removed, until the passwords are changed', async () => {
    const [first, second] = [await add(ada), await add(grace)]
    const { accounts } = await get(paths.accounts)
    const [{ id: own }, { id: leaver }] = accounts
    expect((await ann.call('GET', paths.session)).body.uid).toBe(own)
    expect(await get(exposedTo(leaver))).toEqual({ ids: [first, second], canSignIn: true })
    await server.storage.accounts.remove(leaver)
    const listed = (await get(paths.accounts)).accounts
    expect(listed.at(-1)).toEqual({
      id: leaver,
      email: 'bob@example.com',
      createdAt: timestamp,
      removedAt: timestamp,
    })
    const third = await add(ada)
    await ann.update(first, { ...ada, eName: 'only the name' })
    expect(await get(exposedTo(leaver))).toEqual({ ids: [first, second], canSignIn: false })
    await ann.update(first, { ...ada, password: 'new' })
    await ann.remove(second)
    expect(await get(exposedTo(leaver))).toEqual({ ids: [], canSignIn: false })
    await ann.call('POST', paths.restore(second))
    expect(await get(exposedTo(leaver))).toEqual({ ids: [second], canSignIn: false })
    expect((await get(exposedTo(own))).ids).toEqual([first, second, third])
  })

  it('is not found for another account', async () => {
    expect(await ann.call('GET', exposedTo('nobody'))).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
    for (const query of ['', '?account=', `?account=${'x'.repeat(101)}`, '?account=a&account=b', '?uid=a'])
      expect([query, (await ann.call('GET', paths.exposed + query)).status]).toEqual([
        query,
        query === '?account=' ? 404 : 400,
      ])
  })
})

describe('protocol: activity', () => {
  it('has the author of each write, and what pages report', async () => {
    const id = await add(ada)
    await bob.update(id, { ...ada, password: 'new' })
    await bob.remove(id)
    await ann.restore(id, ada)
    await bob.call(
      'POST',
      paths.batch,
      { add: [ada], update: [], remove: [{ id, ...ada }] },
      { 'idempotency-key': 'k' },
    )
    const reports = [
      { kind: 'reveal', ids: [id, 'none'] },
      { kind: 'copy', ids: [id] },
      { kind: 'export', count: 2 },
      { kind: 'export' },
    ]
    for (const report of reports) expect((await bob.call('POST', paths.activity, report)).status).toBe(204)
    const [annName, bobName] = ['ann@example.com', 'bob@example.com']
    expect(await readLog()).toEqual([
      ['sign-up', annName, null],
      ['sign-up', bobName, null],
      ['add', annName, id],
      ['change', bobName, id],
      ['delete', bobName, id],
      ['restore', annName, id],
      ['batch-add', bobName, 1],
      ['batch-delete', bobName, 1],
      ['reported-reveal', bobName, id],
      ['reported-copy', bobName, id],
      ['reported-export', bobName, 2],
      ['reported-export', bobName, null],
    ])
  })

  it.each([
    {},
    { kind: 'delete' },
    { kind: 'reveal', ids: [] },
    { kind: 'reveal', ids: ['a b'] },
    { kind: 'reveal', ids: Array.from({ length: maxReportedIds + 1 }, String) },
    { kind: 'export', count: -1 },
    { kind: 'export', count: 1.5 },
    { kind: 'copy', password: 'engine' },
  ])('refuses the report %j', async (report) => {
    expect(await ann.call('POST', paths.activity, report)).toMatchObject({
      status: 400,
      body: { code: 'invalid-request' },
    })
    expect(await readLog()).toHaveLength(2)
  })

  it('takes 600 reports an hour from each account', async () => {
    const report = (client: TestClient) => client.call('POST', paths.activity, { kind: 'export' })
    const statuses: number[] = []
    for (let round = 0; round < 6; round++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 100 }, async () => (await report(ann)).status))),
      )
    expect(new Set(statuses)).toEqual(new Set([204]))
    const refused = await report(ann)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3000]).toEqual([429, true])
    expect((await report(bob)).status).toBe(204)
  })
})

it.each([
  ['GET', paths.details],
  ['GET', paths.deleted],
  ['GET', exposedTo('ann')],
  ['POST', paths.restore('a')],
  ['POST', paths.activity],
])('security: %s %s needs a session', async (method, path) => {
  const body = path === paths.activity ? { kind: 'export' } : undefined
  expect(await createTestClient(server.url).call(method, path, body)).toMatchObject({
    status: 401,
    body: { code: 'not-signed-in' },
  })
})
