import { readdirSync, readFileSync } from 'node:fs'

export interface Migration {
  version: number
  name: string
  sql: string
}

/** The numbered files of a folder, in order; the number is the schema's version after it. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({
      version: Number.parseInt(name, 10),
      name,
      sql: readFileSync(new URL(name, folder), 'utf8'),
    }))
}

/** The schema's version after all of them. */
export function latestVersionOf(migrations: Migration[]): number {
  return Math.max(...migrations.map(({ version }) => version))
}
