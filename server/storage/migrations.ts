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

/** What a database of an earlier schema is told after its name. Nobody has one but who ran a commit before 1.0.0. */
export const describePreRelease = (version: number) =>
  `was written by a Staffbook before version 1.0.0 (schema ${version}). Start version 1.1.0 once, which upgrades it, then this one. Nothing was changed`

export const oldestVersionOf = (migrations: Migration[]): number => migrations[0]?.version ?? 0

export function latestVersionOf(migrations: Migration[]): number {
  return Math.max(...migrations.map(({ version }) => version))
}
