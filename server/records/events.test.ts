import { describe, expect, it, vi } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { batchOf, makePeople } from '../../tests/contracts/provide-storage.ts'
import { named } from '../../tests/support/people.ts'
import { provideSignedInServer } from '../../tests/support/provide-server.ts'
import { createGatherer } from './events-route.ts'

describe('protocol: the stream of changes', () => {
  const { server, client } = provideSignedInServer(
    { streamOptions: { heartbeatIntervalMs: 50, maxPerOwner: 3 } },
    'test',
  )

  it('responds immediately with an event stream and sends heartbeats while idle', async () => {
    const stream = await client.openChangeStream()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toMatch('text/event-stream')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    let text = await stream.readFirst()
    expect(text).toMatch(/^:\n\n/)
    while (text.length < 9) text = await stream.readFirst()
    expect(text).toMatch(/^(:\n\n){3,}$/)
  })

  it('sends every write with its revision when it is committed', async () => {
    const watcher = await server.signIn('watcher@example.com')
    const stream = await watcher.openChangeStream()
    const { id } = (await client.add(named('ada'))).body
    await client.update(id, named('grace'))
    await client.remove(id)
    await client.restore(id, named('ada'))
    const saved = (name: string) => ({ type: 'saved', document: { id, ...named(name) }, after: null })
    const changes = [saved('ada'), saved('grace'), { type: 'removed', id }, saved('ada')]
    for (const [i, change] of changes.entries()) {
      const data = { revision: i + 1, ...change }
      expect(await stream.next()).toEqual({ id: i + 1, event: 'change', data })
    }
  })

  it('sends missed changes: removals, then saves in order of creation, with an id on the last only', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await client.add(named(name))).body.id)
    await client.update(ids[2] as string, named('c2'))
    await client.update(ids[0] as string, named('a2'))
    await client.remove(ids[1] as string)
    const stream = await client.openChangeStream({ since: 3 })
    const saved = (revision: number, at: number, name: string, after: string | null) => {
      const document = { id: ids[at], ...named(name) }
      return { type: 'saved', revision, document, after }
    }
    const removed = { type: 'removed', revision: 6, id: ids[1] }
    expect(await stream.next()).toEqual({ event: 'change', data: removed })
    expect(await stream.next()).toEqual({ event: 'change', data: saved(5, 0, 'a2', null) })
    expect(await stream.next()).toEqual({ id: 6, event: 'change', data: saved(4, 2, 'c2', ids[0] as string) })
  })

  it('ends after the missed changes with follow=no, and counts as no stream', async () => {
    await client.add(named('a'))
    const { body } = await client.add(named('b'))
    const query = async (since: number) =>
      (await client.get(`${paths.changes}?since=${since}&follow=no`)).body as unknown
    const read = await client.get(`${paths.changes}?since=1&follow=no`)
    expect([read.status, read.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    for (let times = 0; times < 4; times++)
      expect(await query(1)).toMatch(new RegExp(`id: 2\n.*${body.id}`, 's'))
    expect(await query(2)).toBe(':\n\n')
  })

  it('resumes at Last-Event-ID, which takes precedence over since', async () => {
    await client.add(named('a'))
    const { id } = (await client.add(named('b'))).body
    const stream = await client.openChangeStream({ since: 0, lastEventId: 1 })
    expect(await stream.next()).toMatchObject({ id: 2, data: { document: { id } } })
  })

  it('resumes after a restart of the server, without the fields of removed records', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b']) ids.push((await client.add(named(name))).body.id)
    await client.remove(ids[0] as string)
    await server.restart()
    const stream = await client.openChangeStream({ since: 1 })
    const removed = { type: 'removed', revision: 3, id: ids[0] }
    expect(await stream.next()).toEqual({ event: 'change', data: removed })
    expect(await stream.next()).toMatchObject({ id: 3, data: { document: { id: ids[1] }, after: null } })
    expect(await client.documents()).toEqual([{ id: ids[1], ...named('b') }])
  })

  it('sends stale with the revision to a client that is ahead of the database', async () => {
    await client.add(named('a'))
    const stream = await client.openChangeStream({ since: 99 })
    expect(await stream.next()).toEqual({ id: 1, event: 'stale', data: {} })
  })

  it('sends stale to a client that missed too many changes', async () => {
    await server.storage.employees.writeBatch(batchOf(makePeople(5_001)))
    const far = await client.openChangeStream({ since: 0 })
    expect(await far.next()).toMatchObject({ id: 5_001, event: 'stale' })
    const near = await client.openChangeStream({ since: 4_999 })
    expect(await near.next()).toMatchObject({ event: 'change', data: { document: { id: 'r4999' } } })
  })

  it('sends stale to a client that missed more than 256 KB of text, even in few records', async () => {
    const long = { ...named('x'), password: 'p'.repeat(10_000) }
    for (let i = 0; i < 30; i++) await server.storage.employees.add(`r${i}`, long)
    const far = await client.openChangeStream({ since: 0 })
    expect(await far.next()).toEqual({ id: 30, event: 'stale', data: {} })
    const near = await client.openChangeStream({ since: 10 })
    for (let i = 10; i < 30; i++)
      expect(await near.next()).toMatchObject({ event: 'change', data: { document: { id: `r${i}` } } })
  })

  it('sends stale to a client that missed more removals than are stored', async () => {
    const employees = makePeople(5_100)
    await server.storage.employees.writeBatch({ add: employees, update: [], remove: employees })
    const stream = await client.openChangeStream({ since: 5_100 })
    expect(await stream.next()).toMatchObject({ id: 10_200, event: 'stale' })
    const { revision } = (await client.list()).body
    const near = await client.openChangeStream({ since: revision - 1 })
    const data = { type: 'removed', id: 'r5099' }
    expect(await near.next()).toMatchObject({ id: 10_200, event: 'change', data })
  })

  it('ends with the session', async () => {
    const stream = await client.openChangeStream()
    await stream.readFirst()
    await client.delete(paths.session)
    expect(await stream.next()).toBeUndefined()
    expect((await client.openChangeStream()).status).toBe(401)
  })

  it('refuses an invalid revision, and more streams than a session may open', async () => {
    for (const query of ['?since=-1', '?since=x', '?since=1&since=2', '?sinc=1', '?follow=yes']) {
      const { status, body } = await client.get(paths.changes + query)
      expect([status, body.code]).toEqual([400, 'invalid-request'])
    }
    for (let i = 0; i < 3; i++) await client.openChangeStream()
    const refused = await client.get(paths.changes)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
  })
})

