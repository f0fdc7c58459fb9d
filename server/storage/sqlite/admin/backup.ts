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
import { fsyncDirectory, fsyncFile } from '../fsync.ts'
import { migrate } from '../migrate.ts'

/**
 * Copies the register as it was at one commit into a new file, while a server may go on writing. The copy is checked,
 * and has its name once it is whole and on the disk. Throws where the target exists.
 */
export function backUp(folder: string, target: string): void {
  const file = requireDatabase(folder)
  if (existsSync(target)) throw new DataDirError(`${target} exists already. Please choose another name.`)
  const tempFile = `${target}.part`
  withFailureText(`${target} cannot be written`, () => {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    copyDatabase(file, tempFile, checkDatabaseFile)
    replaceDurably(tempFile, target)
  })
}

/**
 * Puts a backup in the place of the register, of which no server may be running. What was there is kept in a folder
 * beside it, whose path is answered (nothing where nothing was there). Everyone must sign in again, and whoever
 * watches the register must list it again.
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

/**
 * Copies a register with what is in its log alone, which a copy of the file would lack, and finishes the copy. Where
 * either fails, nothing of the copy stays.
 */
function copyDatabase(from: string, to: string, prepare: (copy: string) => void) {
  removeDatabaseFiles(to)
  const database = openForReading(from)
  try {
    // Unlike SQLite's backup API, one reading transaction: it does not begin anew with every write of another.
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

/** A register's own and those that SQLite may have beside it, without which it is not whole. */
const databaseFilesOf = (file: string) => ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)

/** The register's revision goes on from the time, which no revision of the lost history can have reached. */
function startNewEpoch(file: string) {
  const database = connect(file)
  try {
    migrate(database)
    database.exec('DELETE FROM sessions')
    database
      .prepare(
        'UPDATE register SET epoch = lower(hex(randomblob(6))), floor = max(?, (SELECT coalesce(max(revision), 0) + 1 FROM books))',
      )
      .run(Date.now())
    // Closing would leave a log behind, without a word, where it cannot be moved into the file.
    database.exec('PRAGMA journal_mode = DELETE')
  } finally {
    database.close()
  }
}

function moveAside(folder: string, file: string): string | undefined {
  // The register first: cut short after it, what is left of it is refused at start; a register without its log is not.
  const existing = databaseFilesOf(file).filter((path) => existsSync(path))
  if (existing.length === 0) return
  const previousDir = join(folder, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`)
  mkdirSync(previousDir, { mode: 0o700 })
  for (const path of existing) renameSync(path, join(previousDir, basename(path)))
  // Before the folder they came from: at no moment are they in neither.
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
  if (!existsSync(file)) throw new DataDirError(`There is no register in ${folder}. Is DATA_DIR right?`)
  return file
}

export function requireBackup(file: string): string {
  if (!existsSync(file)) throw new DataDirError(`${file} does not exist.`)
  return file
}
