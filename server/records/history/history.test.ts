import type { FastifyReply, FastifyRequest } from 'fastify'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ActivityEntry } from '../../../contract/activity/activity.ts'
import { maxDetailIds, maxReportedIds } from '../../../contract/history.ts'
import { paths, repeatedHeader } from '../../../contract/protocol.ts'
import { collect } from '../../../tests/contracts/provide-storage.ts'
import { password, type TestClient } from '../../../tests/support/http-client.ts'
import { ada, record, renamed } from '../../../tests/support/people.ts'
import { provideServer } from '../../../tests/support/provide-server.ts'
import { createLargeResponses } from '../../http/large-responses.ts'
import { groupRemovals } from '../../storage/sql/history.ts'
import type { Account } from '../../storage/storage.ts'
import { createCostlyReads } from './costly-reads.ts'
import { createClockCheck, removeExpiredHistory, restoreDeletion } from './retention.ts'

const server = provideServer({}, 'test')
let ann: TestClient
let bob: TestClient

beforeEach(async () => {
  ann = await server.signIn('ann@example.com')
  bob = await server.signIn('bob@example.com')
})

const get = async (path: string) => (await ann.get(path)).body
const add = async (fields: object) => (await ann.add(fields)).body.id as string
const exposedTo = (uid: string) => `${paths.exposed}?account=${uid}`

