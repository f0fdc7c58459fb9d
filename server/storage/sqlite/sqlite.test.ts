import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { activityStorageSuite } from '../../../tests/contracts/activity-storage-suite.ts'
import { historyStorageSuite } from '../../../tests/contracts/history-storage-suite.ts'
import { linkStorageSuite } from '../../../tests/contracts/link-storage-suite.ts'
import { account, batchOf, collect, makePeople, person } from '../../../tests/contracts/provide-storage.ts'
import { storageSuite } from '../../../tests/contracts/storage-suite.ts'
import { createFolder } from '../../../tests/support/cleanup.ts'
import { named } from '../../../tests/support/people.ts'
import { createTestStorage } from '../../../tests/support/storage.ts'
import { readMigrations } from '../migrations.ts'
import { listRecordActivity } from '../sql/history.ts'
import { createSqliteAdmin } from './admin/admin.ts'
import { checkIntegrity } from './admin/check.ts'
import { connect } from './connect.ts'
import { databaseFile } from './data-dir.ts'
import { databaseFilesOf } from './disk-errors.ts'
import { migrate, readSchemaVersion } from './migrate.ts'
import { openSqlite } from './open.ts'
import { createRunCommand } from './run-command.ts'

storageSuite('SQLite', createTestStorage)
// Each in a group of its own, because it opens a database for each test.
describe('links', () => linkStorageSuite('SQLite', createTestStorage))
describe('history', () => historyStorageSuite('SQLite', createTestStorage))
describe('activity', () => activityStorageSuite('SQLite', createTestStorage))

it('migrates 100,000 records without history, which everybody who was removed may know', {
  tags: 'large',
}, async () => {
  const folder = createFolder()
  const database = connect(databaseFile(folder))
  migrate(database, 8)
  database.exec(`
    INSERT INTO accounts VALUES ('1', 'ada@x.y', 'ada@x.y', 'hash', '2026'), ('2', 'eve@x.y', 'eve@x.y', 'hash', '2026');
    INSERT INTO people (uid, email, createdAt) SELECT uid, email, createdAt FROM accounts;
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO books (seq, id, eName, email, password, revision) SELECT i, 'r' || i, 'name', 'a@b', 'password', i FROM n;
    UPDATE books SET removed = 1, eName = NULL, email = NULL, password = NULL, revision = 100001 WHERE seq = 100000`)
  database.close()
  const { employees, accounts, history, close } = await openSqlite({ dataDir: folder })
  const loadDetails = async () => (await history.loadDetails()[Symbol.asyncIterator]().next()).value
  expect([await loadDetails(), await history.listDeleted(1)]).toEqual([undefined, []])
  expect(await employees.restoreDeleted('r100000')).toEqual({ outcome: 'not-found' })
  await accounts.remove('2')
  await employees.update('r1', person('new'), undefined, '1')
  const fields = named('other', { email: 'a@b', password: 'password' })
  await employees.update('r2', fields, undefined, '1')
  await employees.restore('r100000', fields)
  const { ids } = (await history.findExposed('2')) ?? { ids: [] }
  expect([ids.length, ids.at(0), ids.at(-1)]).toEqual([99_999, 'r2', 'r100000'])
  const unknown = { changedAt: expect.any(Number), passwordChangedAt: null }
  expect(await loadDetails()).toEqual([
    { id: 'r1', changedBy: 'ada@x.y', changedAt: expect.any(Number), passwordChangedAt: expect.any(Number) },
    { id: 'r2', changedBy: 'ada@x.y', ...unknown },
    { id: 'r100000', changedBy: null, ...unknown },
  ])
  await close()
})

/** The line of the present password, one whose text is kept, one of an older register, and one whose text was wiped. */
const digestLines = ['aaaaaaaaaaaa 9 ', 'bbbbbbbbbbbb 5 9', 'cccccccccccc-and-more 3 0', 'dddddddddddd 2 5']

