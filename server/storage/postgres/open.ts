import type { Client } from 'pg'
import { createEmployeeWriter } from '../decide.ts'
import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import { type Storage, StorageError, StorageOpenError } from '../storage.ts'
import { createAccountStorage } from './accounts.ts'
import { connect, createPool, describeDatabase } from './connect.ts'
import { claimDatabase } from './database-identity.ts'
import { createEmployeeReader } from './employees.ts'
import { throwReadError } from './errors.ts'
import { migrate, requireMatchingKey } from './migrate.ts'
import { createSessionStorage } from './sessions.ts'
import { openWriter } from './writer/writer.ts'

export interface PostgresOptions {
  /** `postgres://…`; it may hold a password, and is never shown. */
  url: string
  key?: RecordsKey
  maxWaiting?: number
}

/** Held by every process that serves the register, and by `staffbook key change` alone. */
export const serverLockId = 5_147_002

/**
 * Opens the register in a PostgreSQL database, where any number of processes may have it open. Throws `RegisterError`, or
 * `StorageError` where the database does not answer.
 */
export async function openPostgres({ url, key, maxWaiting }: PostgresOptions): Promise<Storage> {
  const encryption = createFieldEncryption(key)
  const writer = await openWriter({
    open: () => connectAndClaim(url, key),
    encryption,
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

/** An error with the name of the register, in words that never hold the password. */
export function toOpenError(url: string, error: Error & { code?: string }): StorageOpenError | StorageError {
  const register = `The register in the database ${describeDatabase(url)}`
  if (error instanceof StorageOpenError)
    return new StorageOpenError(`${register} ${error.message}.`, { cause: error })
  const problem = error.message || error.code
  return new StorageError('unavailable', `${register} cannot be opened: ${problem}.`, { cause: error })
}
