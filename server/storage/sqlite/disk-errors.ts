import { StorageError, type StorageErrorKind } from '../storage.ts'

/** SQLite's primary result codes that speak of the disk and not of the statement: https://sqlite.org/rescode.html */
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

/** An fsync failed: the kernel may have dropped what it could not write, so nothing more can be promised. */
export class FsyncError extends StorageError {
  constructor(cause: unknown) {
    super('uncertain', 'The disk failed to confirm a write (fsync).', { cause })
    this.name = 'FsyncError'
  }
}

export function isFsyncError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isFsyncError)
  return fsyncErrorCodes.includes(errcodeOf(error))
}

/** What the disk refused; nothing where the error is not the disk's. */
export function diskErrorKind(error: unknown): StorageErrorKind | undefined {
  if (error instanceof AggregateError) return 'unavailable'
  return errorKinds[errcodeOf(error) & 0xff]
}

function errcodeOf(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : 0
}
