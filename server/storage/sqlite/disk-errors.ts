import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { explainDenied } from '../files.ts'
import { StorageError, type StorageErrorKind } from '../types.ts'
import { describeLog } from './log-mark.ts'

/** SQLite's primary result codes of errors that concern the disk, not the statement: https://sqlite.org/rescode.html */
const errorKinds: Record<number, StorageErrorKind> = {
  5: 'busy', // SQLITE_BUSY
  8: 'unavailable', // SQLITE_READONLY
  10: 'unavailable', // SQLITE_IOERR
  11: 'unavailable', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'unavailable', // SQLITE_CANTOPEN
}

/** SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC */
const fsyncErrorCodes = [1034, 1290]

/** After a failed fsync the kernel may have dropped the unwritten pages, so later writes are not safe either. */
export class FsyncError extends StorageError {
  override name = 'FsyncError'

  constructor(cause: unknown) {
    super('uncertain', 'The disk failed to confirm a write (fsync).', { cause })
  }
}

export function isFsyncError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isFsyncError)
  return fsyncErrorCodes.includes(errcodeOf(error))
}

/** SQLITE_IOERR_SHMSIZE: a full disk has no room for the memory that connections share. */
const sharedMemoryErrorCode = 4874

/** Undefined if the error does not concern the disk. */
export function diskErrorKind(error: unknown): StorageErrorKind | undefined {
  if (error instanceof AggregateError) return 'unavailable'
  if (errcodeOf(error) === sharedMemoryErrorCode) return 'full'
  return errorKinds[errcodeOf(error) & 0xff]
}

function errcodeOf(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : 0
}

/** What SQLite or the file system says; of each full disk the same. */
export const messageOf = (error: unknown): string =>
  errcodeOf(error) === sharedMemoryErrorCode ? 'database or disk is full' : (error as Error).message

export const restoreAdvice =
  'Nothing was changed. Copy the file to a safe place and restore the latest backup: staffbook restore <backup>.'

const describeDamage = (file: string, problem: string) =>
  `The database ${file} is damaged: ${problem}.${describeLog(file)} ${restoreAdvice}`

/** SQLITE_IOERR, SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_DATA, SQLITE_IOERR_CORRUPTFS */
const unreadableCodes = [10, 266, 522, 8202, 8458]

/**
 * Whether the file itself can't be read or is not what it was. SQLITE_BUSY, SQLITE_READONLY, SQLITE_FULL and SQLITE_CANTOPEN say nothing
 * about it, nor do errors of what is written and of locks.
 */
function isDamage(error: unknown): boolean {
  const code = errcodeOf(error)
  return (code & 0xff) === 10 ? unreadableCodes.includes(code) : ![5, 8, 13, 14].includes(code & 0xff)
}

export function describeError(file: string, error: unknown): string {
  if (isDamage(error)) return describeDamage(file, messageOf(error))
  const text = `The database ${file} cannot be opened: ${messageOf(error)}. Nothing was changed`
  if (diskErrorKind(error) === 'full') return `${text}. Free some space.`
  return explainDenied(text, [dirname(file), ...databaseFilesOf(file)], generalAdvice)
}

const generalAdvice =
  'Stop what else uses it, and see that the user who runs Staffbook may write to the folder and all its files.'

/** The database file, and the files that SQLite may create next to it, which can contain committed data. */
export const databaseFilesOf = (file: string) =>
  ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)

/** Checks an open database. Returns why it can't be used. */
export function findFailure(database: DatabaseSync, file: string): string | undefined {
  try {
    const damage = findDamage(database)
    return damage && describeDamage(file, damage)
  } catch (error) {
    return describeError(file, error)
  }
}

/** `list`: without the largest table of an old register, which the list is not read from. */
export type CheckedPart = 'all' | 'list'

const listDamageSql = `
  SELECT quick_check FROM sqlite_schema JOIN pragma_quick_check(name)
  WHERE type = 'table' AND name <> 'previousPasswords' AND quick_check <> 'ok'`

/** Throws if it can't be checked. */
export function findDamage(database: DatabaseSync, checked: CheckedPart = 'all'): string | undefined {
  try {
    const sql = checked === 'all' ? 'PRAGMA quick_check(1)' : listDamageSql
    const { quick_check: problem = 'ok' } = database.prepare(sql).get() ?? {}
    return problem === 'ok' ? undefined : String(problem)
  } catch (error) {
    if (!isDamage(error)) throw error
    return messageOf(error)
  }
}
