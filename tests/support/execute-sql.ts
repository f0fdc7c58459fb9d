import { DatabaseSync } from 'node:sqlite'

/** Runs statements on an SQLite database, also on tables that SQLite keeps for itself. */
export function executeSql(file: string, sql: string): void {
  using database = new DatabaseSync(file)
  database.enableDefensive(false)
  database.exec(sql)
}
