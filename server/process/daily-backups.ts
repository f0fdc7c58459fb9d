import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { othersAccess, othersWrites, restrictAccess } from '../storage/files.ts'

export interface BackupSettings {
  folder: string
  /** Number of backups to retain, one per day. Older ones are deleted. */
  maxBackups: number
}

const cliPath = fileURLToPath(new URL('../cli.ts', import.meta.url))
const checkIntervalMs = 60 * 60 * 1000
const backupNamePattern = /^staffbook-\d{4}-\d\d-\d\d\.sqlite$/
const execFileAsync = promisify(execFile)

/**
 * Creates one backup per UTC day while the server runs: the first immediately, later ones within an hour after midnight. A
 * child process does the work. Returns a function that stops the schedule.
 */
export function startDailyBackups(
  dataDir: string,
  settings: BackupSettings,
  log: FastifyBaseLogger,
): () => void {
  const runBackup = () =>
    createTodaysBackup(dataDir, settings).then(
      (createdFile) => createdFile && log.info({ file: createdFile }, 'backup created'),
      (error) => log.error({ err: error }, 'backup failed'),
    )
  runBackup()
  const timer = setInterval(runBackup, checkIntervalMs).unref()
  return () => clearInterval(timer)
}

/**
 * Creates the folder if it does not exist. Takes from others the right to write to it, and to read the backups. Throws if
 * this process cannot write to it.
 */
export function ensureBackupFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  accessSync(folder, constants.W_OK | constants.X_OK)
  restrictAccess(folder, othersWrites)
  for (const name of findBackups(folder)) restrictAccess(join(folder, name), othersAccess)
}

const findBackups = (folder: string) => readdirSync(folder).filter((name) => backupNamePattern.test(name))

/** Returns the path of the new backup, or undefined if today's already exists. */
export async function createTodaysBackup(
  dataDir: string,
  { folder, maxBackups }: BackupSettings,
  today = new Date(),
): Promise<string | undefined> {
  const target = join(folder, `staffbook-${today.toISOString().slice(0, 10)}.sqlite`)
  if (existsSync(target)) return
  ensureBackupFolder(folder)
  await execFileAsync(process.execPath, [cliPath, '--data', dataDir, 'backup', target])
  for (const old of findBackups(folder).sort().slice(0, -maxBackups)) rmSync(join(folder, old))
  return target
}
