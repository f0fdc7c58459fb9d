import { cpSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { person } from '../../../tests/contracts/provide-storage.ts'
import { createFolder } from '../../../tests/support/cleanup.ts'
import { createSqliteAdmin } from './admin/admin.ts'
import { databaseFile } from './data-dir.ts'
import { openSqlite } from './open.ts'

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

  async function warningsAtStart(dataDir: string) {
    const warnings: string[] = []
    const storage = await openSqlite({ dataDir, onWarning: (warning) => warnings.push(warning) })
    await storage.close()
    return warnings
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
