import type { Client } from 'pg'
import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import { createKeyCheck } from '../encryption/key-check.ts'
import { findRecordProblems, keyProblemMessages } from '../integrity.ts'
import { StorageOpenError } from '../storage.ts'
import type { IntegrityReport, ReadOnlyStorage, StorageAdmin } from '../storage-admin.ts'
import { createAccountStorage } from './accounts.ts'
import { connect, createPool, describeDatabase } from './connect.ts'
import { newEpochSql } from './database-identity.ts'
import { createEmployeeReader } from './employees.ts'
import {
  checkStoredKey,
  latestSchemaVersion,
  migrate,
  readSchemaVersion,
  requireMatchingKey,
} from './migrate.ts'
import { openPostgres, serverLockId, toOpenError } from './open.ts'
import { createSessionStorage } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { type StoredRow, toBuffer } from './writer/round.ts'

/** The operator's tools on the register in a database; `key` is the one it is sealed with. */
export function createPostgresAdmin(url: string, key: RecordsKey | undefined): StorageAdmin {
  async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      const client = await connect(url, { patient: true })
      return await work(client).finally(() => client.end())
    } catch (error) {
      throw toOpenError(url, error as Error)
    }
  }

  return {
    async openAccounts() {
      await withClient((client) => migrate(client, key))
      const pool = createPool(url)
      return {
        accounts: createAccountStorage(pool),
        sessions: createSessionStorage(pool),
        close: () => pool.end(),
      }
    },
    openReadOnly: () => openReadOnly(url, key).catch((error) => Promise.reject(toOpenError(url, error))),
    open: () => openPostgres({ url, maxWaiting: Number.POSITIVE_INFINITY, ...(key ? { key } : {}) }),
    backUp: () => throwUnsupported('is copied with pg_dump, also while servers run'),
    restore: () =>
      throwUnsupported('is restored with pg_restore; then the servers begin a new count by themselves'),
    checkIntegrity(backup) {
      if (backup !== undefined) return throwUnsupported('has its backups examined by pg_restore --list')
      return withClient(async (client) => ({
        file: describeDatabase(url),
        ...(await checkIntegrity(client, key)),
      }))
    },
    changeKey: (to) => withClient((client) => changeKey(client, key, to)),
  }

  function throwUnsupported(how: string): never {
    throw new StorageOpenError(
      `The register in the database ${describeDatabase(url)} ${how}. See docs/operations.md.`,
    )
  }
}

/** A transaction that sees the register as it was at its first reading, whatever is written meanwhile. */
async function openReadOnly(url: string, key: RecordsKey | undefined): Promise<ReadOnlyStorage> {
  const client = await connect(url, { patient: true })
  try {
    await requireLatestSchema(client)
    await requireMatchingKey(client, key)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return {
      employees: createEmployeeReader(client, createFieldEncryption(key)),
      accounts: createAccountStorage(client),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function requireLatestSchema(client: Client) {
  const version = await readSchemaVersion(client)
  if (version === 0) throw new StorageOpenError('is not there yet: no server has been started on it')
  if (version !== latestSchemaVersion()) {
    throw new StorageOpenError(`has the schema ${version}, and this program knows ${latestSchemaVersion()}`)
  }
}

const selectRecordsSql = 'SELECT seq, id, "eName", email, password FROM books WHERE "eName" IS NOT NULL'

async function checkIntegrity(client: Client, key: RecordsKey | undefined): Promise<IntegrityReport> {
  await requireLatestSchema(client)
  const keyCheck = await checkStoredKey(client, key)
  const { rows } = await client.query(selectRecordsSql)
  const counts = await client.query(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, revision,
       revision >= coalesce((SELECT max(revision) FROM books), 0)
         AND places = (SELECT count(*) FROM books) AS "inOrder" FROM register`,
  )
  const [{ accounts, revision, inOrder }] = counts.rows
  return {
    problems: [
      ...(inOrder ? [] : ['The head does not know of the latest write.']),
      ...(keyCheck === 'match' ? findRecordProblems(rows, key) : [keyProblemMessages[keyCheck]]),
    ],
    records: rows.length,
    accounts,
    revision,
  }
}

/**
 * Seals every record anew in one transaction, and then writes their table anew, so that what was readable is no longer in it.
 * The new epoch stops a server that was cut off from the database meanwhile and still has the old key.
 */
async function changeKey(client: Client, oldKey: RecordsKey | undefined, newKey: RecordsKey | undefined) {
  const lockResult = await client.query('SELECT pg_try_advisory_lock($1) AS held', [serverLockId])
  if (!lockResult.rows[0].held)
    throw new StorageOpenError('is in use by a running Staffbook. Please stop all servers first')
  await migrate(client, oldKey)
  await requireMatchingKey(client, oldKey)
  const [oldEncryption, newEncryption] = [createFieldEncryption(oldKey), createFieldEncryption(newKey)]
  const count = await inTransaction(client, async () => {
    const rows: (StoredRow & { id: string })[] = (await client.query(`${selectRecordsSql} FOR UPDATE`)).rows
    const encrypted = rows.map(({ id, ...row }) =>
      newEncryption.encrypt(id, oldEncryption.decrypt(id, row)).map(toBuffer),
    )
    await client.query(
      `UPDATE books SET "eName" = sealed.n, email = sealed.e, password = sealed.p
       FROM unnest ($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]) AS sealed (seq, n, e, p)
       WHERE books.seq = sealed.seq`,
      [rows.map(({ seq }) => seq), ...[0, 1, 2].map((column) => encrypted.map((fields) => fields[column]))],
    )
    await client.query(`UPDATE register SET "keyProof" = $1, epoch = ${newEpochSql}`, [
      createKeyCheck(newKey),
    ])
    return rows.length
  })
  if (newKey) await client.query('VACUUM FULL books').catch(throwVacuumError)
  return count
}

function throwVacuumError(cause: Error): never {
  throw new StorageOpenError(
    `is sealed with the new key, but what was readable before is still in the file of its table: ${cause.message}. Please run VACUUM FULL books in it, with psql, and use the new key from now on`,
    { cause },
  )
}
