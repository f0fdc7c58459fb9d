import type { DatabaseSync } from 'node:sqlite'
import { diskErrorKind, FsyncError, isFsyncError } from '../disk-errors.ts'

const checkpointThresholdFrames = 1000

/**
 * Checkpoints the WAL if it is longer than the threshold. Call it after responding. If the disk is full or read-only, the
 * WAL remains and the next call tries again. Throws `FsyncError`.
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
