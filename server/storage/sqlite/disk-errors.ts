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

/** Undefined if the error does not concern the disk. */
export function diskErrorKind(error: unknown): StorageErrorKind | undefined {
  if (error instanceof AggregateError) return 'unavailable'
  return errorKinds[errcodeOf(error) & 0xff]
}

function errcodeOf(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : 0
}

export const restoreAdvice =
  'Nothing was changed. Copy the file to a safe place and restore the latest backup: staffbook restore <backup>.'

export const describeDamage = (file: string, problem: string) =>
  `The database ${file} is damaged: ${problem}.${describeLog(file)} ${restoreAdvice}`

/** SQLITE_BUSY, SQLITE_READONLY and SQLITE_CANTOPEN say nothing about the content. */
export function describeError(file: string, error: unknown): string {
  const { message } = error as Error
  if (![5, 8, 14].includes(errcodeOf(error) & 0xff)) return describeDamage(file, message)
  const text = `The database ${file} cannot be opened: ${message}. Nothing was changed`
  return explainDenied(text, [dirname(file), ...databaseFilesOf(file)], generalAdvice)
}

const generalAdvice =
  'Stop what else uses it, and see that the user who runs Staffbook may write to the folder and all its files.'

/** The database file, and the files that SQLite may create next to it, which can contain committed data. */
export const databaseFilesOf = (file: string) =>
  ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)

/** `list`: without the largest table of an old register, which the list is not read from. */
export type CheckedPart = 'all' | 'list'

const listDamageSql = `
  SELECT quick_check FROM sqlite_schema JOIN pragma_quick_check(name)
  WHERE type = 'table' AND name <> 'previousPasswords' AND quick_check <> 'ok'`

export function findDamage(database: DatabaseSync, checked: CheckedPart = 'all'): string | undefined {
  try {
    const sql = checked === 'all' ? 'PRAGMA quick_check(1)' : listDamageSql
    const { quick_check: problem = 'ok' } = database.prepare(sql).get() ?? {}
    return problem === 'ok' ? undefined : String(problem)
  } catch (error) {
    return (error as Error).message
  }
}
