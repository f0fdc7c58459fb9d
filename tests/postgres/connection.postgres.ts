import { afterEach, describe, expect, inject, it } from 'vitest'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import type { EmployeeChange, Storage } from '../../server/storage/storage.ts'
import { person } from '../contracts/storage-suite.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'
import { startFaultProxy } from '../support/postgres/proxy.ts'
import { createTestStorage } from '../support/storage.ts'

it("PostgreSQL: the server's own tests run on PostgreSQL", async () => {
  expect((await createTestStorage()).database).toBe('PostgreSQL')
})

describe('PostgreSQL, many processes: what each hears', () => {
  const opened: Storage[] = []
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close()
  })

  async function open(url: string, key?: Uint8Array) {
    const storage = await openPostgres({ url, ...(key ? { key } : {}) })
    opened.push(storage)
    return storage
  }

  async function openTwoStorages() {
    const url = await createSchema(inject('postgres'))
    return { url, one: await open(url), other: await open(url) }
  }

  function collectChanges(storage: Storage) {
    const heard: EmployeeChange[] = []
    storage.employees.subscribe((changes) => heard.push(...changes))
    return heard
  }

  const revisionsOf = (changes: EmployeeChange[]) => changes.map(({ revision }) => revision)

  it('is what the other has written, in order, each once', async () => {
    const { one, other } = await openTwoStorages()
    const heard = collectChanges(one)
    for (const id of ['a', 'b', 'c']) await other.employees.add(id, person(id))
    await other.employees.remove('b')
    await expect.poll(() => heard.at(-1)).toEqual({ type: 'removed', id: 'b', seq: 2, revision: 4 })
    expect(heard.filter(({ id }) => id === 'c')).toEqual([
      { type: 'saved', id: 'c', seq: 3, revision: 3, ...person('c') },
    ])
    expect(new Set(revisionsOf(heard)).size).toBe(heard.length)
  })

  it("is the others' earlier writes before the answer of its own", async () => {
    const { one, other } = await openTwoStorages()
    const heard = collectChanges(one)
    await other.employees.add('theirs', person('theirs'))
    await one.employees.add('mine', person('mine'))
    expect(heard.map(({ id }) => id)).toEqual(['theirs', 'mine'])
  })

  it('has no gap and nothing twice while all write at once; afterwards all know the same', async () => {
    const { one, other } = await openTwoStorages()
    const heard = [collectChanges(one), collectChanges(other)]
    const writes = Array.from({ length: 300 }, (_, i) =>
      (i % 2 ? one : other).employees.add(`r${i % 200}`, person(`p${i % 200}`)),
    )
    const outcomes = await Promise.all(writes)
    const done = outcomes.flatMap((write) => (write.outcome === 'done' ? [write.revision] : []))
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
    for (const changes of heard) {
      await expect.poll(() => revisionsOf(changes)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
    }
    expect(heard[0]).toEqual(heard[1])
  })

  it('begins where it was read, whatever was written while it was', async () => {
    const { one, other } = await openTwoStorages()
    await one.employees.add('a', person('a'))
    const { revision } = await one.employees.head()
    await other.employees.add('b', person('b'))
    await other.employees.update('a', person('a2'))
    const heard: EmployeeChange[] = []
    await one.employees.subscribe((changes) => heard.push(...changes), revision)
    expect(heard.map(({ id, revision }) => [id, revision])).toEqual([
      ['b', 2],
      ['a', 3],
    ])
  })

  it('lacks nothing where it began in the middle of a write', async () => {
    const { one, other } = await openTwoStorages()
    await other.employees.add('a', person('a'))
    for (let i = 0; i < 20; i++) {
      const writing = one.employees.add(`b${i}`, person('b'))
      for (let turns = 0; turns < i; turns++) await new Promise(setImmediate)
      const heard: EmployeeChange[] = []
      await one.employees.subscribe((changes) => heard.push(...changes), i)
      await writing
      await expect.poll(() => revisionsOf(heard).slice(0, 2)).toEqual([i + 1, i + 2])
    }
  })

  it('is what was written while its connection was lost, and then goes on', async () => {
    const { url, one, other } = await openTwoStorages()
    const heard = collectChanges(one)
    await other.employees.add('before', person('before'))
    await expect.poll(() => heard.length).toBe(1)
    await query(
      url,
      "SELECT pg_terminate_backend (pid) FROM pg_stat_activity WHERE application_name = 'staffbook'",
    )
    await expect
      .poll(() =>
        other.employees.add('while', person('while')).then(
          ({ outcome }) => outcome,
          () => 'lost',
        ),
      )
      .toBe('done')
    await expect.poll(() => heard.map(({ id }) => id), { timeout: 20_000 }).toEqual(['before', 'while'])
    await expect
      .poll(() =>
        one.employees.add('after', person('after')).then(
          ({ outcome }) => outcome,
          () => 'lost',
        ),
      )
      .toBe('done')
    expect(revisionsOf(heard)).toEqual([1, 2, 3])
  })

  it('a COMMIT whose answer is lost: the write is uncertain, is told once, and sent again it changes nothing', async () => {
    const way = await startFaultProxy(await createSchema(inject('postgres')))
    const storage = await open(way.url)
    const heard = collectChanges(storage)
    await storage.employees.add('a', person('a'))
    way.cutAfter('COMMIT\0')
    await expect(storage.employees.add('b', person('b'))).rejects.toMatchObject({ kind: 'uncertain' })
    await expect.poll(() => heard.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(await storage.employees.add('b', person('b'))).toMatchObject({ outcome: 'unchanged', revision: 2 })
    expect(heard).toHaveLength(2)
    way.close()
  })

  it('a connection that is lost before COMMIT: the write is refused, and is not there', async () => {
    const way = await startFaultProxy(await createSchema(inject('postgres')))
    const storage = await open(way.url)
    await storage.employees.add('a', person('a'))
    way.cutAfter('FOR UPDATE')
    await expect(storage.employees.add('b', person('b'))).rejects.toMatchObject({ kind: 'unavailable' })
    await expect
      .poll(() =>
        storage.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up')
    expect(await storage.employees.add('b', person('b'))).toMatchObject({ outcome: 'done', revision: 2 })
    way.close()
  })

  it('a write that finds another register is refused as unavailable, and so is every one after it', async () => {
    const url = await createSchema(inject('postgres'))
    const storage = await open(url)
    await storage.employees.add('a', person('a'))
    await query(url, `UPDATE register SET epoch = 'another'`)
    const outcomes = await Promise.allSettled(['b', 'c'].map((id) => storage.employees.add(id, person(id))))
    const refused = { status: 'rejected', reason: { name: 'StorageError', kind: 'unavailable' } }
    expect(outcomes).toMatchObject([refused, refused])
    expect((await storage.failed).reason).toBe('stale')
    await expect(storage.employees.add('d', person('d'))).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('a write that fails for reasons of its own fails alone', async () => {
    const url = await createSchema(inject('postgres'))
    const storage = await open(url, new Uint8Array(32))
    await storage.employees.add('damaged', person('x'))
    await query(url, `UPDATE books SET "eName" = 'no sealed text'`)
    const outcomes = await Promise.allSettled([
      storage.employees.add('a', person('a')),
      storage.employees.restore('damaged', person('x')),
      storage.employees.add('b', person('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await storage.employees.head()).toMatchObject({ revision: 3 })
  })
})

describe('PostgreSQL, the register at start', () => {
  const openAndClose = (url: string, key?: Uint8Array) =>
    openPostgres({ url, ...(key ? { key } : {}) }).then(
      (storage) => storage.close().then(() => 'opened'),
      (error) => `${error.name}: ${error.message}`,
    )

  it('is made once by processes that start at the same time', async () => {
    const url = await createSchema(inject('postgres'))
    expect(await Promise.all(Array.from({ length: 5 }, () => openAndClose(url)))).toEqual(
      Array(5).fill('opened'),
    )
    expect(await query(url, 'SELECT * FROM register')).toHaveLength(1)
  })

  it('is refused where a newer program wrote it, and left as it is', async () => {
    const url = await createSchema(inject('postgres'))
    await openAndClose(url)
    await query(url, 'INSERT INTO staffbook_schema VALUES (9999)')
    expect(await openAndClose(url)).toMatch(
      /^StorageOpenError: .* was written by a newer Staffbook \(schema 9999/,
    )
  })

  it('is refused with another key, or none, or one for plain records', async () => {
    const [sealed, plain] = [await createSchema(inject('postgres')), await createSchema(inject('postgres'))]
    const key = new Uint8Array(32).fill(7)
    expect([await openAndClose(sealed, key), await openAndClose(plain)]).toEqual(['opened', 'opened'])
    expect(await openAndClose(sealed)).toMatch(/is encrypted\. Set RECORDS_KEY/)
    expect(await openAndClose(sealed, new Uint8Array(32))).toMatch(/is encrypted with another key/)
    expect(await openAndClose(plain, key)).toMatch(/is not encrypted/)
    expect(await openAndClose(sealed, key)).toBe('opened')
  })

  it('holds no word of a sealed record', async () => {
    const url = await createSchema(inject('postgres'))
    const storage = await openPostgres({ url, key: new Uint8Array(32) })
    await storage.employees.add('a', { eName: 'Ada\0Lovelace', email: 'ada@x.y', password: 'engine' })
    await storage.close()
    const [row] = await query(url, `SELECT encode ("eName" || email || password, 'escape') AS all FROM books`)
    for (const word of ['Ada', 'Lovelace', 'ada@x.y', 'engine']) expect(String(row.all)).not.toContain(word)
  })
})
