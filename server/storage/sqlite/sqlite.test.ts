import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageSuite } from '../suite.ts'
import { openSqlite } from './open.ts'

storageSuite('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'staffbook-'))
  return {
    open: () => openSqlite({ folder }),
    remove: () => rm(folder, { recursive: true }),
  }
})
