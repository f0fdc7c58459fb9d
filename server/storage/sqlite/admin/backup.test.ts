import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { account, person } from '../../../../tests/contracts/provide-storage.ts'
import { createFolder } from '../../../../tests/support/cleanup.ts'
import { executeSql } from '../../../../tests/support/execute-sql.ts'
import { openFolder } from '../../../../tests/support/storage.ts'
import { databaseFile } from '../data-dir.ts'
import { backUp, restore } from './backup.ts'
import { checkIntegrity } from './check.ts'

let folder: string
let backup: string

beforeEach(() => {
  const home = createFolder()
  folder = join(home, 'data')
  backup = join(home, 'backup.sqlite')
})

describe('operator: backUp', () => {
  it('does not create the target if the source is not a Staffbook database', () => {
    mkdirSync(folder)
    executeSql(databaseFile(folder), 'CREATE TABLE books (title TEXT)')
    expect(() => backUp(folder, backup, undefined)).toThrow('is the database of another program')
    expect(existsSync(backup)).toBe(false)
  })

  it.each([
    [true, 'wiped'],
    [false, 'removed'],
  ])('leaves no byte of overwritten and removed records (kept: %s) once they are %s', async (keepDeleted) => {
    const storage = await openFolder(folder, { keepDeleted })
    const fields = (password: string) => ({ ...person('Ada'), password })
    const { employees, history } = storage
    const ids = Array.from({ length: 500 }, (_, i) => `id-${i}`)
    await Promise.all(ids.map((id) => employees.add(id, fields('a password that leaked'))))
    await Promise.all(ids.map((id, i) => (i % 2 ? employees.remove(id) : employees.update(id, fields('x')))))
    const wiped = [await history.wipePrevious(Date.now()), await history.wipeDeleted(Date.now())]
    expect(wiped).toEqual(keepDeleted ? [250, 250] : [0, 0])
    await storage.close()
    backUp(folder, backup, undefined)
    for (const file of [databaseFile(folder), backup])
      expect(readFileSync(file).includes('leaked')).toBe(false)
  })
})

describe('security: a backup that somebody has tampered with', () => {
  const key = Buffer.alloc(32, 1)

  async function createBackup(recordsKey: Buffer | undefined) {
    const storage = await openFolder(folder, { key: recordsKey })
    await storage.accounts.add(account('1', 'ada@x.y'))
    for (const id of ['a', 'b']) await storage.employees.add(id, person(id))
    await storage.close()
    expect(backUp(folder, backup, recordsKey)).toBe(true)
  }

  const tamper = (sql: string) => executeSql(backup, sql)

  /** The error of restoring the backup, which must leave the database unchanged. */
  function restoreError(recordsKey: Buffer | undefined, acceptUnsigned = false): string {
    const before = readFileSync(databaseFile(folder))
    try {
      restore(folder, backup, { key: recordsKey, acceptUnsigned })
    } catch (error) {
      expect(readFileSync(databaseFile(folder)).equals(before)).toBe(true)
      return (error as Error).message
    }
    return 'not refused'
  }

  const problems = (recordsKey?: Buffer) => checkIntegrity(backup, recordsKey, true).problems

  it.each([
    ['trigger', 'CREATE TRIGGER planted AFTER DELETE ON sessions BEGIN SELECT 1; END'],
    ['view', 'CREATE VIEW planted AS SELECT * FROM accounts'],
    ['table', 'CREATE TABLE planted (a)'],
    ['index', "CREATE INDEX planted ON books (email) WHERE email = 'a'"],
    [
      'trigger',
      `PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_planted', 'sessions', 0,
       'CREATE TRIGGER sqlite_planted AFTER DELETE ON sessions BEGIN SELECT 1; END')`,
    ],
  ])('is refused by restore and check if it has a %s that is not ours', async (type, sql) => {
    await createBackup(undefined)
    tamper(sql)
    const problem = `There is a foreign ${type} "\\w+"\\.`
    expect(restoreError(undefined)).toMatch(
      new RegExp(`is not as Staffbook wrote it: ${problem} Nothing was changed\\.$`),
    )
    expect(problems()).toEqual([expect.stringMatching(`^${problem}$`)])
  })

  it('is refused if a table of ours is missing, or is another one', async () => {
    await createBackup(undefined)
    tamper('DROP INDEX removals')
    expect(restoreError(undefined)).toContain('There is no index "removals"')
    tamper('ALTER TABLE books ADD COLUMN planted INTEGER DEFAULT 1')
    expect(problems()).toContain('There is a foreign table "books".')
  })

  it.each([
    ["an account's password is another", "UPDATE accounts SET passwordHash = 'planted'"],
    ['an account is planted', "INSERT INTO accounts VALUES ('2', 'eve@x.y', 'eve@x.y', 'planted', '2026')"],
    ['a record is missing', "DELETE FROM books WHERE id = 'a'"],
    ['a session is planted', "INSERT INTO sessions VALUES ('planted', '1', 1, 1, NULL)"],
    ['the revision is another', 'UPDATE register SET floor = 9'],
    ['its checksum is another', "UPDATE register SET checksum = x'00'"],
  ])('is refused with the key if %s, even with --unsigned', async (_, sql) => {
    await createBackup(key)
    tamper(sql)
    const message = 'was tampered with: its checksum is wrong'
    for (const acceptUnsigned of [false, true]) expect(restoreError(key, acceptUnsigned)).toContain(message)
    expect(problems(key)).toContainEqual(expect.stringContaining(message))
  })

  it('is refused with the key if there is a log with changes next to it', async () => {
    await createBackup(key)
    const database = new DatabaseSync(backup)
    database.exec("PRAGMA journal_mode = WAL; UPDATE accounts SET passwordHash = 'planted'")
    copyFileSync(`${backup}-wal`, `${backup}.wal`)
    database.exec("UPDATE accounts SET passwordHash = 'hash'")
    database.close()
    expect(problems(key)).toEqual([])
    copyFileSync(`${backup}.wal`, `${backup}-wal`)
    expect(restoreError(key)).toMatch('its checksum is wrong')
  })

  it('is refused with the key if its checksum or its encryption was removed, except with --unsigned', async () => {
    await createBackup(key)
    tamper('UPDATE register SET checksum = NULL')
    expect(restoreError(key)).toMatch(/carries no checksum, .*Or pass --unsigned to restore it unverified/)
    expect(problems(key)).toEqual([expect.stringMatching('carries no checksum')])
    expect(restoreError(key, true)).toBe('not refused')
    tamper('UPDATE register SET keyProof = NULL')
    expect(restoreError(key)).toMatch(/is not encrypted\. .*--unsigned/)
  })

  it('is not restored without the key that its checksum needs, except with --unsigned', async () => {
    await createBackup(key)
    expect(restoreError(undefined)).toMatch(/is encrypted\. Set RECORDS_KEY .*--unsigned/)
    expect(restoreError(Buffer.alloc(32, 2))).toMatch(/is encrypted with a different key .*--unsigned/)
    expect(restoreError(undefined, true)).toBe('not refused')
  })
})

