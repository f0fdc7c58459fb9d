import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RecordsKey } from '../../encryption/field-encryption.ts'
import { keyErrorMessages } from '../../encryption/key-check.ts'
import { fsyncDirectory, replaceDurably } from '../../files.ts'
import type { Person } from '../../history.ts'
import { accountReads, endAccessSql, isFormer, rememberFormer, removeAgain } from '../../sql/accounts.ts'
import { historyReads, logActivity } from '../../sql/history.ts'
import type { RestoreResult, StorageAdmin } from '../../storage-admin.ts'
import { removeAtEnd } from '../../temporary/remove-at-end.ts'
import { StorageOpenError } from '../../types.ts'
import { connect } from '../connect.ts'
import {
  checkDatabaseFile,
  createDataDir,
  databaseFile,
  lockDataDir,
  openForReading,
  withFailureText,
} from '../data-dir.ts'
import { databaseFilesOf } from '../disk-errors.ts'
import { lacksLog, missingLogWarning } from '../log-mark.ts'
import { migrate, readSchemaVersion } from '../migrate.ts'
import { checkStoredKey } from '../rekey.ts'
import { createRunCommand } from '../run-command.ts'
import { findSchemaProblems } from '../schema.ts'
import { verifyChecksum, writeChecksum } from './checksum.ts'

/**
 * Copies the database at one commit to a new file, also while a server writes. The file gets its name once the copy has
 * been checked and is on the disk. With the key of the records, it carries a checksum. Returns whether it does, or need not.
 * Throws `StorageOpenError`, also if the target exists.
 */
export function backUp(folder: string, target: string, key: RecordsKey | undefined): boolean {
  const file = requireDatabase(folder)
  return withFailureText(`${target} cannot be written`, () => writeBackup(file, target, key))
}

function writeBackup(file: string, target: string, key: RecordsKey | undefined): boolean {
  // Not the file that a link names: that of a link to a disk that is not there would be written elsewhere.
  if (lstatSync(target, { throwIfNoEntry: false }))
    throw new StorageOpenError(`${target} already exists. Choose another name.`)
  // Another process may be at work on the same target.
  const tempFile = `${target}.${process.pid}.part`
  using _temporary = removeAtEnd(...databaseFilesOf(tempFile))
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  let isTrusted = false
  copyDatabase(file, tempFile, (copy) => {
    checkDatabaseFile(copy)
    isTrusted = addChecksum(copy, key)
  })
  replaceDurably(tempFile, target)
  return isTrusted
}

function addChecksum(backup: string, key: RecordsKey | undefined): boolean {
  using database = new DatabaseSync(backup)
  if (checkStoredKey(database, key) !== 'match') return false
  if (key) writeChecksum(database, key)
  return true
}

/** Those of `StorageAdmin.restore`, and the key of the records. */
export type RestoreOptions = Parameters<StorageAdmin['restore']>[1] & {
  key: RecordsKey | undefined
  onWarning?: (message: string) => void
}

/**
 * Replaces the database by a backup; no server may run. Moves the previous database to a new folder. Ends all sessions, and the
 * new epoch makes every client reload its list. Removes again the accounts that were removed from the previous database; who
 * could be let back in there still can. Throws `StorageOpenError`, also if somebody may have tampered with the backup.
 */
export function restore(folder: string, backup: string, options: RestoreOptions): RestoreResult {
  checkDatabaseFile(requireBackup(backup))
  warnOfMissingLog(backup, options)
  createDataDir(folder)
  using _dirLock = lockDataDir(folder)
  const file = databaseFile(folder)
  const tempFile = `${file}.restored`
  const people = readPeople(folder)
  return withFailureText(`${file} cannot be written`, () => {
    let removed: string[] = []
    copyDatabase(backup, tempFile, (copy) => {
      // Not the backup, which somebody could replace after the check.
      requireUnchanged(copy, backup, options)
      removed = startNewEpoch(copy, people ?? [], options.withRemoved)
    })
    const previousDir = moveAside(folder, file)
    replaceDurably(tempFile, file)
    return { previousDir, removed: people && removed }
  })
}

function warnOfMissingLog(backup: string, { onWarning }: RestoreOptions) {
  using database = openForReading(backup)
  if (lacksLog(database, backup)) onWarning?.(missingLogWarning(backup))
}

