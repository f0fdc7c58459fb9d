import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { constants } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { batchOf, makePeople } from '../../../tests/contracts/provide-storage.ts'
import { createFolder } from '../../../tests/support/cleanup.ts'
import { StorageOpenError } from '../storage.ts'
import { backUp, restore } from './admin/backup.ts'
import { checkIntegrity } from './admin/check.ts'
import { connect } from './connect.ts'
import { databaseFile, openDataDir } from './data-dir.ts'
import { openSqlite } from './open.ts'
import { checkStoredKey, rekeyFile } from './rekey.ts'

const unsigned = { key: undefined, acceptUnsigned: false }

describe('durability: an interrupted change of the key leaves a hot journal', () => {
  let home: string
  let folder: string
  let backup: string

  beforeEach(async () => {
    home = createFolder()
    folder = join(home, 'interrupted')
    backup = join(home, 'backup.sqlite')
    const running = join(home, 'running')
    const storage = await openSqlite({ dataDir: running })
    backUp(running, backup, undefined)
    await storage.employees.writeBatch(batchOf(makePeople(500)))
    await storage.close()
    const database = connect(databaseFile(running))
    // A cache of one page makes SQLite write the other pages before the commit.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE books SET email = 1')
    cpSync(running, folder, { recursive: true })
    database.exec('ROLLBACK')
    database.close()
    expect(statSync(`${databaseFile(folder)}-journal`).size).toBeGreaterThan(0)
  })

  it('checkIntegrity and openDataDir roll it back', () => {
    expect(checkIntegrity(databaseFile(folder), undefined)).toMatchObject({ problems: [], records: 500 })
    openDataDir(folder).release()
  })

  it('restore moves it aside together with its database', () => {
    const { previousDir = '' } = restore(folder, backup, unsigned)
    expect(readdirSync(previousDir)).toContain('staffbook.sqlite-journal')
    expect(checkIntegrity(databaseFile(folder), undefined)).toMatchObject({ problems: [], records: 0 })
    restore(folder, databaseFile(previousDir), unsigned)
    expect(checkIntegrity(databaseFile(folder), undefined)).toMatchObject({ problems: [], records: 500 })
  })
})

it('encryption at rest: if the file cannot be rewritten, the error message states that the new key is in use', () => {
  const { file, release } = openDataDir(createFolder())
  const database = connect(file)
  // VACUUM begins with attaching the file that it copies to.
  const deny = (action: number) =>
    action === constants.SQLITE_ATTACH ? constants.SQLITE_DENY : constants.SQLITE_OK
  database.setAuthorizer(deny)
  const key = Buffer.alloc(32, 1)
  const change = () => rekeyFile(database, undefined, key)
  expect(change).toThrow(StorageOpenError)
  expect(checkStoredKey(database, key)).toBe('match')
  database.setAuthorizer(null)
  expect(rekeyFile(database, key, key)).toBe(0)
  database.setAuthorizer(deny)
  expect(() => rekeyFile(database, key, key)).toThrow(
    /is encrypted with the new key, but .*: authorization denied\./,
  )
  database.close()
  release()
})
