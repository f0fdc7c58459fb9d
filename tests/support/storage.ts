import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteAdmin } from '../../server/storage/sqlite/admin/admin.ts'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import type { Storage } from '../../server/storage/storage.ts'
import type { StorageAdmin } from '../../server/storage/storage-admin.ts'

/** An empty database for one test. Opening it again finds what was written before. */
export interface TestStorage {
  database: 'SQLite' | 'PostgreSQL'
  open(options?: { maxWaiting?: number; key?: Uint8Array; keepDeleted?: boolean }): Promise<Storage>
  /** Administers the same database. `key` is its current key. */
  admin(key?: Uint8Array): StorageAdmin
  remove(): Promise<void>
}

/** Uses PostgreSQL where `TEST_STORAGE=postgres` (set by tests/postgres/vitest.config.ts), otherwise SQLite. */
export async function createTestStorage(): Promise<TestStorage> {
  if (process.env.TEST_STORAGE !== 'postgres') return createSqliteTestStorage()
  const { createPostgresTestStorage } = await import('./postgres/storage.ts')
  return createPostgresTestStorage()
}

async function createSqliteTestStorage(): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'staffbook-'))
  return {
    database: 'SQLite',
    open: (options) => openSqlite({ dataDir: folder, ...options }),
    admin: (key) => createSqliteAdmin(folder, key),
    remove: () => rm(folder, { recursive: true }),
  }
}
