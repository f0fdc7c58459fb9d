import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackages } from '../../../scripts/system-packages.ts'

/**
 * Returns the folder of PostgreSQL's programs, from `POSTGRES_BIN`, the PATH or Debian's folder; installs the Debian
 * package if that is possible. Throws if there is none.
 */
export function ensurePostgres(): string {
  const found = findPostgres()
  if (found) return found
  installPackages('PostgreSQL for its tests', ['postgresql'])
  const installed = findPostgres()
  if (installed) return installed
  throw new Error(
    'PostgreSQL was not found. Install it, and set POSTGRES_BIN to the folder that contains initdb.',
  )
}

function findPostgres(): string | undefined {
  // Not checked: if it is wrong, the error should name it.
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN
  const pathFolders = (process.env.PATH ?? '').split(delimiter)
  const debianFolders = globSync('/usr/lib/postgresql/*/bin').sort(
    (a, b) => parseVersion(b) - parseVersion(a),
  )
  return [...pathFolders, ...debianFolders].find((folder) =>
    ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  )
}

const parseVersion = (path: string) => Number(/\d+/.exec(path)?.[0])
