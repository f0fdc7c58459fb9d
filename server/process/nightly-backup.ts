import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Log } from './logger.ts'

export interface BackupSettings {
  /** Where the backups go. */
  folder: string
  /** How many of them stay; the oldest go first. */
  keep: number
}

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const hour = 60 * 60 * 1000
const namePattern = /^staffbook-\d{4}-\d\d-\d\d\.sqlite$/
const run = promisify(execFile)

/**
 * Sees to it that there is a backup of each day (UTC) on which the server runs: the first at once, then soon after
 * midnight. It is made by a process of its own. Answers how to stop.
 */
export function keepNightlyBackups(register: string, settings: BackupSettings, log: Log): () => void {
  const look = () =>
    backUpToday(register, settings).then(
      (made) => made && log.info({ file: made }, 'backup made'),
      (error) => log.error({ err: error }, 'the backup could not be made'),
    )
  look()
  const timer = setInterval(look, hour).unref()
  return () => clearInterval(timer)
}

/** Makes the folder where it is missing. Throws where it cannot be one into which this process writes. */
export function makeBackupFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  accessSync(folder, constants.W_OK | constants.X_OK)
}

/** Answers the backup's path, or nothing where today's was there already. */
export async function backUpToday(
  register: string,
  { folder, keep }: BackupSettings,
  today = new Date(),
): Promise<string | undefined> {
  const target = join(folder, `staffbook-${today.toISOString().slice(0, 10)}.sqlite`)
  if (existsSync(target)) return
  makeBackupFolder(folder)
  await run(process.execPath, [cli, '--data', register, 'backup', target])
  const all = readdirSync(folder).filter((name) => namePattern.test(name))
  for (const old of all.sort().slice(0, -keep)) rmSync(join(folder, old))
  return target
}
