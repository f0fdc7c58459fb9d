import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { connect } from '../connect.ts'
import {
  checkRegister,
  FolderError,
  inWords,
  lockFolder,
  makeFolder,
  openForReading,
  registerFile,
} from '../data-dir.ts'
import { syncFile, syncFolder } from '../fsync.ts'
import { migrate } from '../migrate.ts'

/**
 * Copies the register as it was at one commit into a new file, while a server may go on writing. The copy is checked,
 * and has its name once it is whole and on the disk. Throws where the target exists.
 */
export function backUp(folder: string, target: string): void {
  const file = requireRegister(folder)
  if (existsSync(target)) throw new FolderError(`${target} exists already. Please choose another name.`)
  const unfinished = `${target}.part`
  inWords(`${target} cannot be written`, () => {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    copyWhole(file, unfinished, checkRegister)
    putInPlace(unfinished, target)
  })
}

/**
 * Puts a backup in the place of the register, of which no server may be running. What was there is kept in a folder
 * beside it, whose path is answered (nothing where nothing was there). Everyone must sign in again, and whoever
 * watches the register must list it again.
 */
export function restore(folder: string, backup: string): string | undefined {
  checkRegister(requireBackup(backup))
  makeFolder(folder)
  const lock = lockFolder(folder)
  try {
    const file = registerFile(folder)
    const unfinished = `${file}.restored`
    return inWords(`${file} cannot be written`, () => {
      copyWhole(backup, unfinished, beginAnew)
      const kept = setAside(folder, file)
      putInPlace(unfinished, file)
      return kept
    })
  } finally {
    lock.close()
  }
}

/**
 * Copies a register with what is in its log alone, which a copy of the file would lack, and finishes the copy. Where
 * either fails, nothing of the copy stays.
 */
function copyWhole(from: string, to: string, finish: (copy: string) => void) {
  removeAll(to)
  const database = openForReading(from)
  try {
    // Unlike SQLite's backup API, one reading transaction: it does not begin anew with every write of another.
    database.prepare('VACUUM INTO ?').run(to)
    chmodSync(to, 0o600)
    finish(to)
  } catch (error) {
    removeAll(to)
    throw error
  } finally {
    database.close()
  }
}

function removeAll(file: string) {
  for (const path of filesOf(file)) rmSync(path, { force: true })
}

/** A register's own and those that SQLite may have beside it, without which it is not whole. */
const filesOf = (file: string) => ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)

/** The register's revision goes on from the time, which no revision of the lost history can have reached. */
function beginAnew(file: string) {
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

function setAside(folder: string, file: string): string | undefined {
  // The register first: cut short after it, what is left of it is refused at start; a register without its log is not.
  const there = filesOf(file).filter((path) => existsSync(path))
  if (there.length === 0) return
  const kept = join(folder, `before-restore-${new Date().toISOString().replaceAll(':', '-')}`)
  mkdirSync(kept, { mode: 0o700 })
  for (const path of there) renameSync(path, join(kept, basename(path)))
  // Before the folder they came from: at no moment are they in neither.
  syncFolder(kept)
  return kept
}

function putInPlace(from: string, to: string) {
  syncFile(from)
  renameSync(from, to)
  syncFolder(dirname(to))
}

export function requireRegister(folder: string): string {
  const file = registerFile(folder)
  if (!existsSync(file)) throw new FolderError(`There is no register in ${folder}. Is DATA_DIR right?`)
  return file
}

export function requireBackup(file: string): string {
  if (!existsSync(file)) throw new FolderError(`${file} does not exist.`)
  return file
}
