import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canInstall, installFromDebian } from '../../../scripts/debian.ts'

/**
 * The folder of PostgreSQL's programs: `POSTGRES_BIN`, the PATH, where Debian puts them, or what Debian installs.
 * Throws where there are none, saying what to do.
 */
export function providePostgres(): string {
  const found = findPostgres()
  if (found) return found
  if (canInstall()) installFromDebian('PostgreSQL, for its tests,', ['postgresql'])
  const installed = findPostgres()
  if (installed) return installed
  throw new Error('There is no PostgreSQL: install it, and name the folder of initdb with POSTGRES_BIN.')
}

function findPostgres(): string | undefined {
  // Who names one means it: whether it works is seen when it is used.
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN
  const onPath = (process.env.PATH ?? '').split(delimiter)
  const ofDebian = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => versionIn(b) - versionIn(a))
  return [...onPath, ...ofDebian].find((folder) =>
    ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  )
}

const versionIn = (path: string) => Number(/\d+/.exec(path)?.[0])
