import type { DatabaseSync } from 'node:sqlite'
import { newestOf, readMigrations } from '../migrations.ts'

const migrations = () => readMigrations(new URL('./migrations/', import.meta.url))

/** The newest schema this program knows. */
export const newestVersion = () => newestOf(migrations())

/** The schema's version in the file; 0 is a file without a schema. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** Brings the schema up to date; each migration is one transaction and happens whole or not at all. */
export function migrate(database: DatabaseSync): void {
  const from = versionOf(database)
  for (const { version, name, sql } of migrations()) {
    if (version <= from) continue
    try {
      database.exec(`BEGIN IMMEDIATE;\n${sql}\nPRAGMA user_version = ${version};\nCOMMIT`)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw new Error(`Migration ${name} failed; the data is as it was before.`, { cause: error })
    }
  }
}
