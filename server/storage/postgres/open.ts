import type { Client } from 'pg'
import { type RecordsKey, sealingWith } from '../encryption/field-encryption.ts'
import { RegisterError, type Storage, StorageError } from '../storage.ts'
import { accountsOn } from './accounts.ts'
import { connect, createPool, nameOf } from './connect.ts'
import { settle } from './database-identity.ts'
import { readBooks, writeBooks } from './employees.ts'
import { asRead } from './errors.ts'
import { checkKey, migrate } from './migrate.ts'
import { sessionsOn } from './sessions.ts'
import { openLine } from './writer/connection.ts'

export interface PostgresOptions {
  /** `postgres://…`; it may hold a password, and is never shown. */
  url: string
  key?: RecordsKey
  maxWaiting?: number
}

/** Held by every process that serves the register, and by `staffbook key change` alone. */
export const serving = 5_147_002

/**
 * Opens the register in a PostgreSQL database, where any number of processes may have it open. Throws `RegisterError`, or
 * `StorageError` where the database does not answer.
 */
export async function openPostgres({ url, key, maxWaiting }: PostgresOptions): Promise<Storage> {
  const sealing = sealingWith(key)
  const line = await openLine({
    open: () => openRegister(url, key),
    sealing,
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
  })
  const pool = createPool(url)
  return {
    books: { ...readBooks(pool, sealing), ...writeBooks(line) },
    accounts: accountsOn(pool),
    sessions: sessionsOn(pool),
    failed: line.failed,
    async ping() {
      line.requireUpToDate()
      await pool.query('SELECT 1').catch(asRead)
    },
    async close() {
      await line.close()
      await pool.end()
    },
  }
}

async function openRegister(url: string, key: RecordsKey | undefined) {
  let client: Client | undefined
  try {
    client = await connect(url)
    await client.query('SELECT pg_advisory_lock_shared($1)', [serving])
    await migrate(client, key)
    await checkKey(client, key)
    const found = await settle(client)
    await client.query('LISTEN staffbook')
    return { client, ...found }
  } catch (error) {
    await client?.end()
    throw named(url, error as Error)
  }
}

/** An error with the name of the register, in words that never hold the password. */
export function named(url: string, error: Error & { code?: string }): RegisterError | StorageError {
  const register = `The register in the database ${nameOf(url)}`
  if (error instanceof RegisterError)
    return new RegisterError(`${register} ${error.message}.`, { cause: error })
  const problem = error.message || error.code
  return new StorageError('unavailable', `${register} cannot be opened: ${problem}.`, { cause: error })
}
