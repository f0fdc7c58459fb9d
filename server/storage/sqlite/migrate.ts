import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

const folder = new URL('./migrations/', import.meta.url)

/** The numbered files of `migrations/`, in order; the number is the schema's version after it. */
export function migrations() {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({
      version: Number.parseInt(name, 10),
      name,
      sql: readFileSync(new URL(name, folder), 'utf8'),
    }))
}

/** The newest schema this program knows. */
export function newestVersion() {
  return Math.max(...migrations().map(({ version }) => version))
}

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
