import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { person } from '../../../../tests/contracts/storage-suite.ts'
import { databaseFile } from '../data-dir.ts'
import { openSqlite } from '../open.ts'
import { backUp } from './backup.ts'

describe('operator: backUp', () => {
  let home: string
  let folder: string
  let backup: string

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'staffbook-backup-'))
    folder = join(home, 'data')
    backup = join(home, 'backup.sqlite')
    mkdirSync(folder)
  })
  afterEach(() => rmSync(home, { recursive: true }))

  it('does not create the target if the source is not a Staffbook database', () => {
    const foreign = new DatabaseSync(databaseFile(folder))
    foreign.exec('CREATE TABLE books (title TEXT)')
    foreign.close()
    expect(() => backUp(folder, backup)).toThrow('is the database of another program')
    expect(existsSync(backup)).toBe(false)
  })

  it('leaves no byte of removed or overwritten records in the database or the backup', async () => {
    const storage = await openSqlite({ dataDir: folder })
    const fields = (password: string) => ({ ...person('Ada'), password })
    const ids = Array.from({ length: 500 }, (_, i) => `id-${i}`)
    await Promise.all(ids.map((id) => storage.employees.add(id, fields('a password that leaked'))))
    await Promise.all(
      ids.map((id, i) => (i % 2 ? storage.employees.remove(id) : storage.employees.update(id, fields('x')))),
    )
    await storage.close()
    backUp(folder, backup)
    for (const file of [databaseFile(folder), backup])
      expect(readFileSync(file).includes('leaked')).toBe(false)
  })
})
