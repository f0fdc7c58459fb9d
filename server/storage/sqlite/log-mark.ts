import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

// A database file alone does not tell that its write-ahead log (WAL) is missing. While the log has changes that the file may
// lack, the file therefore has a mark, as its `application_id`, which is 0 otherwise.

/** Whether a log with content is beside the file. The whole database may be in it before the first checkpoint. */
export function hasWal(file: string): boolean {
  return existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
}

/** Marks that there is a log. The mark is in the file once it is checkpointed. */
export function markLog(database: DatabaseSync): void {
  database.exec(`PRAGMA application_id = ${computeMark(database)}`)
}

/** Takes the mark back: call before the log is emptied. */
export function unmarkLog(database: DatabaseSync): void {
  if (readMark(database) !== 0) database.exec('PRAGMA application_id = 0')
}

/** Whether the file of the connection has lost its log. Call it before the connection writes, while no server is running. */
export function lacksLog(database: DatabaseSync, file: string): boolean {
  const mark = readMark(database)
  return mark !== 0 && !hasWal(file) && mark === computeMark(database)
}

/**
 * The mark is of no effect in a file that is whole: copies by SQLite (`.backup`, `VACUUM INTO`) have another version of the
 * schema, and after a crash, another program may have moved later changes, which are logged, from the log into the file.
 */
function computeMark(database: DatabaseSync): number {
  const { schema, entry } = database
    .prepare(
      `SELECT schema_version AS schema, (SELECT coalesce(max(id), 0) FROM activity) AS entry
       FROM pragma_schema_version`,
    )
    .get() as { schema: number; entry: number }
  // Odd, so never 0.
  return Math.imul(schema, 0x10000) ^ (entry * 2 + 1)
}

function readMark(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA application_id').get()?.application_id)
}

export const missingLogWarning = (file: string) =>
  `The database ${file} was copied without its log ${file}-wal, or the log was deleted: the last changes before that are missing. If the log still exists, stop the server, put both files in place again, and start. To copy a register: staffbook backup <file>, or stop the server first.`
