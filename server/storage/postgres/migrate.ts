import type { ClientBase } from 'pg'
import { createFieldEncryption, type RecordsKey } from '../encryption/field-encryption.ts'
import {
  createKeyCheck,
  type KeyCheckResult,
  keyErrorMessages,
  verifyKeyCheck,
} from '../encryption/key-check.ts'
import { createPasswordKey } from '../encryption/password-digests.ts'
import { describePreRelease, latestVersionOf, oldestVersionOf, readMigrations } from '../migrations.ts'
import { StorageOpenError } from '../types.ts'
import type { DatabaseClient } from './connect.ts'
import { inTransaction } from './transaction.ts'

const loadMigrations = () => readMigrations(new URL('./migrations/', import.meta.url))

/** The newest schema that this program supports. */
export const latestSchemaVersion = () => latestVersionOf(loadMigrations())

/** The schema of version 1.0.0. */
export const oldestSchemaVersion = () => oldestVersionOf(loadMigrations())

/** An arbitrary number, not used by another program in the same database. */
const migrationLockId = 5_147_001

/**
 * Creates the tables if there are none and runs the missing migrations, in one transaction and under a lock against
 * other processes. `key` is used for a new database only. Throws `StorageOpenError` if the schema is newer than this
 * program, or older than version 1.0.0.
 */
export function migrate(client: DatabaseClient, key: RecordsKey | undefined): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLockId])
    const currentVersion = await readSchemaVersion(client)
    const latestVersion = latestSchemaVersion()
    if (currentVersion > latestVersion) {
      throw new StorageOpenError(
        `was written by a newer Staffbook (schema ${currentVersion}; this one supports up to ${latestVersion}). Start that version. Nothing was changed`,
      )
    }
    if (currentVersion > 0 && currentVersion < oldestSchemaVersion())
      throw new StorageOpenError(describePreRelease(currentVersion))
    if (currentVersion === 0) {
      await requireUtf8(client)
      await client.query('CREATE TABLE staffbook_schema (version integer PRIMARY KEY)')
    }
    for (const { version, sql } of loadMigrations().filter(({ version }) => version > currentVersion)) {
      await client.query(sql)
      await client.query('INSERT INTO staffbook_schema (version) VALUES ($1)', [version])
    }
    if (currentVersion === 0) await client.query('UPDATE register SET "keyProof" = $1', [createKeyCheck(key)])
  })
}

async function requireUtf8(client: ClientBase) {
  const { rows } = await client.query("SELECT current_setting('server_encoding') AS encoding")
  if (rows[0].encoding === 'UTF8') return
  throw new StorageOpenError(
    `has the encoding ${rows[0].encoding}. Create one with ENCODING 'UTF8' TEMPLATE template0`,
  )
}

/** Returns 0 for a database without our tables. */
export async function readSchemaVersion(client: ClientBase): Promise<number> {
  const found = await client.query("SELECT to_regclass('staffbook_schema') IS NOT NULL AS there")
  if (!found.rows[0].there) return 0
  const { rows } = await client.query('SELECT max(version) AS version FROM staffbook_schema')
  return rows[0].version
}

export async function checkStoredKey(
  client: ClientBase,
  key: RecordsKey | undefined,
): Promise<KeyCheckResult> {
  const { rows } = await client.query('SELECT "keyProof" FROM register')
  return verifyKeyCheck(rows[0].keyProof, key)
}

/** Checks the key as `requireMatchingKey` does, and creates the key of the digests of passwords if there is none yet. */
export async function prepareKeys(client: ClientBase, key: RecordsKey | undefined): Promise<void> {
  await requireMatchingKey(client, key)
  const passwordKey = Buffer.from(createPasswordKey(createFieldEncryption(key)) as string)
  await client.query('UPDATE register SET "passwordKey" = $1 WHERE "passwordKey" IS NULL', [passwordKey])
}

/** Throws `StorageOpenError` if the records are not encrypted with this key, or are encrypted and there is none. */
export async function requireMatchingKey(client: ClientBase, key: RecordsKey | undefined): Promise<void> {
  const keyCheck = await checkStoredKey(client, key)
  if (keyCheck !== 'match') throw new StorageOpenError(`${keyErrorMessages[keyCheck]}. Nothing was changed`)
}
