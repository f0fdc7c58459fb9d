import { rmSync } from 'node:fs'
import { createSqliteAdmin } from '../../server/storage/sqlite/admin/admin.ts'
import { databaseFile, openForReading } from '../../server/storage/sqlite/data-dir.ts'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import type { Storage } from '../../server/storage/storage.ts'
import type { StorageAdmin } from '../../server/storage/storage-admin.ts'
import { cleanUpAfterTest, createFolder } from './cleanup.ts'
import { leaveOutUndefined, type OpenOptions } from './open-options.ts'

/**
 * An empty database for one test, which closes and removes it at its end. Opening it again finds what was written before.
 */
export interface TestStorage {
  database: 'SQLite' | 'PostgreSQL'
  open(options?: OpenOptions): Promise<Storage>
  /** Returns the rows of a table with all columns, sorted by the first. */
  readRows(table: string): Promise<Record<string, unknown>[]>
  /** Administers the same database. `key` is its current key. */
  admin(key?: Uint8Array): StorageAdmin
  remove(): Promise<void>
}

/** Uses PostgreSQL where `TEST_STORAGE=postgres` (set by tests/postgres/vitest.config.ts), otherwise SQLite. */
export async function createTestStorage(): Promise<TestStorage> {
  if (process.env.TEST_STORAGE !== 'postgres') return closeAfterTest(createSqliteTestStorage())
  return closeAfterTest(await (await import('./postgres/storage.ts')).createPostgresTestStorage())
}

/** Closes what is opened with it when the current test has finished. */
export function closeAfterTest(testStorage: TestStorage): TestStorage {
  const opened: Storage[] = []
  cleanUpAfterTest(() => Promise.all(opened.map((storage) => storage.close())))
  return {
    ...testStorage,
    async open(options) {
      const storage = closingOnce(await testStorage.open(options))
      opened.push(storage)
      return storage
    },
  }
}

function closingOnce(storage: Storage): Storage {
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= storage.close()
    return closing
  }
  return { ...storage, close }
}

/** Opens the SQLite database in a folder, and creates it if there is none. */
export const openFolder = (dataDir: string, options: OpenOptions = {}) =>
  openSqlite({ dataDir, ...leaveOutUndefined(options) })

function createSqliteTestStorage(): TestStorage {
  const folder = createFolder()
  return {
    database: 'SQLite',
    open: (options) => openFolder(folder, options),
    async readRows(table) {
      const database = openForReading(databaseFile(folder))
      const rows = database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()
      database.close()
      return rows
    },
    admin: (key) => createSqliteAdmin(folder, key),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}
