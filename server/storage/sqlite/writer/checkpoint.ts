import type { DatabaseSync } from 'node:sqlite'
import { diskErrorKind, FsyncError, isFsyncError } from '../disk-errors.ts'

const checkpointThresholdFrames = 1000

/**
 * Moves the write-ahead log into the database once the log is long. Nobody waits for it. A full or read-only disk is
 * no harm (the log stays and is tried again); a failed fsync is, and throws `FailedSync`.
 */
export function checkpointIfLarge(database: DatabaseSync): void {
  const { log, checkpointed } = checkpoint(database, 'NOOP')
  if (log - checkpointed > checkpointThresholdFrames) checkpoint(database, 'PASSIVE')
}

function checkpoint(database: DatabaseSync, mode: 'NOOP' | 'PASSIVE') {
  try {
    const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
    return { log: Number(row?.log), checkpointed: Number(row?.checkpointed) }
  } catch (error) {
    if (isFsyncError(error)) throw new FsyncError(error)
    if (!diskErrorKind(error)) throw error
    return { log: 0, checkpointed: 0 }
  }
}
