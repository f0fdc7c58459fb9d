import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import { registerBytesSql, type StoredFields, storedFieldsSql } from '../field-columns.ts'
import { findRecordProblems, keyProblemMessages } from '../integrity.ts'
import { previousFieldsSql } from '../previous-passwords.ts'
import { accountReads } from '../sql/accounts.ts'
import { changeKey } from '../sql/change-key.ts'
import type { Command } from '../sql/command.ts'
import { createSqlStorage } from '../sql/storage.ts'
import type { IntegrityReport, ReadOnlyStorage, StorageAdmin } from '../storage-admin.ts'
import { StorageOpenError } from '../types.ts'
import { requireNoServer } from './capabilities.ts'
import { connect, createPool, type DatabaseClient, describeDatabase } from './connect.ts'
import { newEpochSql } from './database-identity.ts'
import { createEmployeeReader } from './employees.ts'
import {
  checkStoredKey,
  latestSchemaVersion,
  migrate,
  readSchemaVersion,
  requireMatchingKey,
} from './migrate.ts'
import { openPostgres, toOpenError } from './open.ts'
import { createCommandRunner, runCommand } from './run-command.ts'
import { inTransaction } from './transaction.ts'
import { toBuffer } from './writer/memory-table.ts'

/** The operator's tools for a PostgreSQL database. `key` is its current key. */
export function createPostgresAdmin(url: string, key: RecordsKey | undefined): StorageAdmin {
  async function withClient<T>(work: (client: DatabaseClient) => Promise<T>): Promise<T> {
    try {
      const client = await connect(url, true)
      return await work(client).finally(() => client.end())
    } catch (error) {
      throw toOpenError(url, error as Error)
    }
  }

  return {
    async openAccounts() {
      const host = await withClient(async (client) => {
        await migrate(client, key)
        return client.url
      })
      const pool = createPool(host, true)
      return {
        ...createSqlStorage(createCommandRunner(pool), createFieldEncryption(undefined)),
        close: () => pool.end(),
      }
    },
    openReadOnly: () => openReadOnly(url, key).catch((error) => Promise.reject(toOpenError(url, error))),
    open: () => openPostgres({ url, key, isOperator: true }),
    backUp: () => throwUnsupported('must be backed up with pg_dump, also while servers run'),
    restore: () => throwUnsupported('must be restored with pg_restore; stop all servers first'),
    verifyBackup: () =>
      throwUnsupported('has backups made by pg_dump: restore one into another database and check that'),
    checkIntegrity(backup) {
      if (backup !== undefined)
        return throwUnsupported('has backups made by pg_dump, which pg_restore --list checks')
      return withClient(async (client) => ({
        file: describeDatabase(url),
        ...(await checkIntegrity(client, key)),
      }))
    },
    changeKey: (to) => withClient((client) => rekeyDatabase(client, key, to)),
  }

  function throwUnsupported(how: string): never {
    throw new StorageOpenError(`The database ${describeDatabase(url)} ${how}. See docs/operations.md.`)
  }
}

/** The transaction reads the state at its first SELECT, even if others write afterwards. */
async function openReadOnly(url: string, key: RecordsKey | undefined): Promise<ReadOnlyStorage> {
  const client = await connect(url, true)
  try {
    await requireLatestSchema(client)
    await requireMatchingKey(client, key)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return {
      employees: createEmployeeReader(client, createFieldEncryption(key)),
      accounts: { list: () => runOn(client, accountReads.list()) },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

const runOn = <T>(client: DatabaseClient, command: Command<T>) =>
  runCommand((sql, values) => client.query(sql, values), command)

async function requireLatestSchema(client: DatabaseClient) {
  const version = await readSchemaVersion(client)
  if (version === 0)
    throw new StorageOpenError('has no tables yet. Start a server with this DATABASE_URL to create them')
  if (version !== latestSchemaVersion()) {
    throw new StorageOpenError(
      `has the schema ${version}, but this program requires ${latestSchemaVersion()}. Start the server of this version once to migrate it, or use the newer version`,
    )
  }
}

async function checkIntegrity(client: DatabaseClient, key: RecordsKey | undefined): Promise<IntegrityReport> {
  await requireLatestSchema(client)
  const keyCheck = await checkStoredKey(client, key)
  const rows: StoredFields[] = (await client.query(`${storedFieldsSql} OR NOT removed`)).rows
  const previous = (await client.query(previousFieldsSql)).rows
  const counts = await client.query(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, revision,
       revision >= coalesce((SELECT max(revision) FROM books), 0)
         AND places = (SELECT count(*) FROM books) AND bytes = ${registerBytesSql} AS "inOrder" FROM register`,
  )
  const [{ accounts, revision, inOrder }] = counts.rows
  return {
    problems: [
      ...(inOrder ? [] : ['The table register does not match the latest write in books.']),
      ...(keyCheck === 'match' ? findRecordProblems(rows, previous, key) : [keyProblemMessages[keyCheck]]),
    ],
    records: rows.filter(({ removed }) => !removed).length,
    accounts,
    revision,
  }
}

/**
 * Re-encrypts every record in one transaction, then rewrites the table, so that no plain text remains in it. The new
 * epoch stops a server that was disconnected during the change and still uses the old key.
 */
async function rekeyDatabase(
  client: DatabaseClient,
  oldKey: RecordsKey | undefined,
  newKey: RecordsKey | undefined,
) {
  await requireNoServer(client)
  await migrate(client, oldKey)
  await requireMatchingKey(client, oldKey)
  const count = await inTransaction(client, async () => {
    const count = await runOn(client, changeKey(oldKey, newKey, toBuffer))
    await client.query(`UPDATE register SET epoch = ${newEpochSql}, bytes = ${registerBytesSql}`)
    return count
  })
  if (newKey) await client.query('VACUUM FULL books, "previousPasswords", register').catch(throwVacuumError)
  return count
}

function throwVacuumError(cause: Error): never {
  throw new StorageOpenError(
    `is encrypted with the new key, but the files of its tables still contain the old content: ${cause.message}. Use the new key from now on, and run VACUUM FULL books, "previousPasswords", register in the database with psql`,
    { cause },
  )
}
