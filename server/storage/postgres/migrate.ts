import type { ClientBase } from 'pg'
import { fitOf, keyAdvice, proofOf } from '../key-proof.ts'
import { newestOf, readMigrations } from '../migrations.ts'
import { RegisterError } from '../port.ts'
import type { RecordsKey } from '../sealing.ts'

const migrations = () => readMigrations(new URL('./migrations/', import.meta.url))

/** Any number that no other program uses for an advisory lock in this database. */
const migrating = 5_147_001

/**
 * Makes the register where there is none, sealed with the key, and brings its schema up to date, whole or not at all;
 * processes that start together do it one after the other. Throws `RegisterError` where this program or its key is not
 * the right one.
 */
export async function prepareRegister(client: ClientBase, key: RecordsKey | undefined): Promise<void> {
  const all = migrations()
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrating])
    const from = await versionOf(client)
    if (from > newestOf(all)) {
      throw new RegisterError(
        `was written by a newer Staffbook (schema ${from}; this one knows ${newestOf(all)}). Please start that version. Nothing was changed`,
      )
    }
    for (const { version, sql } of all.filter(({ version }) => version > from)) {
      await client.query(sql)
      await client.query('INSERT INTO staffbook_schema (version) VALUES ($1)', [version])
    }
    if (from === 0) await client.query('UPDATE register SET "keyProof" = $1', [proofOf(key)])
    await checkKey(client, key)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => 'lost')
    throw error
  }
}

/** 0 is a database without a register. */
export async function versionOf(client: ClientBase): Promise<number> {
  const found = await client.query("SELECT to_regclass('staffbook_schema') IS NOT NULL AS is")
  if (!found.rows[0].is) {
    await client.query('CREATE TABLE staffbook_schema (version integer PRIMARY KEY)')
  }
  const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM staffbook_schema')
  return rows[0].version
}

async function checkKey(client: ClientBase, key: RecordsKey | undefined) {
  const { rows } = await client.query('SELECT "keyProof" FROM register')
  const fit = fitOf(rows[0].keyProof, key)
  if (fit !== 'fits') throw new RegisterError(`${keyAdvice[fit]}. Nothing was changed`)
}
