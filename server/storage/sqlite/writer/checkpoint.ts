import type { DatabaseSync } from 'node:sqlite'
import { diskErrorOf, FailedSync, isFailedSync } from '../disk-errors.ts'

const manyFrames = 1000

/**
 * Moves the write-ahead log into the database once the log is long. Nobody waits for it. A full or read-only disk is
 * no harm (the log stays and is tried again); a failed fsync is, and throws `FailedSync`.
 */
export function checkpointWhenLong(database: DatabaseSync): void {
  const { log, checkpointed } = checkpoint(database, 'NOOP')
  if (log - checkpointed > manyFrames) checkpoint(database, 'PASSIVE')
}

function checkpoint(database: DatabaseSync, mode: 'NOOP' | 'PASSIVE') {
  try {
    const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
    return { log: Number(row?.log), checkpointed: Number(row?.checkpointed) }
  } catch (error) {
    if (isFailedSync(error)) throw new FailedSync(error)
    if (!diskErrorOf(error)) throw error
    return { log: 0, checkpointed: 0 }
  }
}
