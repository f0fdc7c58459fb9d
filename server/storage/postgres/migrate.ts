import type { ClientBase } from 'pg'
import type { RecordsKey } from '../encryption/field-encryption.ts'
import { fitOf, type KeyFit, keyAdvice, proofOf } from '../encryption/key-check.ts'
import { newestOf, readMigrations } from '../migrations.ts'
import { RegisterError } from '../storage.ts'
import { inTransaction } from './transaction.ts'

const migrations = () => readMigrations(new URL('./migrations/', import.meta.url))

/** The newest schema this program knows. */
export const newestVersion = () => newestOf(migrations())

/** Any number that no other program takes for an advisory lock in this database. */
const migrating = 5_147_001

/**
 * Makes the register where there is none, sealed with the key, and brings its schema up to date, whole or not at all;
 * processes that start together do it one after the other. Throws `RegisterError` where a newer program has been here.
 */
export function migrate(client: ClientBase, key: RecordsKey | undefined): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrating])
    const from = await versionOf(client)
    const newest = newestVersion()
    if (from > newest) {
      throw new RegisterError(
        `was written by a newer Staffbook (schema ${from}; this one knows ${newest}). Please start that version. Nothing was changed`,
      )
    }
    if (from === 0) {
      await requireUtf8(client)
      await client.query('CREATE TABLE staffbook_schema (version integer PRIMARY KEY)')
    }
    for (const { version, sql } of migrations().filter(({ version }) => version > from)) {
      await client.query(sql)
      await client.query('INSERT INTO staffbook_schema (version) VALUES ($1)', [version])
    }
    if (from === 0) await client.query('UPDATE register SET "keyProof" = $1', [proofOf(key)])
  })
}

async function requireUtf8(client: ClientBase) {
  const { rows } = await client.query("SELECT current_setting('server_encoding') AS encoding")
  if (rows[0].encoding === 'UTF8') return
  throw new RegisterError(
    `cannot be made: the database has the encoding ${rows[0].encoding}. Please create one with ENCODING 'UTF8' TEMPLATE template0`,
  )
}

/** 0 is a database without a register. */
export async function versionOf(client: ClientBase): Promise<number> {
  const found = await client.query("SELECT to_regclass('staffbook_schema') IS NOT NULL AS there")
  if (!found.rows[0].there) return 0
  const { rows } = await client.query('SELECT max(version) AS version FROM staffbook_schema')
  return rows[0].version
}

export async function keyFit(client: ClientBase, key: RecordsKey | undefined): Promise<KeyFit> {
  const { rows } = await client.query('SELECT "keyProof" FROM register')
  return fitOf(rows[0].keyProof, key)
}

/** Throws `RegisterError` where the register is sealed with another key, or with none. */
export async function checkKey(client: ClientBase, key: RecordsKey | undefined): Promise<void> {
  const fit = await keyFit(client, key)
  if (fit !== 'fits') throw new RegisterError(`${keyAdvice[fit]}. Nothing was changed`)
}
