import { DatabaseSync } from 'node:sqlite'

export interface ConnectOptions {
  readOnly?: boolean
  /** Only a fault test asks for anything but FULL: it shows what the others lose. */
  synchronous?: 'FULL' | 'NORMAL'
}

/** Opens a connection with the settings every connection of ours has; node:sqlite's own busy timeout is 0. */
export function connect(file: string, { readOnly = false, synchronous = 'FULL' }: ConnectOptions = {}) {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000, enableForeignKeyConstraints: true })
  if (readOnly) return database
  // The writer checkpoints by itself, after it has answered: SQLite's automatic checkpoint hides a failed fsync.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${synchronous};
    PRAGMA secure_delete = ON;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA journal_size_limit = 67108864;
  `)
  return database
}
