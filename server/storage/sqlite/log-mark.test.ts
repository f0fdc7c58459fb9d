import { cpSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { person } from '../../../tests/contracts/provide-storage.ts'
import { createFolder } from '../../../tests/support/cleanup.ts'
import { createSqliteAdmin } from './admin/admin.ts'
import { databaseFile } from './data-dir.ts'
import { openSqlite } from './open.ts'

async function warningsAtStart(dataDir: string) {
  const warnings: string[] = []
  const storage = await openSqlite({ dataDir, onWarning: (warning) => warnings.push(warning) })
  await storage.close()
  return warnings
}

describe('a database file without its log', () => {
  /** Adds records until a copy of the file alone is one from which the log is missing. Returns the server's folder and the copy's. */
  async function copyWhileWriting(copyFile: (file: string, target: string) => unknown) {
    const [folder, target] = [createFolder(), createFolder()]
    const storage = await openSqlite({ dataDir: folder })
    const addAndCopy = async () => {
      await storage.employees.add(`id-${Math.random()}`, person('Ada'))
      await storage.employees.add(`id-${Math.random()}`, person('Ada'))
      cpSync(databaseFile(folder), join(target, 'raw'))
      using raw = new DatabaseSync(join(target, 'raw'))
      return raw.prepare('PRAGMA application_id').get()?.application_id
    }
    await expect.poll(addAndCopy).not.toBe(0)
    await copyFile(databaseFile(folder), databaseFile(target))
    return { folder, target, storage }
  }

  const copyAlone = (_file: string, target: string) => renameSync(join(dirname(target), 'raw'), target)
  const copyWithLog = (file: string, target: string) => {
    for (const suffix of ['', '-wal']) cpSync(file + suffix, target + suffix)
  }

  it('is named in a warning at the next start, once', async () => {
    const { target } = await copyWhileWriting(copyAlone)
    expect(await warningsAtStart(target)).toEqual([expect.stringContaining('without its log')])
    expect(await warningsAtStart(target)).toEqual([])
  })

  it('is named when it is restored', async () => {
    const { target } = await copyWhileWriting(copyAlone)
    const warnings: string[] = []
    const admin = createSqliteAdmin(createFolder(), undefined, (warning) => warnings.push(warning))
    await admin.restore(databaseFile(target), { acceptUnsigned: true })
    expect(warnings).toEqual([expect.stringContaining('without its log')])
  })

  it.each([
    ['the log', copyWithLog],
    [
      'what SQLite copies',
      async (file: string, target: string) => {
        using database = new DatabaseSync(file, { readOnly: true })
        await backup(database, target)
      },
    ],
    [
      'what SQLite writes into a new file',
      (file: string, target: string) => {
        using database = new DatabaseSync(file, { readOnly: true })
        database.prepare('VACUUM INTO ?').run(target)
      },
    ],
    [
      'a log that another program has moved into the file',
      (file: string, target: string) => {
        copyWithLog(file, target)
        using database = new DatabaseSync(target)
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      },
    ],
  ])('is not said of %s', async (_, copyFile) => {
    const { target } = await copyWhileWriting(copyFile)
    expect(await warningsAtStart(target)).toEqual([])
  })

  it('is not said of a server that has stopped', async () => {
    const { folder, storage } = await copyWhileWriting(() => {})
    await storage.close()
    expect(await warningsAtStart(folder)).toEqual([])
  })
})

describe('a backup that was copied over a database whose log is still there', () => {
  /** The folder of a server that was killed, with the backup in place of its database. */
  async function copyBackupOver() {
    const [running, folder, elsewhere] = [createFolder(), createFolder(), createFolder()]
    const storage = await openSqlite({ dataDir: running })
    await storage.employees.add('old', person('Ada'))
    const backupFile = join(elsewhere, 'backup.sqlite')
    createSqliteAdmin(running, undefined).backUp(backupFile)
    await storage.employees.add('new', person('Grace'))
    const file = databaseFile(folder)
    cpSync(`${databaseFile(running)}-wal`, `${file}-wal`)
    await storage.close()
    cpSync(backupFile, file)
    return { folder, file, elsewhere }
  }

  const readAll = (file: string) => [file, `${file}-wal`].map((path) => readFileSync(path).toString('base64'))

  it('is refused with the name of the log and the way out, unchanged, by start, check and restore', async () => {
    const { folder, file } = await copyBackupOver()
    const before = readAll(file)
    const refusal = `is a backup that was copied over another database, whose log ${file}-wal is still there.`
    await expect(openSqlite({ dataDir: folder })).rejects.toThrow(refusal)
    const admin = createSqliteAdmin(folder, undefined)
    expect(admin.checkIntegrity(undefined)).toMatchObject({ problems: [expect.stringContaining(refusal)] })
    expect(() => admin.restore(file, { acceptUnsigned: true })).toThrow(refusal)
    expect(readAll(file)).toEqual(before)
  })

  it('is restored from another folder, as the refusal says, which moves the log aside', async () => {
    const { folder, file, elsewhere } = await copyBackupOver()
    renameSync(file, join(elsewhere, 'moved.sqlite'))
    const admin = createSqliteAdmin(folder, undefined)
    const { previousDir } = await admin.restore(join(elsewhere, 'moved.sqlite'), { acceptUnsigned: true })
    expect(existsSync(join(previousDir ?? '', 'staffbook.sqlite-wal'))).toBe(true)
    expect(await warningsAtStart(folder)).toEqual([])
    expect(admin.checkIntegrity(undefined)).toMatchObject({ problems: [], records: 1 })
  })
})

describe('beside a server at rest, the log', () => {
  const sizeOfLog = (folder: string) => statSync(`${databaseFile(folder)}-wal`).size

  it('is empty after a command of the operator', async () => {
    const folder = createFolder()
    const storage = await openSqlite({ dataDir: folder })
    await storage.employees.add('id', person('Ada'))
    await expect.poll(() => sizeOfLog(folder), { timeout: 10_000 }).toBe(0)
    const accounts = await createSqliteAdmin(folder, undefined).openAccounts()
    await accounts.history.log({ kind: 'export', by: undefined })
    expect(sizeOfLog(folder)).toBeGreaterThan(0)
    await accounts.close()
    expect(sizeOfLog(folder)).toBe(0)
    await storage.close()
  })
})
