import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { OperatorError } from './app-error.ts'
import { type Config, readConfig } from './config.ts'
import { startDailyBackups } from './process/daily-backups.ts'
import { exitCodes, manageLifecycle } from './process/lifecycle.ts'
import {
  createLogger,
  describeNewDatabase,
  describeStart,
  findStartWarnings,
  toOpenable,
} from './start-messages.ts'
import { databaseFile } from './storage/sqlite/data-dir.ts'
import { openSqlite } from './storage/sqlite/open.ts'
import { requireSupportedNode } from './storage/sqlite/require-node.ts'
import { type Storage, StorageError } from './storage/storage.ts'

async function main() {
  // Files are readable by their owner only, even in a folder that others can read.
  process.umask(0o077)
  requireSupportedNode()
  // The log may be on a disk that is full, or have lost its reader.
  process.stderr.on('error', () => {})
  const config = readConfig(process.env)
  const logger = createLogger(config.logLevel)
  const isNew = config.databaseUrl === undefined && !existsSync(databaseFile(config.dataDir))
  const storage = await openStorage(config, (warning) => logger.warn(warning))
  const pageDir = fileURLToPath(new URL('../dist', import.meta.url))
  const { signUp, trustProxy, localOnly, publicUrl, sso, sessionDays, retention, backups } = config
  const { dataDir, databaseUrl } = config
  // Imported on demand: without METRICS nothing is counted.
  const metrics = config.metrics && (await import('./metrics/metrics.ts')).createMetrics()
  const ownDataDir = databaseUrl === undefined ? dataDir : undefined
  const readBackupStatus = backups && startDailyBackups(ownDataDir, backups, storage.employees, logger)
  const settings = { signUp, trustProxy, localOnly, publicUrl, sso, sessionDays, retention }
  const app = await createApp({ storage, pageDir, ...settings, logger, metrics, readBackupStatus })

  manageLifecycle(app, storage)
  if (config.metrics && metrics) app.log.info(`Metrics are at ${await metrics.serve(config.metrics)}`)
  const address = await app.listen({ port: config.port, host: config.host })
  console.log(`Staffbook is at ${toOpenable(address)}`)
  if (process.stderr.isTTY) console.log(describeStart(config))
  if (isNew) logger.info(describeNewDatabase(config.dataDir))
  for (const warning of findStartWarnings(config)) app.log.warn(warning)
  // Node writes the compile cache only on a clean exit, so a server that is always killed would never create it.
  flushCompileCache()
  // Returns the memory used during startup to the system; V8 would not release it.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function openStorage(
  { dataDir, databaseUrl, recordsKey, durability, retention, maxBytes }: Config,
  onWarning: (message: string) => void,
): Promise<Storage> {
  const options = { keepDeleted: retention.deletedDays > 0, maxBytes, key: recordsKey }
  if (databaseUrl === undefined) return openSqlite({ dataDir, onWarning, ...options })
  // Imported on demand: SQLite needs no PostgreSQL driver.
  const { openPostgres } = await import('./storage/postgres/open.ts')
  return openPostgres({ url: databaseUrl, durability, onWarning, ...options })
}

/** Returns the message of errors that the operator can fix, with a hint, and the stack of all others. */
function describeError(error: unknown): string {
  if (error instanceof OperatorError || error instanceof StorageError) return error.message
  const { code, message, stack, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `${message}. Another program uses this port: stop it, or choose another port, such as PORT=3001.`
  // EAFNOSUPPORT where IPv6 is off, EINVAL for a link-local address without its interface.
  if (syscall === 'listen') return `${message}. Please choose another PORT or HOST.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${message}. Please choose another HOST that is an address of this machine.`
  return stack ?? message
}

main().catch((error) => {
  process.stderr.write(`staffbook: ${describeError(error)}\n`)
  process.exit(exitCodes.startFailed)
})
