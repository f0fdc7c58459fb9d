import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { account, storageSuite } from '../../../tests/contracts/storage-suite.ts'
import { createTestStorage } from '../../../tests/support/storage.ts'
import { createSqliteAdmin } from './admin/admin.ts'
import { openSqlite } from './open.ts'

storageSuite('SQLite', createTestStorage)

it('security: a restored backup contains remembered addresses but no sessions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'staffbook-'))
  const admin = createSqliteAdmin(folder, undefined)
  const storage = await openSqlite({ dataDir: folder })
  await storage.accounts.add(account('1', 'ada@x.y'))
  await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash', 'home')
  const backup = join(folder, 'backup.db')
  await admin.backUp(backup)
  await storage.close()
  await admin.restore(backup)
  const restored = await openSqlite({ dataDir: folder })
  expect([await restored.sessions.isRemembered('home'), await restored.sessions.listByAccount('1')]).toEqual([
    true,
    [],
  ])
  await restored.close()
  rmSync(folder, { recursive: true })
})
