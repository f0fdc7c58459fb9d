import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { batchOf, makePeople, person } from '../../../tests/contracts/provide-storage.ts'
import { createFolder } from '../../../tests/support/cleanup.ts'
import { executeSql } from '../../../tests/support/execute-sql.ts'
import { StorageOpenError } from '../storage.ts'
import { databaseFile, openDataDir } from './data-dir.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './open.ts'

describe('durability: openDataDir refuses a damaged or foreign database and leaves it unchanged', () => {
  let folder: string
  let file: string

  beforeEach(async () => {
    folder = createFolder()
    file = databaseFile(folder)
    const storage = await openSqlite({ dataDir: folder })
    await storage.employees.writeBatch(batchOf(makePeople(500)))
    await storage.close()
  })

  const contents = () => createHash('sha256').update(readFileSync(file)).digest('hex')

  function openError(): string {
    const before = contents()
    try {
      openDataDir(folder).release()
    } catch (error) {
      expect(error).toBeInstanceOf(StorageOpenError)
      expect(contents()).toBe(before)
      return (error as Error).message
    }
    return 'not refused'
  }

  it.each<[what: string, damage: () => void, message: RegExp]>([
    [
      'a damaged file',
      () => writeFileSync(file, readFileSync(file).fill(0x5a, 4096 * 3, 4096 * 6)),
      /is damaged: .*Nothing was changed\. Copy the file to a safe place and restore the latest backup/s,
    ],
    [
      'a damaged file beside a log, which may not be its own',
      () => {
        writeFileSync(file, readFileSync(file).fill(0x5a, 4096 * 3, 4096 * 6))
        writeFileSync(`${file}-wal`, 'a log')
      },
      /is damaged: .* If the file was copied here, its log .*-wal may be that of the database before it\. Nothing was changed\./s,
    ],
    ['a file of another kind', () => writeFileSync(file, 'Dear diary, '.repeat(1000)), /is damaged/],
    [
      'a file of another kind that is shorter than a page',
      () => writeFileSync(file, 'Dear diary'),
      /is damaged: file is not a database/,
    ],
    ['a truncated file', () => truncateSync(file, 4096 * 5), /is damaged: .*restore the latest backup/s],
    [
      'an empty file',
      () => truncateSync(file, 0),
      /is empty \(0 bytes\): its content is lost.*restore the latest backup/,
    ],
    [
      'a file that this user may not open, which is not called damaged',
      () => mkdirSync(`${file}-wal`),
      /cannot be opened: unable to open database file\. Nothing was changed\. .*may write to the folder and all its files.*\.$/,
    ],
    [
      'a newer schema',
      () => executeSql(file, 'PRAGMA user_version = 9999'),
      /was written by a newer Staffbook \(schema 9999.*Start that version/,
    ],
    [
      'a schema from before version 1.0.0',
      () => executeSql(file, 'PRAGMA user_version = 7'),
      /was written by a Staffbook before version 1\.0\.0 \(schema 7\)\. Start version 1\.1\.0 once, .*\. Nothing was changed\.$/,
    ],
    ...[0, 2].map((version): [string, () => void, RegExp] => [
      `a database of another program with schema version ${version}`,
      () => {
        rmSync(file)
        executeSql(file, `CREATE TABLE books (title TEXT); PRAGMA user_version = ${version}`)
      },
      /is the database of another program\. Nothing was changed/,
    ]),
  ])('%s', (_, damage, message) => {
    damage()
    expect(openError()).toMatch(message)
  })

  it('damage in a table that only writes need: the storage fails before the first write', async () => {
    using database = new DatabaseSync(file, { readOnly: true })
    const sql = "SELECT 4096 * (rootpage - 1) AS start FROM sqlite_schema WHERE name = 'previousPasswords'"
    const offset = Number(database.prepare(sql).get()?.start)
    writeFileSync(file, readFileSync(file).fill(0x5a, offset, offset + 4096))
    const before = contents()
    const storage = await openSqlite({ dataDir: folder })
    await expect(storage.employees.add('later', person('later'))).rejects.toThrow('The writer stopped')
    const { reason, error } = await storage.failed
    expect(`${reason}: ${error.message}`).toMatch(/^disk: .* is damaged: .*Nothing was changed\. Copy/s)
    await storage.close()
    expect(contents()).toBe(before)
  })

  it.each(['-wal', '-journal', '.restored'])(
    'a folder with a left-over %s file but no database',
    (suffix) => {
      renameSync(file, file + suffix)
      const before = readFileSync(file + suffix)
      expect(() => openDataDir(folder)).toThrow(
        `There is no database ${file}, but there is ${file}${suffix}, so it was lost or a restore was interrupted. Nothing was changed.`,
      )
      expect(readFileSync(file + suffix).equals(before)).toBe(true)
      expect(existsSync(file)).toBe(false)
    },
  )

  it('a folder that is in use', () => {
    const { release } = openDataDir(folder)
    expect(openError()).toMatch(/in use by another Staffbook/)
    release()
    expect(() => openDataDir(folder).release()).not.toThrow()
  })

  it('a folder whose lock was removed is not written to by the server that has lost it', async () => {
    const first = await openSqlite({ dataDir: folder })
    await first.employees.add('before', person('before'))
    rmSync(join(folder, 'in-use.lock'))
    const second = await openSqlite({ dataDir: folder })
    await expect(first.employees.add('first', person('first'))).rejects.toMatchObject({ kind: 'uncertain' })
    expect(await first.failed).toMatchObject({ reason: 'stale', error: { message: expect.any(String) } })
    expect(await second.employees.add('second', person('second'))).toMatchObject({ outcome: 'done' })
    expect(await second.employees.head()).toMatchObject({ revision: 502 })
    await first.close()
    await second.close()
  })

  it.each<[string, (copy: string) => void]>([
    ['replaced', (copy) => renameSync(copy, file)],
    ['moved', () => renameSync(file, `${file}.old`)],
    [
      'moved, and replaced',
      (copy) => {
        renameSync(file, `${file}.old`)
        renameSync(copy, file)
      },
    ],
    ['without its log', () => rmSync(`${file}-wal`)],
  ])('a database that is %s under a running server is not written to', async (_, replace) => {
    const copy = `${file}.copy`
    copyFileSync(file, copy)
    const storage = await openSqlite({ dataDir: folder })
    await storage.employees.add('before', person('before'))
    replace(copy)
    await expect(storage.employees.add('after', person('after'))).rejects.toMatchObject({ kind: 'uncertain' })
    const { reason, error } = await storage.failed
    expect(`${reason}: ${error.message}`).toMatch(
      /^stale: .*staffbook\.sqlite(-wal)? was removed or replaced/,
    )
    await storage.close()
    // What was acknowledged is in the file that it was written to, and in no other.
    const countIn = (path: string) => {
      using database = new DatabaseSync(path)
      return database.prepare("SELECT count(*) AS count FROM books WHERE id = 'before'").get()?.count
    }
    if (existsSync(`${file}.old`)) expect(countIn(`${file}.old`)).toBe(1)
    if (existsSync(file)) expect(countIn(file)).toBe(existsSync(copy) ? 1 : 0)
  })

  it('a folder that cannot be created', () => {
    for (const file of ['/dev/null', '/dev/null/staffbook'])
      expect(() => openDataDir(file)).toThrow(
        new RegExp(
          `The data folder ${file} cannot be created: .*\\. It, or a folder above it, is a file\\.$`,
        ),
      )
  })

  it('no folder or file that others may open: it takes the permission away', async () => {
    chmodSync(folder, 0o777)
    chmodSync(file, 0o644)
    const storage = await openSqlite({ dataDir: folder })
    await storage.employees.add('a', person('a'))
    const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))]
    expect(paths).toContain(`${file}-wal`)
    expect(paths.filter((path) => statSync(path).mode & 0o077)).toEqual([])
    await storage.close()
  })

  it('but opens an intact database, a new folder, and one whose creation was interrupted', () => {
    expect(openError()).toBe('not refused')
    const fresh = join(folder, 'fresh')
    openDataDir(fresh).release()
    rmSync(databaseFile(fresh))
    writeFileSync(`${databaseFile(fresh)}.new`, '')
    expect(() => openDataDir(fresh).release()).not.toThrow()
  })
})

it('a migration that fails says why', () => {
  using database = new DatabaseSync(':memory:')
  database.exec('PRAGMA max_page_count = 2')
  expect(() => migrate(database)).toThrow(
    /^Migration \S+ failed and was rolled back: database or disk is full$/,
  )
})

describe('security: openDataDir takes from others what they may do', () => {
  it.each([
    ['in a folder of its own, whatever a file system keeps there: everything', 0o777, ['lost+found'], 0o700],
    ['in a folder that other programs read: nothing', 0o755, ['etc'], 0o755],
    ['in a folder that other programs write to: that they replace files', 0o775, ['etc'], 0o755],
    ['where they can’t replace files: nothing', 0o1777, ['etc'], 0o1777],
  ])('%s', (_, mode, names, expected) => {
    const folder = createFolder()
    for (const name of names) mkdirSync(join(folder, name))
    for (const _ of ['the first start', 'a later start']) {
      chmodSync(folder, mode)
      openDataDir(folder).release()
      expect(statSync(folder).mode & 0o7777).toBe(expected)
    }
    expect(statSync(databaseFile(folder)).mode & 0o077).toBe(0)
  })
})