it('migrates the passwords that a record has had from lines of text to rows', () => {
  const file = databaseFile(createFolder())
  using database = connect(file)
  migrate(database, 16)
  database.exec(`
    INSERT INTO books (seq, id, eName, email, password, revision, passwordRevision, firstPasswordRevision, passwordDigests)
    VALUES (1, 'a', 'name', 'a@b', 'p', 9, 9, 2, '${digestLines.join('\n')}'), (2, 'b', 'name', 'a@b', 'p', 10, 10, NULL, NULL);
    INSERT INTO previousPasswords (revision, seq, fields, at, person, total) VALUES (9, 1, '{"password":"b"}', 77, 1, 400)`)
  migrate(database)
  const unkept = { seq: 1, at: null, person: null, fields: null, total: 0 }
  expect(database.prepare('SELECT * FROM previousPasswords ORDER BY digest').all()).toEqual([
    {
      seq: 1,
      digest: 'bbbbbbbbbbbb',
      since: 5,
      revision: 9,
      at: 77,
      person: 1,
      fields: '{"password":"b"}',
      total: 400,
    },
    { ...unkept, digest: 'cccccccccccc', since: 3, revision: 3 - Number.MAX_SAFE_INTEGER },
    { ...unkept, digest: 'dddddddddddd', since: 2, revision: 5 },
  ])
  expect(checkIntegrity(file, undefined)).toMatchObject({ problems: [], records: 2 })
})

describe('the migration of 100,000 records, 10,000 of them deleted', { tags: 'large' }, () => {
  let folder: string
  let database: DatabaseSync

  beforeEach(() => {
    folder = createFolder()
    database = connect(databaseFile(folder))
    migrate(database, 8)
    database.exec(`
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO books SELECT i, 'r' || i, 'name', 'a@b', 'password ' || i, i, NULL, 1, NULL, i, 1, 0 FROM n;
      UPDATE books SET removed = 1, revision = 100000 + seq WHERE seq % 10 = 0;
      UPDATE books SET eName = NULL, email = NULL, password = NULL WHERE revision = 100010`)
  })

  it('keeps their fields until they are wiped', async () => {
    database.close()
    const { employees, history, close } = await openSqlite({ dataDir: folder })
    expect(await history.countDeleted()).toBe(9999)
    const removals = await employees.latestRemovals(20_000)
    expect([removals.length, removals[0], removals.at(-1)]).toEqual([
      10_000,
      { id: 'r100000', seq: 100_000, revision: 200_000 },
      { id: 'r10', seq: 10, revision: 100_010 },
    ])
    const fields = named('name', { email: 'a@b', password: 'password 20' })
    expect(await employees.restoreDeleted('r20')).toMatchObject({ outcome: 'done', seq: 20, fields })
    expect(await employees.restoreDeleted('r10')).toEqual({ outcome: 'not-found' })
    expect(await history.wipeDeleted(1)).toBe(1000)
    expect(await history.countDeleted()).toBe(8998)
    expect(await employees.latestRemovals(20_000)).toHaveLength(9999)
    while ((await history.wipeDeleted(1)) > 0);
    await close()
    const file = readFileSync(databaseFile(folder))
    expect([file.includes('password 99990'), file.includes('password 99991')]).toEqual([false, true])
    expect(checkIntegrity(databaseFile(folder), undefined)).toMatchObject({ problems: [], records: 90_001 })
  })

  it('changes nothing if it is interrupted', () => {
    // A cache of one page makes SQLite write the other pages before the commit.
    database.exec('PRAGMA cache_size = 1; BEGIN')
    for (const { version, sql } of readMigrations(new URL('./migrations/', import.meta.url)))
      if (version > 8) database.exec(sql)
    const crashed = join(folder, 'crashed')
    mkdirSync(crashed)
    for (const path of databaseFilesOf(databaseFile(folder)).filter((path) => existsSync(path)))
      cpSync(path, join(crashed, basename(path)))
    database.exec('ROLLBACK')
    database.close()
    const after = new DatabaseSync(databaseFile(crashed))
    expect(readSchemaVersion(after)).toBe(8)
    expect(
      after.prepare('SELECT count(*) AS n FROM books WHERE removed AND eName IS NOT NULL').get()?.n,
    ).toBe(9999)
    expect(after.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok')
    migrate(after)
    after.close()
    expect(checkIntegrity(databaseFile(crashed), undefined)).toMatchObject({ problems: [], records: 90_000 })
  })
})

it('security: searches the log for a record a few entries at a time, as those of batches may be large', async () => {
  using database = new DatabaseSync(databaseFile(createFolder()))
  migrate(database)
  database.exec(`
    INSERT INTO books (seq, id, revision) VALUES (5, 'a', 1);
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    INSERT INTO activity (at, kind, records) SELECT i, 'batch-change', iif(i % 2, '1-3,5,8-9', '1-4,6,55') FROM n`)
  const run = createRunCommand(database)
  const lengths: number[] = []
  const found = await listRecordActivity(
    (command) => {
      const result = run(command)
      if (Array.isArray(result)) lengths.push(result.length)
      return result
    },
    'a',
    100,
  )
  expect(found?.map(({ at }) => at)).toEqual(Array.from({ length: 50 }, (_, i) => 99 - 2 * i))
  expect(Math.max(...lengths)).toBeLessThanOrEqual(10)
})

it('reports a record that is not removed and has no fields', () => {
  const folder = createFolder()
  using database = new DatabaseSync(databaseFile(folder))
  migrate(database)
  database.exec("INSERT INTO books (seq, id, revision) VALUES (1, 'a', 1)")
  expect(checkIntegrity(databaseFile(folder), undefined).problems).toEqual(['Record a has no fields.'])
})

it('security: a batch that is refused as busy leaves nothing with the writer thread', async () => {
  const { employees, close } = await openSqlite({ dataDir: createFolder(), maxWaiting: 1 })
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  const write = (name: string) =>
    employees.writeBatch(batchOf(makePeople(1000).map((fields, i) => ({ ...fields, id: `${name}${i}` }))))
  const outcomes = await Promise.allSettled(['a', 'b'].map(write))
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { kind: 'busy' } }])
  await write('c')
  const batches = post.mock.calls.map(([message]) => message.batchId).filter((id) => id !== undefined)
  expect(new Set(batches).size).toBe(2)
  await close()
})

