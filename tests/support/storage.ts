import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../server/storage/sqlite/open.ts'
import type { Storage } from '../../server/storage/storage.ts'

/** A place for tests where a register lies; opening it again finds what was written before. */
export interface TestStorage {
  open(options?: { maxWaiting?: number; key?: Uint8Array }): Promise<Storage>
  remove(): Promise<void>
}

/** A temporary folder. The tests of PostgreSQL have this file replaced by one of theirs. */
export async function createTestStorage(): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'staffbook-'))
  return {
    open: (options) => openSqlite({ dataDir: folder, ...options }),
    remove: () => rm(folder, { recursive: true }),
  }
}
