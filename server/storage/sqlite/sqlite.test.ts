import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { historyStorageSuite } from '../../../tests/contracts/history-storage-suite.ts'
import { linkStorageSuite } from '../../../tests/contracts/link-storage-suite.ts'
import { account, person, storageSuite } from '../../../tests/contracts/storage-suite.ts'
import { createTestStorage } from '../../../tests/support/storage.ts'
import { readMigrations } from '../migrations.ts'
import { createSqliteAdmin } from './admin/admin.ts'
import { databaseFile } from './data-dir.ts'
import { openSqlite } from './open.ts'

storageSuite('SQLite', createTestStorage)
linkStorageSuite('SQLite', createTestStorage)
historyStorageSuite('SQLite', createTestStorage)

it('migrates a database without digests, and compares no repeated add of its records', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
  const database = new DatabaseSync(databaseFile(folder))
  const migrations = readMigrations(new URL('./migrations/', import.meta.url))
  for (const { sql } of migrations.slice(0, 3)) database.exec(sql)
  database.exec("PRAGMA user_version = 3; INSERT INTO books VALUES (1, 'a', 'Ada', 'a@b', 'engine', 1)")
  database.close()
  const storage = await openSqlite({ dataDir: folder })
  const added = [
    await storage.employees.add('a', person('other'), 'digest'),
    await storage.employees.add('b', person('b'), 'digest'),
    await storage.employees.add('b', person('other'), 'other digest'),
  ]
  expect(added.map(({ outcome }) => outcome)).toEqual(['unchanged', 'done', 'key-reused'])
  await storage.close()
  rmSync(folder, { recursive: true })
})

it('migrates a database without links, and knows when its accounts were last seen', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
  const database = new DatabaseSync(databaseFile(folder))
  const migrations = readMigrations(new URL('./migrations/', import.meta.url))
  for (const { sql } of migrations.slice(0, 5)) database.exec(sql)
  database.exec(`PRAGMA user_version = 5;
    INSERT INTO accounts VALUES ('1', 'ada@x.y', 'ada@x.y', 'hash', '2026'), ('2', 'eve@x.y', 'eve@x.y', 'hash', '2026');
    INSERT INTO sessions VALUES ('a', '1', 1, 5), ('b', '1', 1, 7)`)
  database.close()
  const storage = await openSqlite({ dataDir: folder })
  expect(await storage.accounts.listLastSeen()).toEqual(new Map([['1', 7]]))
  await storage.close()
  rmSync(folder, { recursive: true })
})

it('migrates 100,000 records without history, which everybody who was removed may know', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
  const database = new DatabaseSync(databaseFile(folder))
  const migrations = readMigrations(new URL('./migrations/', import.meta.url))
  for (const { sql } of migrations.slice(0, 6)) database.exec(sql)
  database.exec(`PRAGMA user_version = 6;
    INSERT INTO accounts VALUES ('1', 'ada@x.y', 'ada@x.y', 'hash', '2026'), ('2', 'eve@x.y', 'eve@x.y', 'hash', '2026');
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO books SELECT i, 'r' || i, 'name', 'a@b', 'password', i, NULL FROM n;
    UPDATE books SET eName = NULL, email = NULL, password = NULL, revision = 100001 WHERE seq = 100000`)
  database.close()
  const { employees, accounts, history, close } = await openSqlite({ dataDir: folder })
  const loadDetails = async () => (await history.loadDetails()[Symbol.asyncIterator]().next()).value
  expect([await loadDetails(), await history.listDeleted(1)]).toEqual([undefined, []])
  expect(await employees.restoreDeleted('r100000')).toEqual({ outcome: 'not-found' })
  await accounts.remove('2')
  await employees.update('r1', person('new'), undefined, '1')
  const fields = { eName: 'other', email: 'a@b', password: 'password' }
  await employees.update('r2', fields, undefined, '1')
  await employees.restore('r100000', fields)
  const { ids } = (await history.findExposed('2')) ?? { ids: [] }
  expect([ids.length, ids.at(0), ids.at(-1)]).toEqual([99_999, 'r2', 'r100000'])
  const unknown = { changedAt: expect.any(Number), passwordAt: null }
  expect(await loadDetails()).toEqual([
    { id: 'r1', changedBy: 'ada@x.y', changedAt: expect.any(Number), passwordAt: expect.any(Number) },
    { id: 'r2', changedBy: 'ada@x.y', ...unknown },
    { id: 'r100000', changedBy: null, ...unknown },
  ])
  await close()
  rmSync(folder, { recursive: true })
})

it('security: digests do not show the content without the key, and end with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
  const [key, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const storage = await openSqlite({ dataDir: folder, key })
  await storage.employees.add('a', person('a'), 'digest of a')
  await storage.close()
  const readDigest = () => {
    const database = new DatabaseSync(databaseFile(folder))
    const digest = database.prepare('SELECT digest FROM books').get()?.digest
    database.close()
    return digest
  }
  expect(readDigest()).toMatch(/^[\w-]{11}$/)
  await createSqliteAdmin(folder, key).changeKey(newKey)
  expect(readDigest()).toBeNull()
  const again = await openSqlite({ dataDir: folder, key: newKey })
  expect(await again.employees.add('a', person('a'), 'digest of a')).toMatchObject({ outcome: 'unchanged' })
  await again.close()
  rmSync(folder, { recursive: true })
})

it('security: a restored backup contains remembered addresses but no sessions and no links', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
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
  expect([await restored.sessions.isRemembered('home'), await restored.sessions.listByAccount('1')]).toEqual([
    true,
    [],
  ])
  expect(await restored.links.listInvitations(1)).toEqual([])
  expect(await restored.links.findByResetLink('r', 1)).toBeUndefined()
  expect(await restored.accounts.listLastSeen()).toEqual(new Map([['1', 1]]))
  await restored.close()
  rmSync(folder, { recursive: true })
})