it('security: digests do not show the content without the key, and end with it', async () => {
  const folder = createFolder()
  const [key, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const storage = await openSqlite({ dataDir: folder, key })
  await storage.employees.add('a', person('a'), undefined, 'digest of a')
  await storage.close()
  const readDigest = () => {
    using database = new DatabaseSync(databaseFile(folder))
    return database.prepare('SELECT digest FROM books').get()?.digest
  }
  expect(readDigest()).toMatch(/^[\w-]{11}$/)
  await createSqliteAdmin(folder, key).changeKey(newKey)
  expect(readDigest()).toBeNull()
  const again = await openSqlite({ dataDir: folder, key: newKey })
  expect(await again.employees.add('a', person('a'), undefined, 'digest of a')).toMatchObject({
    outcome: 'unchanged',
  })
  await again.close()
})

it('empties its log when it rests, so that a copy of the database file alone is whole', async () => {
  const [folder, copy] = [createFolder(), createFolder()]
  const storage = await openSqlite({ dataDir: folder })
  for (const each of makePeople(30)) await storage.employees.add(each.id, person(each.id))
  const [file, log] = databaseFilesOf(databaseFile(folder))
  await expect.poll(() => statSync(String(log)).size).toBe(0)
  cpSync(String(file), databaseFile(copy))
  const copied = await openSqlite({ dataDir: copy })
  expect(await collect(copied.employees.load())).toHaveLength(30)
  await copied.close()
  await storage.employees.add('one more', person('one more'))
  expect(statSync(String(log)).size).toBeGreaterThan(0)
  await storage.close()
})

it('security: a restored backup contains remembered addresses but no sessions and no links', async () => {
  const folder = createFolder()
  const admin = createSqliteAdmin(folder, undefined)
  const storage = await openSqlite({ dataDir: folder })
  await storage.accounts.add(account('1', 'ada@x.y'))
  await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash', 'home')
  await storage.links.addInvitation({ hash: 'i', uid: '1', email: null, expiresAt: 9 }, 1)
  await storage.links.setResetLink({ uid: '1', hash: 'r', expiresAt: 9 })
  const backup = join(folder, 'backup.db')
  await admin.backUp(backup)
  await storage.close()
  await admin.restore(backup, { acceptUnsigned: false })
  const restored = await openSqlite({ dataDir: folder })
  expect(await restored.sessions.isRemembered('home')).toBe(true)
  expect(await restored.sessions.listByAccount('1')).toEqual([])
  expect(await restored.links.listInvitations(1)).toEqual([])
  expect(await restored.links.findByResetLink('r', 1)).toBeUndefined()
  expect(await restored.accounts.listLastSeen()).toEqual(new Map([['1', 1]]))
  await restored.close()
})