async function readLog() {
  const entries = await collect(server.storage.history.loadActivity())
  return entries.map(({ kind, by, record, count }) => [kind, by, record ?? count])
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

describe('protocol: details', () => {
  it('name no one if the operator has changed a record, and are the same without compression', async () => {
    expect(await get(paths.details)).toEqual({ details: [] })
    await server.storage.employees.add('a', ada)
    const { details } = await get(paths.details)
    expect(details).toEqual([{ id: 'a', changedAt: timestamp, passwordChangedAt: timestamp }])
    const plain = await ann.get(paths.details, { 'accept-encoding': 'identity' })
    expect([plain.headers.get('content-encoding'), plain.body.details]).toEqual([null, details])
  })

  it('are refused for wrong or too many ids', async () => {
    const tooMany = `ids=${Array.from({ length: maxDetailIds + 1 }, (_, i) => i)}`
    const wrong = ['ids=', 'ids=a,,b', 'ids=a%20b', tooMany, 'ids=a&ids=b', 'all=yes']
    for (const query of [...wrong, 'passwordUntil=2026-12-31T23:59:60Z']) {
      const { status, body } = await ann.get(`${paths.details}?${query}`)
      expect([query, status, body.code]).toEqual([query, 400, 'invalid-request'])
    }
    expect((await get(`${paths.details}?passwordUntil=soon`)).message).toMatch(/must be a time/)
  })
})

describe('security: bodies of costly reads', () => {
  it('are kept for others up to 64 MB in all', async () => {
    const sendBody = vi.fn()
    const send = createCostlyReads({ revision: 1 }, { ...createLargeResponses(vi.fn()), sendBody })
    const request = { session: { account: { uid: 'eve' } }, headers: {} } as FastifyRequest
    const built: string[] = []
    for (const name of 'aabbcba') {
      const read = () => {
        built.push(name)
        return Array(30).fill('x'.repeat(2 ** 20))
      }
      await send(request, {} as FastifyReply, { name, read })
    }
    expect(built).toEqual(['a', 'b', 'c', 'a'])
    expect(sendBody).toHaveBeenCalledTimes(7)
  })

  it('are the same for times that are the same', async () => {
    const loadDetails = vi.spyOn(server.storage.history, 'loadDetails')
    for (const time of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'])
      expect(await get(`${paths.details}?passwordUntil=${time}`)).toEqual({ details: [] })
    expect(loadDetails).toHaveBeenCalledOnce()
  })
})

describe('protocol: deleted records', () => {
  it('cannot be restored once they are wiped, or if they never existed', async () => {
    const id = await add(ada)
    await ann.remove(id)
    const retention = { deletedDays: 30, activityDays: 365 }
    const dayMs = 24 * 60 * 60 * 1000
    await removeExpiredHistory(server.storage, retention, () => Date.now() + 29 * dayMs)
    expect(await get(paths.deleted)).toMatchObject({ total: 1 })
    await removeExpiredHistory(server.storage, retention, () => Date.now() + 30 * dayMs)
    for (const missing of [id, 'never'])
      expect((await ann.post(paths.restore(missing))).body.code).toBe('not-found')
    expect((await ann.restore(id, ada)).status).toBe(200)
    expect((await ann.post(paths.restore('a b'))).status).toBe(400)
  })

  it('are restored once by requests with one key, and stay deleted if they were deleted in between', async () => {
    const id = await add(ada)
    const restore = (key: string) => ann.post(paths.restore(id), undefined, { 'idempotency-key': key })
    await ann.remove(id)
    const first = await restore('a')
    expect([first.status, first.headers.get(repeatedHeader)]).toEqual([200, null])
    await ann.remove(id)
    const repeated = await restore('a')
    expect([repeated.status, repeated.body, repeated.headers.get(repeatedHeader)]).toEqual([
      200,
      first.body,
      'yes',
    ])
    expect(await get(paths.deleted)).toMatchObject({ total: 1 })
    expect((await restore('b')).headers.get(repeatedHeader)).toBeNull()
    expect(await get(paths.deleted)).toMatchObject({ total: 0 })
  })

  it('are not restored together if times or author are not valid', async () => {
    const [since, until] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
    for (const rest of [{}, { until: 'then' }, { until: '2026-12-31T23:59:60Z' }, { until, by: '\0' }]) {
      const body = { since, ...rest }
      const { status, body: error } = await ann.post(paths.restoreDeletion, body)
      expect([body, status, error.code]).toEqual([body, 400, 'invalid-request'])
    }
    const nobody = await ann.post(paths.restoreDeletion, { since, until, by: 'nobody@example.com' })
    expect([nobody.status, nobody.body]).toEqual([200, { restored: 0 }])
  })

  it('are restored in small groups, between which others can write', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => `r${i}`)
    let [running, most] = [0, 0]
    const restoreDeleted = async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return { outcome: 'done', seq: 1, revision: 1 } as const
    }
    const history = { listDeletedIds: async () => ids }
    expect(await restoreDeletion({ restoreDeleted }, history, { since: 0, until: 1 })).toBe(1000)
    expect(most).toBeLessThanOrEqual(50)
  })

  it('are restored together by one request at a time, so that others can write', async () => {
    const add = Array.from({ length: 60 }, (_, i) => ({ id: `r${i}`, ...ada }))
    const { employees } = server.storage
    await employees.writeBatch({ add, update: [], remove: [] })
    await employees.writeBatch({ add: [], update: [], remove: add })
    const { restoreDeleted } = employees
    let [running, most] = [0, 0]
    vi.spyOn(employees, 'restoreDeleted').mockImplementation(async (...args) => {
      most = Math.max(most, ++running)
      return restoreDeleted(...args).finally(() => running--)
    })
    const deletion = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
    const send = (client: TestClient) => client.post(paths.restoreDeletion, deletion)
    const sent = await Promise.all([ann, ann, bob, bob].map(send))
    expect(sent.map(({ body }) => body.restored).sort()).toEqual([0, 0, 0, 60])
    expect(most).toBeLessThanOrEqual(50)
  })

  it('are one deletion also if the clock steps back meanwhile', async () => {
    const toRemoval = (_: unknown, i: number) => ({ revision: i, at: i === 0 ? 9000 : 8000 + i, by: null })
    const pages = async function* () {
      yield Array.from({ length: 10 }, toRemoval)
    }
    expect(await groupRemovals(pages())).toEqual([{ since: 8001, until: 9000, count: 10, by: null }])
  })

  it('are not wiped for a day, or until it is confirmed, after the clock has leapt, also by a restart, or after a start when nobody was here', async () => {
    const hour = 60 * 60 * 1000
    let [time, up] = [Date.now(), 0]
    const doubts: { count: number; at?: number | undefined } = { count: 0 }
    let seenAt: number | undefined = time
    const storage = {
      accounts: { listLastSeen: async () => new Map([['ann', seenAt ?? time]]) },
      history: {
        log: async () => void Object.assign(doubts, { at: time }),
        readClockDoubtAge: async () => doubts.at && time - doubts.at,
      },
    }
    const onDoubt = () => doubts.count++
    const clock = [() => time, () => up] as const
    const checkAfter = async (hours: number, isTrusted = createClockCheck(storage, onDoubt, ...clock)) => {
      time += hours * hour
      up += hours * hour
      return isTrusted()
    }
    const isTrusted = createClockCheck(storage, onDoubt, ...clock)
    expect([await checkAfter(0, isTrusted), await checkAfter(48, isTrusted)]).toEqual([true, true])
    for (const leap of [400 * 24, -400 * 24]) {
      time += leap * hour
      expect([await checkAfter(0, isTrusted), await checkAfter(23, isTrusted)]).toEqual([false, false])
      expect(await checkAfter(2, isTrusted)).toBe(true)
    }
    expect(doubts.count).toBe(2)
    expect(await checkAfter(0)).toBe(false)
    // Somebody uses it, which confirms nothing.
    seenAt = undefined
    expect([await checkAfter(0), await checkAfter(23), await checkAfter(2)]).toEqual([false, false, true])
    expect(doubts.count).toBe(5)
    time += 400 * 24 * hour
    expect(await checkAfter(0, isTrusted)).toBe(false)
    // The operator confirms the clock.
    doubts.at = undefined
    expect(await checkAfter(0, isTrusted)).toBe(true)
  })

  it('are listed up to a size of the response, the latest first', async () => {
    // Six bytes each in JSON.
    const control = '\u0001'.repeat(9_900)
    const long = renamed(control, record({ password: control }))
    const ids = (await ann.writeBatch({ add: Array(60).fill(long) })).body.ids as string[]
    await ann.writeBatch({ remove: ids.map((id) => ({ id, ...long })) }, 'remove')
    const { documents, total } = await get(paths.deleted)
    expect([documents.length, total, documents[0].id]).toEqual([8, 60, ids.at(-1)])
  })
})

