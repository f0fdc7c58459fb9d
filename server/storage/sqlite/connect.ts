import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

export interface ConnectOptions {
  readOnly?: boolean
  /** How SQLite calls fsync. NORMAL loses acknowledged writes in a power cut: only a fault test uses it. */
  synchronous?: 'FULL' | 'NORMAL'
}

/** How long a connection waits for the lock of another. (By default, node:sqlite does not wait.) */
export const busyTimeoutMs = 5_000

/** Opens a connection with Staffbook's settings. */
export function connect(file: string, { readOnly = false, synchronous = 'FULL' }: ConnectOptions = {}) {
  const database = new DatabaseSync(file, {
    readOnly,
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
  })
  if (readOnly) return database
  // The writer checkpoints after it has responded: SQLite's automatic checkpoint hides a failed fsync.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${synchronous};
    PRAGMA secure_delete = ON;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA journal_size_limit = 67108864;
  `)
  return database
}

/** Commits after `work`, or rolls back and rethrows its error. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // After some errors SQLite has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Returns the rows of a statement, whose type only its SQL tells. */
export function readRows<Row>(statement: StatementSync, ...values: SQLInputValue[]): Row[] {
  const rows: unknown = statement.all(...values)
  return rows as Row[]
}

/** Returns the first row of a statement, if any; see `readRows`. */
export function readRow<Row>(statement: StatementSync, ...values: SQLInputValue[]): Row | undefined {
  const row: unknown = statement.get(...values)
  return row as Row | undefined
}
