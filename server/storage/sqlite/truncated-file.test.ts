import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { person } from '../../../tests/contracts/storage-suite.ts'
import { backUp, restore } from './admin/backup.ts'
import { checkIntegrity } from './admin/check.ts'
import { connect } from './connect.ts'
import { databaseFile, openDataDir } from './data-dir.ts'
import { openSqlite } from './open.ts'

describe('durability: a change of the key that was cut short leaves the journal that undoes it', () => {
  let home: string
  let folder: string
  let backup: string

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'staffbook-'))
    folder = join(home, 'cut-short')
    backup = join(home, 'backup.sqlite')
    const running = join(home, 'running')
    const storage = await openSqlite({ dataDir: running })
    backUp(running, backup)
    await Promise.all(Array.from({ length: 500 }, (_, i) => storage.employees.add(`r${i}`, person(`p${i}`))))
    await storage.close()
    const database = connect(databaseFile(running))
    // With room for one page, the others are on the disk before the end.
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE books SET eName = 1')
    cpSync(running, folder, { recursive: true })
    database.exec('ROLLBACK')
    database.close()
    expect(statSync(`${databaseFile(folder)}-journal`).size).toBeGreaterThan(0)
  })
  afterEach(() => rmSync(home, { recursive: true }))

  it('a look at it, and a start, find the register as it was', () => {
    expect(checkIntegrity(databaseFile(folder), undefined)).toMatchObject({ problems: [], records: 500 })
    openDataDir(folder).release()
  })

  it('a restore keeps it with its register, and does not let it reach what is restored', () => {
    const kept = restore(folder, backup) ?? ''
    expect(readdirSync(kept)).toContain('staffbook.sqlite-journal')
    expect(checkIntegrity(databaseFile(folder), undefined)).toMatchObject({ problems: [], records: 0 })
    restore(folder, databaseFile(kept))
    expect(checkIntegrity(databaseFile(folder), undefined)).toMatchObject({ problems: [], records: 500 })
  })

  it('without its register it is refused, as the log of a lost one is', () => {
    rmSync(databaseFile(folder))
    expect(() => openDataDir(folder)).toThrow(/There is no register .*-journal is left of one/)
  })
})