describe('events that are sent to streams', () => {
  /** Returns the time and the events of each write to the streams, which takes `sendMs`. */
  async function gather(everyMs: number, count: number, sendMs: number, isBusy = true) {
    vi.useFakeTimers()
    const start = performance.now()
    const writes: [ms: number, events: string][] = []
    let sendingMs = 0
    const gatherer = createGatherer(
      (events) => {
        writes.push([performance.now() - start, events])
        sendingMs += sendMs
        if (isBusy) gatherer.countRequest()
      },
      () => performance.now() + sendingMs,
    )
    for (let i = 0; i < count; i++) {
      gatherer.add(String(i % 10))
      await vi.advanceTimersByTimeAsync(everyMs)
    }
    await vi.runAllTimersAsync()
    return writes
  }

  it('are sent at once if there is time for it', async () => {
    expect(await gather(5, 3, 1)).toEqual([
      [0, '0'],
      [5, '1'],
      [10, '2'],
    ])
  })

  it('are sent together every 20 ms if they keep coming faster', async () => {
    const writes = await gather(1, 40, 2)
    // Two of the 20 ms pass while the write before is made.
    expect(writes.map(([ms]) => ms)).toEqual([0, 18, 36, 54])
    expect(writes.map(([, { length }]) => length)).toEqual([1, 17, 18, 4])
  })

  it('are sent at once if no request has waited for the last write', async () => {
    const writes = await gather(15, 3, 50, false)
    expect(writes).toEqual([
      [0, '0'],
      [15, '1'],
      [30, '2'],
    ])
  })

  it('wait as long as the last write has taken, so that many streams do not keep writes waiting', async () => {
    const writes = await gather(15, 10, 50)
    expect(writes.map(([, events]) => events)).toEqual(['0', '123', '456', '789'])
  })
})
