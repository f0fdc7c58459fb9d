import type { DatabaseSync } from 'node:sqlite'
import { latestVersionOf, oldestVersionOf, readMigrations } from '../migrations.ts'
import { inTransaction } from './connect.ts'

const loadMigrations = () => readMigrations(new URL('./migrations/', import.meta.url))

/** The newest schema that this program supports. */
export const latestSchemaVersion = () => latestVersionOf(loadMigrations())

/** The schema of version 1.0.0. */
export const oldestSchemaVersion = () => oldestVersionOf(loadMigrations())

/** Returns 0 for a file without a schema. */
export function readSchemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** Runs the missing migrations up to a version, each in a transaction of its own. */
export function migrate(database: DatabaseSync, upTo = latestSchemaVersion()): void {
  const currentVersion = readSchemaVersion(database)
  for (const { version, name, sql } of loadMigrations()) {
    if (version <= currentVersion || version > upTo) continue
    try {
      inTransaction(database, () => database.exec(`${sql}\nPRAGMA user_version = ${version}`))
    } catch (error) {
      const { message } = error as Error
      throw new Error(`Migration ${name} failed and was rolled back: ${message}`, { cause: error })
    }
  }
}
