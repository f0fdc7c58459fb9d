import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { othersAccess, othersWrites, restrictAccess, restrictFolder } from '../storage/files.ts'
import type { EmployeeStorage } from '../storage/storage.ts'

export interface BackupSettings {
  folder: string
  /** Number of backups to retain, one per day. Older ones are deleted. */
  maxBackups: number
}

export interface BackupStatus {
  ageSeconds: number | null
  failed: boolean
}

const cliPath = fileURLToPath(new URL('../cli.ts', import.meta.url))
const checkIntervalMs = 10 * 60 * 1000
/** Backups of SQLite, and those of PostgreSQL by deploy/postgres/backup.sh. */
const backupNamePattern = /^staffbook-\d{4}-\d\d-\d\d\.(sqlite|dump)$/
/** Sorts after all backups until this day. A wrong clock may have made later ones. */
const nameOf = (day: Date) => `staffbook-${day.toISOString().slice(0, 10)}.sqlite`
const unfinishedNamePattern = /^staffbook-\d{4}-\d\d-\d\d\.sqlite\.(\d+\.)?part(-|$)/
/** The file by which backup.sh says that the latest attempt failed. */
const failureFile = 'backup-failed'

const execFileAsync = promisify(execFile)

/**
 * Creates one backup per UTC day while the server runs, within ten minutes after the day, or the register, has begun. A child
 * process does the work, and ends with this one. Without `dataDir`, others create the backups: those of PostgreSQL. Returns a
 * function that reads the status.
 */
export function startDailyBackups(
  dataDir: string | undefined,
  settings: BackupSettings,
  employees: Pick<EmployeeStorage, 'head'>,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
): () => Promise<BackupStatus> {
  let isRunning = false
  let failed = false
  const runBackup = async (dataDir: string) => {
    if (isRunning) return
    isRunning = true
    try {
      ensureBackupFolder(settings.folder)
      const isNew = findBackups(settings.folder).length === 0 && (await employees.head()).revision === 0
      const file = isNew ? undefined : await createTodaysBackup(dataDir, settings)
      if (file) log.info({ file }, 'backup created')
      failed = false
    } catch (error) {
      failed = true
      log.error({ err: error }, 'backup failed')
    }
    isRunning = false
  }
  if (dataDir !== undefined) {
    runBackup(dataDir)
    setInterval(runBackup, checkIntervalMs, dataDir).unref()
  }
  return () => readBackupStatus(settings.folder, failed)
}

/** A folder that cannot be read has no backup that could be restored. */
async function readBackupStatus(folder: string, failed: boolean): Promise<BackupStatus> {
  try {
    const names = await readdir(folder)
    const latest = names
      .filter((name) => backupNamePattern.test(name) && name <= nameOf(new Date()))
      .sort()
      .at(-1)
    const ageMs = latest === undefined ? null : Date.now() - (await stat(join(folder, latest))).mtimeMs
    return { ageSeconds: ageMs && Math.round(ageMs / 1000), failed: failed || names.includes(failureFile) }
  } catch {
    return { ageSeconds: null, failed: true }
  }
}

/**
 * Creates the folder if it does not exist. Takes from others the right to write to it, and to read the backups. Throws if
 * this process cannot write to it.
 */
export function ensureBackupFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  accessSync(folder, constants.W_OK | constants.X_OK)
  restrictFolder(
    folder,
    othersWrites,
    (name) => backupNamePattern.test(name) || unfinishedNamePattern.test(name) || name === failureFile,
  )
  for (const name of findBackups(folder)) restrictAccess(join(folder, name), othersAccess)
}

/** The oldest first. */
export const findBackups = (folder: string) =>
  readdirSync(folder)
    .filter((name) => backupNamePattern.test(name))
    .sort()

/** Returns the path of the new backup, or undefined if today's already exists. */
export async function createTodaysBackup(
  dataDir: string,
  { folder, maxBackups }: BackupSettings,
  today = new Date(),
): Promise<string | undefined> {
  const target = join(folder, nameOf(today))
  if (existsSync(target)) return
  ensureBackupFolder(folder)
  await runInChild(folder, ['--data', dataDir, 'backup', target])
  const untilToday = findBackups(folder).filter((name) => name <= nameOf(today))
  for (const old of untilToday.slice(0, -maxBackups)) rmSync(join(folder, old))
  return target
}

/** A child that is killed leaves its unfinished file behind, and so did the child of a server that was killed. */
async function runInChild(folder: string, args: string[]): Promise<void> {
  const removeUnfinished = () => {
    const unfinished = readdirSync(folder).filter((name) => unfinishedNamePattern.test(name))
    for (const name of unfinished) rmSync(join(folder, name), { force: true })
  }
  removeUnfinished()
  const running = execFileAsync(process.execPath, [cliPath, ...args])
  const abort = () => {
    running.child.kill('SIGKILL')
    removeUnfinished()
  }
  process.once('exit', abort)
  await running.finally(() => process.off('exit', abort))
}