describe('security: what an account could read', () => {
  it('is compressed if it is large, and follows the removal of the account, which is no new revision', async () => {
    const add = Array.from({ length: 5_000 }, (_, i) => ({ id: `some-longer-record-${i}`, ...ada }))
    await server.storage.employees.writeBatch({ add, update: [], remove: [] })
    const id = await bob.uid()
    const read = async () => {
      const { headers, body } = await ann.get(exposedTo(id))
      return [headers.get('content-encoding'), body.ids.length, body.canSignIn]
    }
    expect([await read(), await read()]).toEqual(Array(2).fill(['gzip', 5_000, true]))
    await server.storage.accounts.remove(id)
    expect(await read()).toEqual(['gzip', 5_000, false])
    await ann.update('some-longer-record-0', { ...ada, password: 'new' })
    expect(await read()).toEqual(['gzip', 4_999, false])
    await server.storage.accounts.confirmRemoval(id)
    expect(await read()).toEqual(['gzip', 5_000, false])
  })

  it('is not found for another account', async () => {
    expect((await get(exposedTo('nobody'))).code).toBe('not-found')
    expect((await get(exposedTo('%00'))).code).toBe('invalid-request')
    expect((await get(exposedTo(''))).code).toBe('not-found')
    for (const query of ['', `?account=${'x'.repeat(257)}`, '?account=a&account=b', '?uid=a'])
      expect([query, (await ann.get(paths.exposed + query)).status]).toEqual([query, 400])
  })
})

