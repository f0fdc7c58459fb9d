import type { DatabaseSync } from 'node:sqlite'
import { latestVersionOf, readMigrations } from '../migrations.ts'

const loadMigrations = () => readMigrations(new URL('./migrations/', import.meta.url))

/** The newest schema this program knows. */
export const latestSchemaVersion = () => latestVersionOf(loadMigrations())

/** The schema's version in the file; 0 is a file without a schema. */
export function readSchemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** Brings the schema up to date; each migration is one transaction and happens whole or not at all. */
export function migrate(database: DatabaseSync): void {
  const currentVersion = readSchemaVersion(database)
  for (const { version, name, sql } of loadMigrations()) {
    if (version <= currentVersion) continue
    try {
      database.exec(`BEGIN IMMEDIATE;\n${sql}\nPRAGMA user_version = ${version};\nCOMMIT`)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw new Error(`Migration ${name} failed; the data is as it was before.`, { cause: error })
    }
  }
}
