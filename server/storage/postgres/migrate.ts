import type { ClientBase } from 'pg'
import type { RecordsKey } from '../encryption/field-encryption.ts'
import {
  createKeyCheck,
  type KeyCheckResult,
  keyErrorMessages,
  verifyKeyCheck,
} from '../encryption/key-check.ts'
import { latestVersionOf, readMigrations } from '../migrations.ts'
import { StorageOpenError } from '../storage.ts'
import { inTransaction } from './transaction.ts'

const loadMigrations = () => readMigrations(new URL('./migrations/', import.meta.url))

/** The newest schema this program knows. */
export const latestSchemaVersion = () => latestVersionOf(loadMigrations())

/** Any number that no other program takes for an advisory lock in this database. */
const migrationLockId = 5_147_001

/**
 * Makes the register where there is none, sealed with the key, and brings its schema up to date, whole or not at all;
 * processes that start together do it one after the other. Throws `RegisterError` where a newer program has been here.
 */
export function migrate(client: ClientBase, key: RecordsKey | undefined): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLockId])
    const currentVersion = await readSchemaVersion(client)
    const latestVersion = latestSchemaVersion()
    if (currentVersion > latestVersion) {
      throw new StorageOpenError(
        `was written by a newer Staffbook (schema ${currentVersion}; this one knows ${latestVersion}). Please start that version. Nothing was changed`,
      )
    }
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
    `cannot be made: the database has the encoding ${rows[0].encoding}. Please create one with ENCODING 'UTF8' TEMPLATE template0`,
  )
}

/** 0 is a database without a register. */
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

/** Throws `RegisterError` where the register is sealed with another key, or with none. */
export async function requireMatchingKey(client: ClientBase, key: RecordsKey | undefined): Promise<void> {
  const keyCheck = await checkStoredKey(client, key)
  if (keyCheck !== 'match') throw new StorageOpenError(`${keyErrorMessages[keyCheck]}. Nothing was changed`)
}
