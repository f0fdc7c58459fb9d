import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackages } from '../../../scripts/system-packages.ts'

/**
 * The folder of PostgreSQL's programs: `POSTGRES_BIN`, the PATH, where Debian puts them, or what Debian installs.
 * Throws where there are none, saying what to do.
 */
export function ensurePostgres(): string {
  const found = findPostgres()
  if (found) return found
  installPackages('PostgreSQL for its tests', ['postgresql'])
  const installed = findPostgres()
  if (installed) return installed
  throw new Error('There is no PostgreSQL: install it, and name the folder of initdb with POSTGRES_BIN.')
}

function findPostgres(): string | undefined {
  // Who names one means it: whether it works is seen when it is used.
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
