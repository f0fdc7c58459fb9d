import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import { createKeyCheck, keyErrorMessages } from '../encryption/key-check.ts'
import { createPasswordKey } from '../encryption/password-digests.ts'
import {
  explainDenied,
  fsyncDirectory,
  identifyFile,
  othersAccess,
  restrictAccess,
  restrictFolder,
} from '../files.ts'
import { describePreRelease } from '../migrations.ts'
import { StorageError, StorageOpenError } from '../types.ts'
import { connect } from './connect.ts'
import {
  type CheckedPart,
  databaseFilesOf,
  describeError,
  diskErrorKind,
  findDamage,
  messageOf,
  restoreAdvice,
} from './disk-errors.ts'
import {
  foreignLogMessage,
  hasForeignLog,
  hasWal,
  lacksLog,
  missingLogWarning,
  unmarkLog,
} from './log-mark.ts'
import { latestSchemaVersion, migrate, oldestSchemaVersion, readSchemaVersion } from './migrate.ts'
import { checkStoredKey } from './rekey.ts'

/** Turns errors of SQLite and the file system into a `StorageOpenError` whose message begins with `failureText`. */
export function withFailureText<T>(failureText: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { errcode, errno } = error as { errcode?: number; errno?: number }
    if (errcode === undefined && errno === undefined) throw error
    throw new StorageOpenError(`${failureText}: ${messageOf(error)}`, { cause: error })
  }
}

export const databaseFile = (folder: string) => join(folder, 'staffbook.sqlite')

/**
 * Locks the folder for this process until `release`, creates or checks its database and migrates it to the latest
 * schema. Leaves a damaged or foreign database unchanged. `warning`: changes are missing. Throws `StorageOpenError`.
 */
export function openDataDir(folder: string, key?: RecordsKey, checked?: CheckedPart) {
  createDataDir(folder)
  const dirLock = lockDataDir(folder)
  const file = databaseFile(folder)
  try {
    restrictFolder(folder, othersAccess, (name) => ownNamePattern.test(name))
    // SQLite gives its other files the mode of the database.
    for (const path of [lockFile(folder), ...databaseFilesOf(file)]) restrictAccess(path, othersAccess)
    if (existsSync(file)) checkDatabaseFile(file, checked)
    else createDatabase(folder, file, key)
    const warning = prepareDatabase(file, key)
    fillReserve(folder)
    return { file, lock: identifyFile(lockFile(folder)), warning, release: () => dirLock.close() }
  } catch (error) {
    dirLock.close()
    if (error instanceof StorageOpenError) throw error
    const text = `The database ${file} cannot be opened: ${messageOf(error)}`
    const paths = [folder, ...databaseFilesOf(file)]
    throw new StorageOpenError(explainDenied(text, paths), { cause: error })
  }
}

const ownNamePattern = /^(staffbook\.sqlite.*|in-use\.lock.*|reserve|before-restore-.*)$/

export function createDataDir(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const text = `The data folder ${folder} cannot be created: ${message}`
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new StorageOpenError(`${text}. It, or a folder above it, is a file.`, { cause: error })
    throw new StorageOpenError(explainDenied(text, [folder]), { cause: error })
  }
}

const reserveFile = (folder: string) => join(folder, 'reserve')
const reserveBytes = 2 ** 20

/** Takes space, as far as there is, that `withReserve` can give back. Random, because some file systems compress. */
function fillReserve(folder: string) {
  try {
    if (statSync(reserveFile(folder), { throwIfNoEntry: false })?.size === reserveBytes) return
    writeFileSync(reserveFile(folder), randomBytes(reserveBytes), { mode: 0o600 })
  } catch {
    // The disk is full: what was written remains.
  }
}

/** Runs `work` again with the reserved space if it fails because the disk is full: access must end on a full disk too. */
export async function withReserve<T>(folder: string, work: () => T): Promise<T> {
  try {
    return work()
  } catch (error) {
    const kinds = [error, (error as Error).cause].map((e) =>
      e instanceof StorageError ? e.kind : diskErrorKind(e),
    )
    if (!kinds.some((kind) => mayBeFull(kind))) throw error
    return runInReserve(folder, work)
  }
}

/** SQLite reports some full disks as a failed operation. */
export const mayBeFull = (kind: string | undefined) => kind === 'full' || kind === 'unavailable'

/** Runs `work` with the reserved space. */
export function runInReserve<T>(folder: string, work: () => T): T {
  try {
    rmSync(reserveFile(folder), { force: true })
  } catch {
    // The file system is read-only.
  }
  try {
    return work()
  } finally {
    fillReserve(folder)
  }
}

/** Whether the disk has so little room that a write may fail. */
export async function isNearlyFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < reserveBytes
}

const lockFile = (folder: string) => join(folder, 'in-use.lock')