/** Throws `StorageOpenError` if there is a foreign object in the schema, or no right checksum of the content. */
function requireUnchanged(copy: string, backup: string, { key, acceptUnsigned }: RestoreOptions) {
  using database = openForReading(copy)
  const refuse = (problem: string) => {
    throw new StorageOpenError(`${backup} ${problem}. Nothing was changed.`)
  }
  const [schemaProblem] = findSchemaProblems(database)
  if (schemaProblem) refuse(`is not as Staffbook wrote it: ${schemaProblem.replace(/\.$/, '')}`)
  const keyCheck = checkStoredKey(database, key)
  if (keyCheck === 'match' && !key) return
  const checksum = keyCheck === 'match' && key ? verifyChecksum(database, key) : 'missing'
  if (checksum === 'wrong') refuse(checksumProblems.wrong)
  if (checksum === 'match' || acceptUnsigned) return
  refuse(
    `${keyCheck === 'match' ? checksumProblems.missing : keyErrorMessages[keyCheck]}. Or pass --unsigned to restore it unverified: only if nobody else could write where it was kept`,
  )
}

/** Predicates of a sentence whose subject is the backup. */
export const checksumProblems = {
  missing:
    'carries no checksum, because it was made without RECORDS_KEY or by an older version, or was tampered with',
  wrong: 'was tampered with: its checksum is wrong',
}

/** Copies a database including its WAL, then calls `prepare` with the copy. Removes the copy if either fails. */
function copyDatabase(from: string, to: string, prepare: (copy: string) => void) {
  removeDatabaseFiles(to)
  using database = openForReading(from)
  withFailureText(`The database ${from} cannot be read`, () => readSchemaVersion(database))
  try {
    // One read transaction. SQLite's backup API would start over after every write of another connection.
    database.prepare('VACUUM INTO ?').run(to)
    chmodSync(to, 0o600)
    prepare(to)
  } catch (error) {
    removeDatabaseFiles(to)
    throw error
  }
}

function removeDatabaseFiles(file: string) {
  for (const path of databaseFilesOf(file)) rmSync(path, { force: true })
}

/** All who have, or had, an account in the database, or if it is missing in the last moved aside; undefined if it cannot be read. */
function readPeople(folder: string): Person[] | undefined {
  const previousDirs = readdirSync(folder).filter((name) => name.startsWith('before-restore-'))
  const files = ['', ...previousDirs.sort().reverse()].map((name) => databaseFile(join(folder, name)))
  const file = files.find((path) => existsSync(path))
  if (!file) return []
  try {
    // Does not roll back a hot journal, which is moved aside with the database.
    using database = connect(file, { readOnly: true })
    return createRunCommand(database)(historyReads.listPeople())
  } catch {
    return
  }
}

/**
 * Continues the revisions from the current time in milliseconds, which no earlier revision can have reached. Removes the accounts
 * of those of these people who have left, unless `withRemoved`. Returns their emails.
 */
function startNewEpoch(file: string, people: Person[], withRemoved = false): string[] {
  using database = connect(file)
  migrate(database)
  database.exec(endAccessSql)
  database.exec('UPDATE register SET checksum = NULL')
  const run = createRunCommand(database)
  run(logActivity({ kind: 'restore-backup' }))
  const returning = run(accountReads.list()).filter(isFormer(people))
  if (!withRemoved) for (const { uid } of returning) run(removeAgain(uid, people))
  for (const person of people) if (person.removedAt !== null) run(rememberFormer(person))
  database
    .prepare(
      'UPDATE register SET epoch = lower(hex(randomblob(6))), floor = max(?, (SELECT coalesce(max(revision), 0) + 1 FROM books))',
    )
    .run(Date.now())
  // If closing cannot checkpoint the WAL, it leaves it behind without an error.
  database.exec('PRAGMA journal_mode = DELETE')
  return returning.map(({ email }) => email)
}

function moveAside(folder: string, file: string): string | undefined {
  // The database file first: after an interruption openDataDir refuses the remaining WAL, but would accept a database
  // without its WAL.
  const existing = databaseFilesOf(file).filter((path) => existsSync(path))
  if (existing.length === 0) return
  const previousDir = join(folder, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`)
  mkdirSync(previousDir, { mode: 0o700 })
  for (const path of existing) renameSync(path, join(previousDir, basename(path)))
  // Before the old folder is synced, so that after a power cut the files are in at least one of them.
  fsyncDirectory(previousDir)
  return previousDir
}

export function requireDatabase(folder: string): string {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new StorageOpenError(`There is no database in ${folder}. Check DATA_DIR.`)
  return file
}

export function requireBackup(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new StorageOpenError(`${file} does not exist.`)
  // A pipe would be waited for, a device read without an end.
  if (!found.isFile()) throw new StorageOpenError(`${file} is not a file.`)
  return file
}
