import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { fieldNames } from '../../../../contract/employees.ts'
import { account, person } from '../../../../tests/contracts/provide-storage.ts'
import { createFolder } from '../../../../tests/support/cleanup.ts'
import { executeSql } from '../../../../tests/support/execute-sql.ts'
import { openFolder } from '../../../../tests/support/storage.ts'
import type { Storage } from '../../storage.ts'
import { backUp, restore } from './backup.ts'
import { verifyBackup } from './verify.ts'

describe.each([undefined, Buffer.alloc(32, 1)])('operator: backup verify, with the key %s', (key) => {
  let home: string
  let folder: string
  let backup: string

  beforeEach(async () => {
    home = createFolder()
    folder = join(home, 'data')
    backup = join(home, 'backup.sqlite')
    await write(async ({ employees, accounts }) => {
      await accounts.add(account('1', 'ada@x.y'))
      for (const id of ['a', 'b', 'c']) await employees.add(id, person(id))
      await employees.remove('b')
    })
    backUp(folder, backup, key)
  })

  async function write(work: (storage: Storage) => Promise<void>) {
    const storage = await openFolder(folder, { key })
    await work(storage)
    await storage.close()
  }

  const verify = (acceptUnsigned = false) => verifyBackup(folder, backup, { key, acceptUnsigned })
  const sound = { problems: [], records: 2, accounts: 1, revision: 4 }

  it('proves that it equals the database at its commit, also after later changes', async () => {
    expect(verify()).toEqual({ ...sound, comparison: 'compared' })
    await write(async ({ employees }) => {
      await employees.add('d', person('d'))
      await employees.update('a', person('changed'))
      await employees.restore('b', person('b'))
      await employees.remove('c')
    })
    expect(verify()).toEqual({ ...sound, comparison: 'compared' })
  })

  it('does not miss the fields of removed records that were wiped since', async () => {
    await write(async ({ history }) => void (await history.wipeDeleted(Date.now())))
    expect(verify()).toEqual({ ...sound, comparison: 'compared' })
  })

  it('names records that are missing, foreign or different', () => {
    executeSql(backup, "DELETE FROM books WHERE id = 'a'; UPDATE books SET id = 'x' WHERE id = 'b'")
    executeSql(join(folder, 'staffbook.sqlite'), "UPDATE books SET email = x'00' WHERE id = 'c'")
    if (key) executeSql(backup, 'UPDATE register SET checksum = NULL')
    const names = (id: string) => `Record ${id} is not as it was at this commit.`
    const differences = verify(true).problems.filter((problem) => problem.endsWith('at this commit.'))
    expect(differences).toEqual(['a', 'b', 'c', 'x'].map(names))
  })

  it.each(fieldNames)('compares the field %s', (name) => {
    executeSql(join(folder, 'staffbook.sqlite'), `UPDATE books SET "${name}" = x'00' WHERE id = 'c'`)
    expect(verify().problems).toEqual(['Record c is not as it was at this commit.'])
  })

  it('says if there is no database of the same history', () => {
    const from = join(home, 'from.sqlite')
    backUp(folder, from, key)
    restore(folder, from, { key, acceptUnsigned: false })
    expect(verify()).toEqual({ ...sound, comparison: 'other-database' })
    rmSync(folder, { recursive: true })
    expect(verify()).toEqual({ ...sound, comparison: 'no-database' })
  })

  it('refuses what restore refuses', () => {
    executeSql(backup, 'CREATE TABLE planted (a)')
    expect(() => verify()).toThrow('There is a foreign table "planted"')
  })
})