/** The kernel releases this lock when the process ends, even after a crash. */
export function lockDataDir(folder: string): DatabaseSync {
  let dirLock: DatabaseSync | undefined
  try {
    dirLock = new DatabaseSync(lockFile(folder), { timeout: 0 })
    dirLock.exec('BEGIN EXCLUSIVE')
    return dirLock
  } catch (error) {
    dirLock?.close()
    if ((error as { errcode?: number }).errcode === 5) {
      throw new StorageOpenError(
        `The data folder ${folder} is in use by another Staffbook. Stop it, or choose another folder with DATA_DIR.`,
      )
    }
    const { message } = error as Error
    const text = `The data folder ${folder} cannot be written to: ${message}`
    throw new StorageOpenError(explainDenied(text, [folder, lockFile(folder)]), { cause: error })
  }
}

/** Creates the database under a temporary name: an empty file with the final name is therefore always data loss. */
function createDatabase(folder: string, file: string, key: RecordsKey | undefined) {
  requireNoLeftovers(file)
  const tempFile = `${file}.new`
  for (const path of databaseFilesOf(tempFile)) rmSync(path, { force: true })
  createTables(tempFile, key)
  renameSync(tempFile, file)
  fsyncDirectory(folder)
}

/** Throws if files of a lost database or an interrupted restore exist: a new, empty database would hide the loss. */
function requireNoLeftovers(file: string) {
  const leftovers = [
    ...(hasWal(file) ? [`${file}-wal`] : []),
    ...[`${file}-journal`, `${file}.restored`].filter((path) => existsSync(path)),
  ]
  if (leftovers.length === 0) return
  throw new StorageOpenError(
    `There is no database ${file}, but there is ${leftovers.join(' and ')}, so it was lost or a restore was interrupted. Nothing was changed. Move the file back to its folder, or restore a backup: staffbook restore <backup>.`,
  )
}

function createTables(file: string, key: RecordsKey | undefined) {
  using database = connect(file)
  migrate(database)
  if (key) database.prepare('UPDATE register SET keyProof = ?').run(createKeyCheck(key))
}

/**
 * Migrates the database, then creates the key of the digests of passwords if there is none yet. Returns a warning if changes are
 * missing.
 */
function prepareDatabase(file: string, key: RecordsKey | undefined): string | undefined {
  using database = connect(file)
  const warning = lacksLog(database, file) ? missingLogWarning(file) : undefined
  migrate(database)
  requireMatchingKey(file, key)
  const passwordKey = createPasswordKey(createFieldEncryption(key))
  database.prepare('UPDATE register SET passwordKey = ? WHERE passwordKey IS NULL').run(passwordKey)
  unmarkLog(database)
  return warning
}

/** Throws `StorageOpenError` if the records are not encrypted with this key, or are encrypted and there is none. */
export function requireMatchingKey(file: string, key: RecordsKey | undefined) {
  using database = connect(file, { readOnly: true })
  const keyCheck = checkStoredKey(database, key)
  if (keyCheck !== 'match')
    throw new StorageOpenError(`The database ${file} ${keyErrorMessages[keyCheck]}. Nothing was changed.`)
}

/** Checks the file without changing it. Returns the version of its schema. Throws `StorageOpenError`. */
export function checkDatabaseFile(file: string, checked: CheckedPart = 'all'): number {
  if (statSync(file).size === 0 && !hasWal(file)) {
    throw new StorageOpenError(
      `The database ${file} is empty (0 bytes): its content is lost. ${restoreAdvice}`,
    )
  }
  using database = withFailureText(`The database ${file} cannot be opened`, () => openForReading(file))
  try {
    const version = readSchemaVersion(database)
    if (version > latestSchemaVersion()) {
      throw new StorageOpenError(
        `The database ${file} was written by a newer Staffbook (schema ${version}; this one supports up to ${latestSchemaVersion()}). Start that version. Nothing was changed.`,
      )
    }
    if (version > 0 && version < oldestSchemaVersion() && hasTables(database))
      throw new StorageOpenError(`The database ${file} ${describePreRelease(version)}.`)
    // A migration reads everything.
    const damage = findDamage(database, version < latestSchemaVersion() ? 'all' : checked)
    if (damage) throw new Error(damage)
    if (version === 0 || !hasTables(database)) {
      throw new StorageOpenError(`${file} is the database of another program. ${restoreAdvice}`)
    }
    return version
  } catch (error) {
    if (error instanceof StorageOpenError) throw error
    throw new StorageOpenError(describeError(file, error), { cause: error })
  }
}

export function requireLatestSchema(file: string): void {
  if (checkDatabaseFile(file) === latestSchemaVersion()) return
  throw new StorageOpenError(
    `The database ${file} has the schema of an older version. Start and stop the server once to migrate it.`,
  )
}

function hasTables(database: DatabaseSync): boolean {
  const sql =
    "SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('accounts', 'books', 'register', 'sessions')"
  return database.prepare(sql).get()?.n === 4
}

/**
 * Opens read-only, unless a crash left a hot journal: only a writable connection can roll that back. Throws `StorageOpenError` if
 * the log of another database is beside the file.
 */
export function openForReading(file: string): DatabaseSync {
  if (hasForeignLog(file)) throw new StorageOpenError(foreignLogMessage(file))
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    // Functions in the schema of a hostile file are not called.
    database.exec('PRAGMA trusted_schema = OFF')
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
