import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { account, person, storageSuite } from '../../../tests/contracts/storage-suite.ts'
import { createTestStorage } from '../../../tests/support/storage.ts'
import { readMigrations } from '../migrations.ts'
import { createSqliteAdmin } from './admin/admin.ts'
import { databaseFile } from './data-dir.ts'
import { openSqlite } from './open.ts'

storageSuite('SQLite', createTestStorage)

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

it('security: a restored backup contains remembered addresses but no sessions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
  const admin = createSqliteAdmin(folder, undefined)
  const storage = await openSqlite({ dataDir: folder })
  await storage.accounts.add(account('1', 'ada@x.y'))
  await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash', 'home')
  const backup = join(folder, 'backup.db')
  await admin.backUp(backup)
  await storage.close()
  await admin.restore(backup, { acceptUnsigned: false })
  const restored = await openSqlite({ dataDir: folder })
  expect([await restored.sessions.isRemembered('home'), await restored.sessions.listByAccount('1')]).toEqual([
    true,
    [],
  ])
  await restored.close()
  rmSync(folder, { recursive: true })
})
