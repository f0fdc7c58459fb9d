import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RecordsKey } from '../encryption/field-encryption.ts'
import { keyErrorMessages } from '../encryption/key-check.ts'
import { StorageOpenError } from '../storage.ts'
import { connect } from './connect.ts'
import { fsyncDirectory } from './fsync.ts'
import { latestSchemaVersion, migrate, readSchemaVersion } from './migrate.ts'
import { checkStoredKey, writeKeyCheck } from './rekey.ts'

/** The data folder cannot be used; the message says why and what to do. */
export class DataDirError extends StorageOpenError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DataDirError'
  }
}

/** Does the work; what SQLite or the system refuses of it is thrown as a `FolderError` that begins with what was not done. */
export function withFailureText<T>(failureText: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { errcode, errno } = error as { errcode?: number; errno?: number }
    if (errcode === undefined && errno === undefined) throw error
    throw new DataDirError(`${failureText}: ${messageOf(error)}`, { cause: error })
  }
}

export const databaseFile = (folder: string) => join(folder, 'staffbook.sqlite')

/**
 * Claims the folder for this process, makes or checks the register in it and brings its schema up to date. A register
 * that is not sound is refused and left as it is. Throws `FolderError`.
 */
export function openDataDir(folder: string, key?: RecordsKey): { file: string; release: () => void } {
  createDataDir(folder)
  const dirLock = lockDataDir(folder)
  const file = databaseFile(folder)
  try {
    if (existsSync(file)) checkDatabaseFile(file)
    else createDatabase(folder, file, key)
    migrateFile(file)
    requireMatchingKey(file, key)
    return { file, release: () => dirLock.close() }
  } catch (error) {
    dirLock.close()
    if (error instanceof DataDirError) throw error
    throw new DataDirError(`The register ${file} cannot be opened: ${messageOf(error)}`, { cause: error })
  }
}

export function createDataDir(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new DataDirError(`The data folder ${folder} cannot be made: ${messageOf(error)}`, { cause: error })
  }
}

/** A lock that the kernel gives back when the process ends, however it ends. */
export function lockDataDir(folder: string): DatabaseSync {
  let dirLock: DatabaseSync | undefined
  try {
    dirLock = new DatabaseSync(join(folder, 'in-use.lock'), { timeout: 0 })
    dirLock.exec('BEGIN EXCLUSIVE')
    return dirLock
  } catch (error) {
    dirLock?.close()
    if ((error as { errcode?: number }).errcode === 5) {
      throw new DataDirError(
        `The data folder ${folder} is in use by another Staffbook. Stop that one, or choose another folder with DATA_DIR.`,
      )
    }
    throw new DataDirError(`The data folder ${folder} cannot be written to: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** A register appears under its name once it is whole, so that an empty file of that name is always a lost one. */
function createDatabase(folder: string, file: string, key: RecordsKey | undefined) {
  requireNoLeftovers(file)
  const tempFile = `${file}.new`
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(tempFile + suffix, { force: true })
  migrateFile(tempFile, key)
  renameSync(tempFile, file)
  fsyncDirectory(folder)
}

/** Where the register is lost, or a restore was cut short before it was in place, an empty one would hide that. */
function requireNoLeftovers(file: string) {
  const leftovers = [
    ...(hasWal(file) ? [`${file}-wal`] : []),
    ...[`${file}-journal`, `${file}.restored`].filter((path) => existsSync(path)),
  ]
  if (leftovers.length === 0) return
  throw new DataDirError(
    `There is no register ${file}, and ${leftovers.join(' and ')} is left of one. Nothing was changed. Bring the register back from where it went, or restore a backup: staffbook restore <backup>.`,
  )
}

function migrateFile(file: string, newKey?: RecordsKey) {
  const database = connect(file)
  migrate(database)
  if (newKey) writeKeyCheck(database, newKey)
  database.close()
}

/** Refuses a register that is not sealed with this key. Throws `FolderError`. */
export function requireMatchingKey(file: string, key: RecordsKey | undefined) {
  const database = connect(file, { readOnly: true })
  const keyCheck = checkStoredKey(database, key)
  database.close()
  if (keyCheck !== 'match')
    throw new DataDirError(`The register ${file} ${keyErrorMessages[keyCheck]}. Nothing was changed.`)
}

const restoreAdvice =
  'Nothing was changed. Keep a copy of the file and bring back the latest backup: staffbook restore <backup>.'

/** Refuses a register that is not sound, and leaves it as it is. Answers its schema's version. Throws `FolderError`. */
export function checkDatabaseFile(file: string): number {
  if (statSync(file).size === 0 && !hasWal(file)) {
    throw new DataDirError(`The register ${file} is empty (0 bytes): its content is gone. ${restoreAdvice}`)
  }
  const database = openForReading(file)
  try {
    const version = readSchemaVersion(database)
    if (version > latestSchemaVersion()) {
      throw new DataDirError(
        `The register ${file} was written by a newer Staffbook (schema ${version}; this one knows ${latestSchemaVersion()}). Please start that version. Nothing was changed.`,
      )
    }
    const result = database.prepare('PRAGMA quick_check(1)').get()
    if (result?.quick_check !== 'ok') throw new Error(String(result?.quick_check))
    if (version === 0 || !hasTables(database)) {
      throw new DataDirError(`${file} is the database of another program, and no register. ${restoreAdvice}`)
    }
    return version
  } catch (error) {
    if (error instanceof DataDirError) throw error
    throw new DataDirError(`The register ${file} is damaged: ${messageOf(error)}. ${restoreAdvice}`, {
      cause: error,
    })
  } finally {
    database.close()
  }
}

function hasTables(database: DatabaseSync): boolean {
  const sql =
    "SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('accounts', 'books', 'register', 'sessions')"
  return database.prepare(sql).get()?.n === 4
}

/** A read-only connection changes nothing; it cannot undo what a crash left half done, which SQLite does by itself. */
export function openForReading(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    readSchemaVersion(database)
    return database
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteReadonlyRollback) return database
    database.close()
    return new DatabaseSync(file, { timeout: 5000 })
  }
}

/** SQLITE_READONLY_ROLLBACK */
const sqliteReadonlyRollback = 776

/** Before the first checkpoint a sound register may be all in its log. */
function hasWal(file: string) {
  return existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}
