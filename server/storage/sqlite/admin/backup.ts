import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { connect } from '../connect.ts'
import {
  checkDatabaseFile,
  createDataDir,
  DataDirError,
  databaseFile,
  lockDataDir,
  openForReading,
  withFailureText,
} from '../data-dir.ts'
import { fsyncDirectory, fsyncFile } from '../fsync-files.ts'
import { migrate } from '../migrate.ts'

/**
 * Copies a snapshot of one commit to a new file, also while a server writes. The file gets its name once the copy has
 * been checked and is on the disk. Throws `DataDirError`, also if the target exists.
 */
export function backUp(folder: string, target: string): void {
  const file = requireDatabase(folder)
  if (existsSync(target)) throw new DataDirError(`${target} already exists. Choose another name.`)
  const tempFile = `${target}.part`
  withFailureText(`${target} cannot be written`, () => {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    copyDatabase(file, tempFile, checkDatabaseFile)
    replaceDurably(tempFile, target)
  })
}

/**
 * Replaces the database by a backup; no server may run. Moves the previous database to a new folder and returns its
 * path, or undefined if there was none. Ends all sessions, and the new epoch makes every client reload its list.
 */
export function restore(folder: string, backup: string): string | undefined {
  checkDatabaseFile(requireBackup(backup))
  createDataDir(folder)
  const dirLock = lockDataDir(folder)
  try {
    const file = databaseFile(folder)
    const tempFile = `${file}.restored`
    return withFailureText(`${file} cannot be written`, () => {
      copyDatabase(backup, tempFile, startNewEpoch)
      const previousDir = moveAside(folder, file)
      replaceDurably(tempFile, file)
      return previousDir
    })
  } finally {
    dirLock.close()
  }
}

/** Copies a database including its WAL, then calls `prepare` with the copy. Removes the copy if either fails. */
function copyDatabase(from: string, to: string, prepare: (copy: string) => void) {
  removeDatabaseFiles(to)
  const database = openForReading(from)
  try {
    // One read transaction. SQLite's backup API would start over after every write of another connection.
    database.prepare('VACUUM INTO ?').run(to)
    chmodSync(to, 0o600)
    prepare(to)
  } catch (error) {
    removeDatabaseFiles(to)
    throw error
  } finally {
    database.close()
  }
}

function removeDatabaseFiles(file: string) {
  for (const path of databaseFilesOf(file)) rmSync(path, { force: true })
}

/** The database file, and the files that SQLite may create next to it, which can contain committed data. */
const databaseFilesOf = (file: string) => ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)

/** Continues the revisions from the current time in milliseconds, which no earlier revision can have reached. */
function startNewEpoch(file: string) {
  const database = connect(file)
  try {
    migrate(database)
    // Links that were used or revoked since the backup must not work again.
    database.exec('DELETE FROM sessions; DELETE FROM invitations; DELETE FROM resetLinks')
    database
      .prepare(
        'UPDATE register SET epoch = lower(hex(randomblob(6))), floor = max(?, (SELECT coalesce(max(revision), 0) + 1 FROM books))',
      )
      .run(Date.now())
    // If closing cannot checkpoint the WAL, it leaves it behind without an error.
    database.exec('PRAGMA journal_mode = DELETE')
  } finally {
    database.close()
  }
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

function replaceDurably(from: string, to: string) {
  fsyncFile(from)
  renameSync(from, to)
  fsyncDirectory(dirname(to))
}

export function requireDatabase(folder: string): string {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new DataDirError(`There is no database in ${folder}. Check DATA_DIR.`)
  return file
}

export function requireBackup(file: string): string {
  if (!existsSync(file)) throw new DataDirError(`${file} does not exist.`)
  return file
}
