import { readdirSync, readFileSync } from 'node:fs'

export interface Migration {
  /** The schema's version after this migration. */
  version: number
  name: string
  sql: string
}

/** Reads the `.sql` files of a folder in order of their names, which begin with the version. */
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

export function latestVersionOf(migrations: Migration[]): number {
  return Math.max(...migrations.map(({ version }) => version))
}