describe('protocol: activity', () => {
  it('has the author of each write, and what pages report', async () => {
    const id = await add(ada)
    await bob.update(id, { ...ada, password: 'new' })
    await bob.remove(id)
    await ann.restore(id, ada)
    await bob.writeBatch({ add: [ada], remove: [{ id, ...ada }] })
    const reports = [
      { kind: 'reveal', ids: [id, 'none'] },
      { kind: 'copy', ids: [id] },
      { kind: 'export', count: 2 },
      { kind: 'export' },
    ]
    for (const report of reports) expect((await bob.post(paths.activity, report)).status).toBe(204)
    const [annName, bobName] = ['ann@example.com', 'bob@example.com']
    expect(await readLog()).toEqual([
      ['sign-up', annName, null],
      ['sign-in-first', annName, null],
      ['sign-up', bobName, null],
      ['sign-in-first', bobName, null],
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

  it('is read by everyone in pages, and narrowed by kind and by person', async () => {
    const id = await add(ada)
    await bob.update(id, { ...ada, password: 'new' })
    const { entries, next } = await get(paths.activity)
    const [change, added] = entries
    expect([change, added, next]).toEqual([
      { id: expect.any(String), at: timestamp, kind: 'change', by: 'bob@example.com', record: id },
      { id: expect.any(String), at: timestamp, kind: 'add', by: 'ann@example.com', record: id },
      undefined,
    ])
    expect(await get(`${paths.activity}?before=${change.id}&kind=records`)).toEqual({ entries: [added] })
    expect(await get(`${paths.activity}?by=${await bob.uid()}&kind=records`)).toEqual({ entries: [change] })
    expect(await get(`${paths.activity}?after=${change.id}`)).toEqual({ entries: [] })
    for (const query of ['before=x', 'kind=all', 'by=%00', 'since=1'])
      expect([query, (await ann.get(`${paths.activity}?${query}`)).status]).toEqual([query, 400])
    await ann.writeBatch({ add: Array(1).fill(ada) })
    for (let i = 0; i < 100; i++) await server.storage.history.log({ kind: 'backup' })
    const first = await get(paths.activity)
    expect([first.entries.length, first.next]).toEqual([100, first.entries.at(-1).id])
    const rest = await get(`${paths.activity}?before=${first.next}`)
    expect(rest.entries[0]).toMatchObject({ kind: 'import', count: 1 })
    expect(JSON.stringify([first, rest])).not.toContain(ada.eName)
  })

  it('is searched for an imported account, whose uid may have any characters', async () => {
    const [known] = await server.storage.accounts.list()
    const [uid, email] = ['用户, 50% 名', 'imported@example.com']
    await server.storage.accounts.add({ ...(known as Account), uid, email, emailKey: email })
    const named = encodeURIComponent(encodeURIComponent(uid))
    const { entries } = await get(`${paths.activity}?people=${named},another`)
    expect(entries).toMatchObject([{ kind: 'add-account', account: email }])
    for (const people of ['%2500', '%25FF', '%25', 'a,,b'])
      expect((await ann.get(`${paths.activity}?people=${people}`)).status).toBe(400)
  })

  it('tells of the operator’s exports, which have passwords, and of emergency files', async () => {
    const id = await add(ada)
    await server.storage.history.log({ kind: 'export', count: 2 })
    await server.storage.history.log({ kind: 'emergency', count: 2 })
    const { entries } = await get(`${paths.activity}?kind=files`)
    expect(entries.map(({ kind, by, count }: ActivityEntry) => [kind, by, count])).toEqual([
      ['emergency', undefined, 2],
      ['export-passwords', undefined, 2],
    ])
    const { events } = await get(paths.recordActivity(id))
    expect(events.map(({ kind }: ActivityEntry) => kind)).toEqual(['export', 'export', 'add'])
  })

  it('counts refused sign-ins to accounts that there are', async () => {
    for (const email of ['ann@example.com', 'nobody@example.com'])
      for (let i = 0; i < 2; i++) await server.connect().signIn(email, 'a wrong one')
    const read = async () => (await get(`${paths.activity}?kind=sign-ins`)).entries[0]
    const refused = { kind: 'refuse-sign-in', account: 'ann@example.com', count: 2 }
    await expect.poll(read).toMatchObject(refused)
  })

  it('is told once: of a new browser in the other sessions', async () => {
    const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' }
    const other = server.connect()
    await other.post(paths.session, { email: 'ann@example.com', password }, browser)
    expect((await other.get(paths.news)).body).toEqual({ entries: [] })
    const { entries } = await get(paths.news)
    expect(entries).toMatchObject([{ kind: 'sign-in-new-browser', browser: 'Firefox on Linux' }])
    const ids = [entries[0].id]
    expect((await other.post(paths.news, { ids })).status).toBe(204)
    expect((await get(paths.news)).entries).toHaveLength(1)
    expect((await ann.post(paths.news, { ids })).status).toBe(204)
    expect(await get(paths.news)).toEqual({ entries: [] })
  })

  it('refuses reports of another form', async () => {
    for (const report of [
      {},
      { kind: 'delete' },
      { kind: 'reveal', ids: [] },
      { kind: 'reveal', ids: ['a b'] },
      { kind: 'reveal', ids: Array.from({ length: maxReportedIds + 1 }, String) },
      { kind: 'export', count: -1 },
      { kind: 'export', count: 1.5 },
      { kind: 'copy', password: 'engine' },
    ]) {
      const { status, body } = await ann.post(paths.activity, report)
      expect([report, status, body.code]).toEqual([report, 400, 'invalid-request'])
      expect(body.message).not.toMatch(/ a [aeiou]/)
    }
    expect(await readLog()).toHaveLength(4)
  })

  it('takes 600 reports an hour from each account', async () => {
    const report = (client: TestClient) => client.post(paths.activity, { kind: 'export' })
    for (let round = 0; round < 6; round++) {
      const responses = await Promise.all(Array.from({ length: 100 }, () => report(ann)))
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]))
    }
    const refused = await report(ann)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3000]).toEqual([429, true])
    expect((await report(bob)).status).toBe(204)
  })
})
