import type { DurabilityOptions } from '../database-settings.ts'
import { createEmployeeWriter } from '../decide.ts'
import { createFieldEncryption } from '../encryption/field-encryption.ts'
import { accountWrites } from '../sql/accounts.ts'
import { findSessions } from '../sql/sessions.ts'
import { createSqlStorage } from '../sql/storage.ts'
import {
  type AccountStorage,
  type Storage,
  StorageError,
  StorageOpenError,
  type StorageOptions,
} from '../storage.ts'
import { checkDurability, prepareServerSession } from './capabilities.ts'
import { connect, createPool, type DatabaseClient, describeDatabase, type Pool, withinMs } from './connect.ts'
import { claimDatabase, type KnownDatabase } from './database-identity.ts'
import { createEmployeeReader } from './employees.ts'
import { ignoreError, throwReadError } from './errors.ts'
import { migrate, prepareKeys } from './migrate.ts'
import { batchQueries, createCommandRunner, runCommand } from './run-command.ts'
import { inPooledTransaction } from './transaction.ts'
import { type OpenedConnection, openWriter } from './writer/writer.ts'

export interface PostgresOptions extends StorageOptions {
  /** `postgres://…`. May contain a password: do not log it. */
  url: string
  durability?: DurabilityOptions
  /** Called once per message. */
  onWarning?: (message: string) => void
}

const pingTimeoutMs = 2000
const catchUpTimeoutMs = 4000

/**
 * Any number of processes may open the same database. Throws `StorageOpenError`, or `StorageError` if the database does
 * not respond.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { url, key, isOperator = false, keepDeleted = true, maxBytes = Number.POSITIVE_INFINITY } = options
  const encryption = createFieldEncryption(key)
  const pool = createPool(url, isOperator)
  const sessionListeners: (() => void)[] = []
  const writer = await openWriter({
    open: createOpen(options, pool),
    onNotification(payload) {
      if (payload === 'sessions') for (const listener of sessionListeners) listener()
    },
    encryption,
    keepDeleted,
    maxBytes,
    isOperator,
    maxWaiting: isOperator ? Number.POSITIVE_INFINITY : (options.maxWaiting ?? 10_000),
  })
  // The first read would report without the reason that there is no second connection.
  await pool.query('SELECT 1').catch(async (error) => {
    await writer.close()
    await pool.end()
    throw toOpenError(url, error)
  })
  const runner = createCommandRunner(pool)
  const { accounts, sessions, links, passkeys, identities, history } = createSqlStorage(runner, encryption)
  /** Tells other servers that sessions have ended. They find it out by themselves within a second. */
  const announceEnd =
    <A extends unknown[], R>(end: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const result = await end(...args)
      await pool.query("SELECT pg_notify('staffbook', 'sessions')").catch(ignoreError)
      return result
    }
  return {
    employees: {
      ...createEmployeeReader(pool, encryption),
      ...createEmployeeWriter(writer.send),
      subscribe: writer.subscribe,
      size: writer.size,
      catchUp: (revision) => withinMs(catchUpTimeoutMs, writer.catchUp(revision)).catch(throwReadError),
    },
    accounts: {
      ...accounts,
      add: createAddAccount(pool),
      replacePassword: announceEnd(accounts.replacePassword),
      remove: announceEnd(accounts.remove),
      removeColleague: announceEnd(accounts.removeColleague),
    },
    sessions: {
      ...sessions,
      isShared: true,
      find: batchQueries(async (hashes: string[]) => {
        const found = await runner.read(findSessions(hashes))
        const byHash = new Map(found.map((each) => [each.session.hash, each]))
        return (hash) => byHash.get(hash)
      }),
      end: announceEnd(sessions.end),
      endAll: announceEnd(sessions.endAll),
    },
    links,
    passkeys,
    identities: { ...identities, signIn: announceEnd(identities.signIn) },
    history: {
      ...history,
      wipeDeleted: (removedUntil) =>
        history.wipeDeleted(removedUntil).finally(() => writer.forgetDeletedBytes()),
    },
    onSessionsEnded: (listener) => void sessionListeners.push(listener),
    failed: writer.failed,
    async ping() {
      writer.requireWorking()
      await withinMs(pingTimeoutMs, pool.query('SELECT 1')).catch(throwReadError)
    },
    async close() {
      await writer.close()
      await pool.end()
    },
  }
}

/** Returns a function that adds all accounts of one turn of the event loop in one transaction, as an import does. */
function createAddAccount(pool: Pool): AccountStorage['add'] {
  type Request = Parameters<AccountStorage['add']>
  const addInBatch = batchQueries((requests: Request[]) =>
    inPooledTransaction(pool, async (query) => {
      const added = new Map<Request, boolean>()
      for (const request of requests)
        added.set(request, await runCommand(query, accountWrites.add(...request)))
      return (request: Request) => added.get(request) === true
    }),
  )
  return (...request) => addInBatch(request)
}

/** Returns a function that opens the writer's connection, and reopens it with what the process knows of the database. */
function createOpen({ url, key, isOperator = false, ...options }: PostgresOptions, pool: Pool) {
  const warned = new Set<string>()

  async function open(known?: KnownDatabase): Promise<OpenedConnection> {
    let client: DatabaseClient | undefined
    try {
      client = await connect(url, isOperator)
      const opened = await prepare(client, known)
      pool.moveTo(client.url)
      return opened
    } catch (error) {
      await client?.end()
      throw toOpenError(url, error as Error)
    }
  }

  async function prepare(client: DatabaseClient, known: KnownDatabase | undefined) {
    const { hasSynchronousStandby = false, ...durability } = options.durability ?? {}
    // After a failover the new primary may have no standby of its own yet.
    const isPromised = hasSynchronousStandby && known === undefined
    const warnings = await checkDurability(client, { ...durability, hasSynchronousStandby: isPromised })
    await prepareServerSession(client)
    await migrate(client, key)
    const check = () => prepareKeys(client, key)
    const { warnings: more, ...claimed } = await claimDatabase(client, known, hasSynchronousStandby, check)
    for (const warning of new Set([...warnings, ...more]).difference(warned)) {
      warned.add(warning)
      options.onWarning?.(warning)
    }
    return { client, ...claimed }
  }

  return open
}

/** Puts host, port and name of the database before the message, never the password. */
export function toOpenError(url: string, error: Error & { code?: string }): StorageOpenError | StorageError {
  const database = `The database ${describeDatabase(url)}`
  if (error instanceof StorageOpenError)
    return new StorageOpenError(`${database} ${error.message}.`, { cause: error })
  const hint = untrustedCertificateCodes.includes(error.code ?? '') ? certificateHint : ''
  const problem = (hint ? error.message.split(';')[0] : error.message) || error.code
  return new StorageError('unavailable', `${database} cannot be opened: ${problem}.${hint}`, { cause: error })
}

const untrustedCertificateCodes = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]
const certificateHint =
  " Add sslrootcert=/path/to/ca.pem, the certificate authority of the database's provider, to DATABASE_URL."
