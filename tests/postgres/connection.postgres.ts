import { describe, expect, inject, it } from 'vitest'
import type { EmployeeChange, Storage } from '../../server/storage/storage.ts'
import { person } from '../contracts/provide-storage.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'
import { startFaultProxy } from '../support/postgres/proxy.ts'
import { postgresTestStorage } from '../support/postgres/storage.ts'
import { closeAfterTest, createTestStorage } from '../support/storage.ts'

const newSchema = () => createSchema(inject('postgres'))

it("PostgreSQL: the server's own tests run on PostgreSQL", async () => {
  expect((await createTestStorage()).database).toBe('PostgreSQL')
})

describe('PostgreSQL: change events with several processes', () => {
  const open = (url: string, key?: Uint8Array) => closeAfterTest(postgresTestStorage(url)).open({ key })

  async function openTwoStorages() {
    const url = await newSchema()
    return { url, one: await open(url), other: await open(url) }
  }

  function collectChanges({ employees }: Storage, afterRevision?: number) {
    const received: EmployeeChange[] = []
    employees.subscribe((changes) => received.push(...changes), afterRevision)
    return received
  }

  /** Repeats an add, which fails while the connection is lost. */
  const expectAdded = ({ employees }: Storage, id: string) =>
    expect.poll(() => employees.add(id, person(id)).catch(() => 'lost')).toMatchObject({ outcome: 'done' })

  const revisionsOf = (changes: EmployeeChange[]) => changes.map(({ revision }) => revision)

  it("delivers other processes' earlier changes before an own write resolves", async () => {
    const { one, other } = await openTwoStorages()
    const received = collectChanges(one)
    await other.employees.add('theirs', person('theirs'))
    await one.employees.add('mine', person('mine'))
    expect(received.map(({ id }) => id)).toEqual(['theirs', 'mine'])
  })

  it('delivers the same changes to every process while all write, without gaps or duplicates', async () => {
    const { one, other } = await openTwoStorages()
    const received = [collectChanges(one), collectChanges(other)]
    const writes = Array.from({ length: 300 }, (_, i) =>
      (i % 2 ? one : other).employees.add(`r${i % 200}`, person(`p${i % 200}`)),
    )
    const outcomes = await Promise.all(writes)
    const doneRevisions = outcomes.flatMap((write) => (write.outcome === 'done' ? [write.revision] : []))
    expect(doneRevisions.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
    for (const changes of received)
      await expect.poll(() => revisionsOf(changes)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
    expect(received[0]).toEqual(received[1])
  })

  it('delivers everything after the given revision', async () => {
    const { one, other } = await openTwoStorages()
    await one.employees.add('a', person('a'))
    const { revision } = await one.employees.head()
    await other.employees.add('b', person('b'))
    await other.employees.update('a', person('a2'))
    await other.employees.add('c', person('c'))
    await other.employees.remove('c')
    const received: EmployeeChange[] = []
    await one.employees.subscribe((changes) => received.push(...changes), revision)
    expect(received.map(({ id, type, revision }) => [id, type, revision])).toEqual([
      ['b', 'saved', 2],
      ['a', 'saved', 3],
      ['c', 'removed', 5],
    ])
  })

  it('delivers everything to a subscriber that was added during a write', async () => {
    const { url, one: other } = await openTwoStorages()
    await other.employees.add('a', person('a'))
    for (let i = 0; i < 20; i++) {
      const one = await open(url)
      const writing = one.employees.add(`b${i}`, person('b'))
      for (let turns = 0; turns < i; turns++) await new Promise(setImmediate)
      const received = collectChanges(one, i)
      await writing
      await expect.poll(() => revisionsOf(received).slice(0, 2)).toEqual([i + 1, i + 2])
    }
  })

  it('delivers changes made while the connection was lost, then continues', async () => {
    const { url, one, other } = await openTwoStorages()
    const received = collectChanges(one)
    await other.employees.add('before', person('before'))
    await expect.poll(() => received.length).toBe(1)
    await query(
      url,
      `SELECT pg_terminate_backend (pid) FROM pg_stat_activity
       WHERE application_name = 'staffbook' AND datname = current_database()`,
    )
    await expectAdded(other, 'while')
    await expect.poll(() => received.map(({ id }) => id)).toEqual(['before', 'while'])
    await expectAdded(one, 'after')
    expect(revisionsOf(received)).toEqual([1, 2, 3])
  })

  it('rejects a write as uncertain if the response to COMMIT is lost, delivers it once, and ignores its retry', async () => {
    const proxy = await startFaultProxy(await newSchema())
    const storage = await open(proxy.url)
    const received = collectChanges(storage)
    await storage.employees.add('a', person('a'))
    proxy.cutAfter('COMMIT\0')
    await expect(storage.employees.add('b', person('b'))).rejects.toMatchObject({ kind: 'uncertain' })
    await expect.poll(() => received.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(await storage.employees.add('b', person('b'))).toMatchObject({ outcome: 'unchanged', revision: 2 })
    expect(received).toHaveLength(2)
  })

  it('rejects a write as unavailable if the connection is lost before COMMIT, and does not store it', async () => {
    const proxy = await startFaultProxy(await newSchema())
    const storage = await open(proxy.url)
    await storage.employees.add('a', person('a'))
    proxy.cutAfter('FOR UPDATE')
    await expect(storage.employees.add('b', person('b'))).rejects.toMatchObject({ kind: 'unavailable' })
    await expectAdded(storage, 'b')
    expect(await storage.employees.head()).toMatchObject({ revision: 2 })
  })

  it('rejects this and all later writes as unavailable if the database was replaced', async () => {
    const url = await newSchema()
    const storage = await open(url)
    await storage.employees.add('a', person('a'))
    await query(url, `UPDATE register SET epoch = 'another'`)
    const outcomes = await Promise.allSettled(['b', 'c'].map((id) => storage.employees.add(id, person(id))))
    const refused = { status: 'rejected', reason: { name: 'StorageError', kind: 'unavailable' } }
    expect(outcomes).toMatchObject([refused, refused])
    expect((await storage.failed).reason).toBe('stale')
    await expect(storage.employees.add('d', person('d'))).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('does not fail other writes of the same round because of one that fails', async () => {
    const url = await newSchema()
    const storage = await open(url, new Uint8Array(32))
    await storage.employees.add('damaged', person('x'))
    await query(url, `UPDATE books SET "eName" = 'not encrypted'`)
    const outcomes = await Promise.allSettled([
      storage.employees.add('a', person('a')),
      storage.employees.restore('damaged', person('x')),
      storage.employees.add('b', person('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await storage.employees.head()).toMatchObject({ revision: 3 })
  })
})

describe('PostgreSQL: opening the database', () => {
  const openAndClose = (url: string, key?: Uint8Array) =>
    postgresTestStorage(url)
      .open({ key })
      .then((storage) => storage.close())
      .then(() => 'opened')
      .catch(({ message }) => message)

  it('creates it once if several processes start at the same time', async () => {
    const url = await newSchema()
    const opened = await Promise.all(Array.from({ length: 5 }, () => openAndClose(url)))
    expect(opened).toEqual(Array(5).fill('opened'))
    expect(await query(url, 'SELECT * FROM register')).toHaveLength(1)
  })

  it('refuses a wrong key, a missing key, and a key for unencrypted records', async () => {
    const [encrypted, plain] = [await newSchema(), await newSchema()]
    const key = new Uint8Array(32).fill(7)
    expect([await openAndClose(encrypted, key), await openAndClose(plain)]).toEqual(['opened', 'opened'])
    expect(await openAndClose(encrypted)).toMatch(/is encrypted\. Set RECORDS_KEY/)
    expect(await openAndClose(encrypted, new Uint8Array(32))).toMatch(/is encrypted with a different key/)
    expect(await openAndClose(plain, key)).toMatch(/is not encrypted/)
    expect(await openAndClose(encrypted, key)).toBe('opened')
  })
})
