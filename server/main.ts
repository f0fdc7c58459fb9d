import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { exitCodes } from './process/exit-codes.ts'
import { manageLifecycle } from './process/lifecycle.ts'
import { createLogger } from './process/logger.ts'
import { startNightlyBackups } from './process/nightly-backup.ts'
import { requireSupportedNode, UnsupportedNodeError } from './storage/sqlite/engine.ts'
import { openSqlite } from './storage/sqlite/open.ts'
import { type Storage, StorageError, StorageOpenError } from './storage/storage.ts'

const unverifiedDomainWarning =
  'SIGN_UP=domain:… keeps nobody out: no mail is sent, so anyone can sign up with an invented address of that domain and read every record. Where strangers can reach this server, use SIGN_UP=closed.'

async function main() {
  // What is written from here on is its owner's alone, also in a folder that others may look into.
  process.umask(0o077)
  requireSupportedNode()
  const config = readConfig(process.env)
  const storage = await openStorage(config)
  const pageDir = fileURLToPath(new URL('../dist', import.meta.url))
  const log = createLogger(config.logLevel, process.stderr)
  const { signUp, trustProxy, localOnly } = config
  const app = await createApp({ storage, pageDir, signUp, trustProxy, localOnly, log })

  manageLifecycle(app, storage, log)
  if (signUp.mode === 'domain') log.warn(unverifiedDomainWarning)
  if (config.backups) startNightlyBackups(config.dataDir, config.backups, log)
  console.log(`Staffbook is at ${await app.listen({ port: config.port, host: config.host })}`)
  // Otherwise it is written when the process ends well, and a server that is always killed would compile at every start.
  flushCompileCache()
  // What the start left behind goes back to the system at once; V8 alone would keep it for later.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function openStorage({ dataDir, databaseUrl, recordsKey }: Config): Promise<Storage> {
  const encryption = recordsKey ? { key: recordsKey } : {}
  if (databaseUrl === undefined) return openSqlite({ dataDir, ...encryption })
  // Loaded only here: who has no database need not wait for its driver.
  const { openPostgres } = await import('./storage/postgres/open.ts')
  return openPostgres({ url: databaseUrl, ...encryption })
}

/** What a person can do something about is said plainly; anything else keeps its stack. */
function describeError(error: unknown): string {
  const expectedErrors = [ConfigError, UnsupportedNodeError, StorageOpenError, StorageError]
  if (expectedErrors.some((type) => error instanceof type)) return (error as Error).message
  const { code, message, stack } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `${message}. Another program uses this port: stop it, or choose another with PORT=3001.`
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return `${message}. Please choose another PORT or HOST.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${message}. Please choose another HOST: an address of this machine.`
  return stack ?? message
}

main().catch((error) => {
  process.stderr.write(`staffbook: ${describeError(error)}\n`)
  process.exit(exitCodes.startFailed)
})
