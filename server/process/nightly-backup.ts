import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Logger } from './logger.ts'

export interface BackupSettings {
  /** Where the backups go. */
  folder: string
  /** How many of them stay; the oldest go first. */
  keepCount: number
}

const cliPath = fileURLToPath(new URL('../cli.ts', import.meta.url))
const checkIntervalMs = 60 * 60 * 1000
const backupNamePattern = /^staffbook-\d{4}-\d\d-\d\d\.sqlite$/
const execFileAsync = promisify(execFile)

/**
 * Sees to it that there is a backup of each day (UTC) on which the server runs: the first at once, then soon after
 * midnight. It is made by a process of its own. Answers how to stop.
 */
export function startNightlyBackups(dataDir: string, settings: BackupSettings, log: Logger): () => void {
  const runBackup = () =>
    createTodaysBackup(dataDir, settings).then(
      (createdFile) => createdFile && log.info({ file: createdFile }, 'backup made'),
      (error) => log.error({ err: error }, 'the backup could not be made'),
    )
  runBackup()
  const timer = setInterval(runBackup, checkIntervalMs).unref()
  return () => clearInterval(timer)
}

/** Makes the folder where it is missing. Throws where it cannot be one into which this process writes. */
export function ensureBackupFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  accessSync(folder, constants.W_OK | constants.X_OK)
}

/** Answers the backup's path, or nothing where today's was there already. */
export async function createTodaysBackup(
  dataDir: string,
  { folder, keepCount }: BackupSettings,
  today = new Date(),
): Promise<string | undefined> {
  const target = join(folder, `staffbook-${today.toISOString().slice(0, 10)}.sqlite`)
  if (existsSync(target)) return
  ensureBackupFolder(folder)
  await execFileAsync(process.execPath, [cliPath, '--data', dataDir, 'backup', target])
  const backupNames = readdirSync(folder).filter((name) => backupNamePattern.test(name))
  for (const old of backupNames.sort().slice(0, -keepCount)) rmSync(join(folder, old))
  return target
}