describe('operator: restore', () => {
  it('restores backups with and without a key, also after ANALYZE', async () => {
    for (const key of [Buffer.alloc(32, 1), undefined]) {
      rmSync(folder, { recursive: true, force: true })
      rmSync(backup, { force: true })
      const storage = await openFolder(folder, { key })
      await storage.employees.add('a', person('a'))
      await storage.close()
      executeSql(databaseFile(folder), 'ANALYZE')
      for (let round = 0; round < 2; round++) {
        backUp(folder, backup, key)
        expect(checkIntegrity(backup, key, true).problems).toEqual([])
        restore(folder, backup, { key, acceptUnsigned: false })
        expect(checkIntegrity(databaseFile(folder), key).problems).toEqual([])
        rmSync(backup)
      }
    }
  })

  it('removes accounts again that were removed since the backup, by id or email, unless they are to come back', async () => {
    let storage = await openFolder(folder)
    await storage.employees.add('a', person('a'))
    for (const uid of ['gone', 'renamed', 'stays']) await storage.accounts.add(account(uid, `${uid}@x.y`))
    // Somebody who has left and is here again.
    await storage.accounts.add(account('left', 'back@x.y'))
    await storage.accounts.remove('left')
    await storage.accounts.add(account('back', 'back@x.y'))
    backUp(folder, backup, undefined)
    await storage.accounts.remove('gone')
    await storage.accounts.remove('renamed')
    await storage.accounts.add(account('newer', 'Renamed@x.y'))
    await storage.accounts.remove('newer')
    await storage.employees.update('a', person('b'))
    await storage.close()
    const options = { key: undefined, acceptUnsigned: false }
    const removed = ['gone@x.y', 'renamed@x.y']
    const { previousDir = '', ...restored } = restore(folder, backup, options)
    expect(restored).toEqual({ removed })
    storage = await openFolder(folder)
    expect(await storage.accounts.list()).toMatchObject([{ uid: 'back' }, { uid: 'stays' }])
    expect(await storage.history.findExposed('gone')).toEqual({ ids: ['a'], canSignIn: false })
    await storage.close()
    restore(folder, databaseFile(previousDir), options)
    expect(restore(folder, backup, { ...options, withRemoved: true })).toMatchObject({ removed })
    storage = await openFolder(folder)
    expect(await storage.accounts.list()).toHaveLength(4)
    await storage.close()
    writeFileSync(databaseFile(folder), 'damaged')
    expect(restore(folder, backup, options)).toMatchObject({ removed: undefined })
  })

  it('remembers who was removed before and after the backup, so that those who could be let back in still can', async () => {
    let storage = await openFolder(folder)
    for (const uid of ['ada', 'before', 'after', 'forgotten'])
      await storage.accounts.add(account(uid, `${uid}@x.y`))
    for (const uid of ['before', 'forgotten']) await storage.accounts.removeColleague(uid, 'ada')
    backUp(folder, backup, undefined)
    await storage.accounts.removeColleague('after', 'ada')
    await storage.accounts.remove('forgotten')
    await storage.close()
    restore(folder, backup, { key: undefined, acceptUnsigned: false })
    storage = await openFolder(folder)
    const people = await storage.history.listPeople()
    const kept = people.filter(({ removedAt }) => removedAt !== null).map(({ uid, kept }) => [uid, kept])
    expect(Object.fromEntries(kept)).toEqual({ before: 'before', after: 'after', forgotten: null })
    expect(await storage.accounts.letIn('after', 'ada')).toBe('done')
    await storage.close()
  })

  it('removes again who was removed before an earlier restore, of a backup without them, or an interrupted one', async () => {
    const early = `${backup}.early`
    const storage = await openFolder(folder)
    backUp(folder, early, undefined)
    await storage.accounts.add(account('eve', 'eve@x.y'))
    backUp(folder, backup, undefined)
    await storage.accounts.remove('eve')
    await storage.close()
    const options = { key: undefined, acceptUnsigned: false }
    const { previousDir = '' } = restore(folder, early, options)
    expect(restore(folder, backup, options)).toMatchObject({ removed: ['eve@x.y'] })
    renameSync(databaseFile(folder), databaseFile(previousDir))
    expect(restore(folder, backup, options)).toMatchObject({ removed: ['eve@x.y'] })
  })
})
