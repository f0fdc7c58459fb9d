import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RecordsKey } from '../encryption/field-encryption.ts'
import { keyAdvice } from '../encryption/key-check.ts'
import { RegisterError } from '../storage.ts'
import { connect } from './connect.ts'
import { syncFolder } from './fsync.ts'
import { migrate, newestVersion, versionOf } from './migrate.ts'
import { keyFit, writeKeyProof } from './rekey.ts'

/** The data folder cannot be used; the message says why and what to do. */
export class FolderError extends RegisterError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'FolderError'
  }
}

/** Does the work; what SQLite or the system refuses of it is thrown as a `FolderError` that begins with what was not done. */
export function inWords<T>(notDone: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { errcode, errno } = error as { errcode?: number; errno?: number }
    if (errcode === undefined && errno === undefined) throw error
    throw new FolderError(`${notDone}: ${wordsOf(error)}`, { cause: error })
  }
}

export const registerFile = (folder: string) => join(folder, 'staffbook.sqlite')

/**
 * Claims the folder for this process, makes or checks the register in it and brings its schema up to date. A register
 * that is not sound is refused and left as it is. Throws `FolderError`.
 */
export function claimFolder(folder: string, key?: RecordsKey): { file: string; release: () => void } {
  makeFolder(folder)
  const lock = lockFolder(folder)
  const file = registerFile(folder)
  try {
    if (existsSync(file)) checkRegister(file)
    else makeRegister(folder, file, key)
    bringUpToDate(file)
    checkKey(file, key)
    return { file, release: () => lock.close() }
  } catch (error) {
    lock.close()
    if (error instanceof FolderError) throw error
    throw new FolderError(`The register ${file} cannot be opened: ${wordsOf(error)}`, { cause: error })
  }
}

export function makeFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new FolderError(`The data folder ${folder} cannot be made: ${wordsOf(error)}`, { cause: error })
  }
}

/** A lock that the kernel gives back when the process ends, however it ends. */
export function lockFolder(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(folder, 'in-use.lock'), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === 5) {
      throw new FolderError(
        `The data folder ${folder} is in use by another Staffbook. Stop that one, or choose another folder with DATA_DIR.`,
      )
    }
    throw new FolderError(`The data folder ${folder} cannot be written to: ${wordsOf(error)}`, {
      cause: error,
    })
  }
}

/** A register appears under its name once it is whole, so that an empty file of that name is always a lost one. */
function makeRegister(folder: string, file: string, key: RecordsKey | undefined) {
  refuseRemains(file)
  const unfinished = `${file}.new`
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + suffix, { force: true })
  bringUpToDate(unfinished, key)
  renameSync(unfinished, file)
  syncFolder(folder)
}

/** Where the register is lost, or a restore was cut short before it was in place, an empty one would hide that. */
function refuseRemains(file: string) {
  const remains = [
    ...(hasLog(file) ? [`${file}-wal`] : []),
    ...[`${file}-journal`, `${file}.restored`].filter((path) => existsSync(path)),
  ]
  if (remains.length === 0) return
  throw new FolderError(
    `There is no register ${file}, and ${remains.join(' and ')} is left of one. Nothing was changed. Bring the register back from where it went, or restore a backup: staffbook restore <backup>.`,
  )
}

function bringUpToDate(file: string, newKey?: RecordsKey) {
  const database = connect(file)
  migrate(database)
  if (newKey) writeKeyProof(database, newKey)
  database.close()
}

/** Refuses a register that is not sealed with this key. Throws `FolderError`. */
export function checkKey(file: string, key: RecordsKey | undefined) {
  const database = connect(file, { readOnly: true })
  const fit = keyFit(database, key)
  database.close()
  if (fit !== 'fits') throw new FolderError(`The register ${file} ${keyAdvice[fit]}. Nothing was changed.`)
}

const restoreAdvice =
  'Nothing was changed. Keep a copy of the file and bring back the latest backup: staffbook restore <backup>.'

/** Refuses a register that is not sound, and leaves it as it is. Answers its schema's version. Throws `FolderError`. */
export function checkRegister(file: string): number {
  if (statSync(file).size === 0 && !hasLog(file)) {
    throw new FolderError(`The register ${file} is empty (0 bytes): its content is gone. ${restoreAdvice}`)
  }
  const database = openForReading(file)
  try {
    const version = versionOf(database)
    if (version > newestVersion()) {
      throw new FolderError(
        `The register ${file} was written by a newer Staffbook (schema ${version}; this one knows ${newestVersion()}). Please start that version. Nothing was changed.`,
      )
    }
    const result = database.prepare('PRAGMA quick_check(1)').get()
    if (result?.quick_check !== 'ok') throw new Error(String(result?.quick_check))
    if (version === 0 || !hasTables(database)) {
      throw new FolderError(`${file} is the database of another program, and no register. ${restoreAdvice}`)
    }
    return version
  } catch (error) {
    if (error instanceof FolderError) throw error
    throw new FolderError(`The register ${file} is damaged: ${wordsOf(error)}. ${restoreAdvice}`, {
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
    versionOf(database)
    return database
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== hotJournal) return database
    database.close()
    return new DatabaseSync(file, { timeout: 5000 })
  }
}

/** SQLITE_READONLY_ROLLBACK */
const hotJournal = 776

/** Before the first checkpoint a sound register may be all in its log. */
function hasLog(file: string) {
  return existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
}

function wordsOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}
