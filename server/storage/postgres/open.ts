import type { Client } from 'pg'
import { createEmployeeWriter } from '../decide.ts'
import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import { type Storage, StorageError, StorageOpenError } from '../storage.ts'
import { createAccountStorage } from './accounts.ts'
import { connect, createPool, describeDatabase } from './connect.ts'
import { claimDatabase } from './database-identity.ts'
import { createEmployeeReader } from './employees.ts'
import { throwReadError } from './errors.ts'
import { createHistoryStorage } from './history.ts'
import { createLinkStorage } from './links.ts'
import { migrate, requireMatchingKey } from './migrate.ts'
import { createSessionStorage } from './sessions.ts'
import { openWriter } from './writer/writer.ts'

export interface PostgresOptions {
  /** `postgres://…`. May contain a password: do not log it. */
  url: string
  key?: RecordsKey
  maxWaiting?: number
  /** Keeps the fields of removed records, so that they can be restored. Default: true. */
  keepDeleted?: boolean
}

/** Advisory lock: shared by every server process, exclusive for `staffbook key change`. */
export const serverLockId = 5_147_002

/**
 * Any number of processes may open the same database. Throws `StorageOpenError`, or `StorageError` if the database does
 * not respond.
 */
export async function openPostgres({
  url,
  key,
  maxWaiting,
  keepDeleted = true,
}: PostgresOptions): Promise<Storage> {
  const encryption = createFieldEncryption(key)
  const writer = await openWriter({
    open: () => connectAndClaim(url, key),
    encryption,
    keepDeleted,
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
  })
  const pool = createPool(url)
  return {
    employees: {
      ...createEmployeeReader(pool, encryption),
      ...createEmployeeWriter(writer.send),
      subscribe: writer.subscribe,
    },
    accounts: createAccountStorage(pool),
    sessions: createSessionStorage(pool),
    links: createLinkStorage(pool),
    history: createHistoryStorage(pool, encryption),
    failed: writer.failed,
    async ping() {
      writer.requireUpToDate()
      await pool.query('SELECT 1').catch(throwReadError)
    },
    async close() {
      await writer.close()
      await pool.end()
    },
  }
}

async function connectAndClaim(url: string, key: RecordsKey | undefined) {
  let client: Client | undefined
  try {
    client = await connect(url)
    await client.query('SELECT pg_advisory_lock_shared($1)', [serverLockId])
    await migrate(client, key)
    await requireMatchingKey(client, key)
    const claimed = await claimDatabase(client)
    await client.query('LISTEN staffbook')
    return { client, ...claimed }
  } catch (error) {
    await client?.end()
    throw toOpenError(url, error as Error)
  }
}

/** Puts host, port and name of the database before the message, never the password. */
export function toOpenError(url: string, error: Error & { code?: string }): StorageOpenError | StorageError {
  const database = `The database ${describeDatabase(url)}`
  if (error instanceof StorageOpenError)
    return new StorageOpenError(`${database} ${error.message}.`, { cause: error })
  const problem = error.message || error.code
  return new StorageError('unavailable', `${database} cannot be opened: ${problem}.`, { cause: error })
}
