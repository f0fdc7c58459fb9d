import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

// A database file alone does not tell that its write-ahead log (WAL) is missing. While the log has changes that the file may
// lack, the file therefore has a mark, as its `application_id`, which is 0 otherwise.

/** Whether a log with content is beside the file. The whole database may be in it before the first checkpoint. */
export function hasWal(file: string): boolean {
  return existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
}

/** Whether a log of another database is beside the file: it has never had one itself, such as a backup. */
export function hasForeignLog(file: string): boolean {
  if (!hasWal(file)) return false
  const header = Buffer.alloc(20)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, header.length, 0)
  } finally {
    closeSync(descriptor)
  }
  // The file format for writing and for reading is 2 with a write-ahead log: https://sqlite.org/fileformat.html
  return header.toString('latin1', 0, 15) === 'SQLite format 3' && header[18] === 1 && header[19] === 1
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

export const foreignLogMessage = (file: string) =>
  `The database ${file} is a backup that was copied over another database, whose log ${file}-wal is still there. Together they would be damaged. Nothing was changed. Move ${file} to another folder, and restore it from there: staffbook restore <backup>. That moves the log aside.`

/** For a file that is damaged: which log is beside it, if any. */
export const describeLog = (file: string) =>
  hasWal(file)
    ? ` If the file was copied here, its log ${file}-wal may be that of the database before it.`
    : ''
