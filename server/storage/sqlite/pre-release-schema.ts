import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './connect.ts'

/**
 * The table `books` of today, given that of any register. The first commits created it with AUTOINCREMENT and a unique
 * revision, before their migration was changed.
 */
export function modernizeBooks(sql: string): string {
  return sql
    .replace('seq INTEGER PRIMARY KEY AUTOINCREMENT,', 'seq INTEGER PRIMARY KEY,')
    .replace('revision INTEGER NOT NULL UNIQUE,', 'revision INTEGER NOT NULL,')
}

/** Rebuilds `books` in one transaction if the first commits created it. */
export function rebuildEarlyBooks(database: DatabaseSync): void {
  const select = database.prepare('SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type = ?')
  const readSql = (type: string) =>
    select.all('books', type).flatMap(({ sql }) => (sql === null ? [] : [String(sql)]))
  const [table = ''] = readSql('table')
  const modern = modernizeBooks(table)
  if (modern === table) return
  const indexes = readSql('index').join(';\n')
  try {
    // Otherwise the tables that refer to books would refer to the renamed one.
    database.exec('PRAGMA legacy_alter_table = ON')
    inTransaction(database, () =>
      database.exec(`
        ALTER TABLE books RENAME TO earlyBooks;
        ${modern};
        INSERT INTO books SELECT * FROM earlyBooks;
        DROP TABLE earlyBooks;
        ${indexes}`),
    )
  } finally {
    database.exec('PRAGMA legacy_alter_table = OFF')
  }
}
