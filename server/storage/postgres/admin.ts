import type { Client } from 'pg'
import { type RecordsKey, sealingWith } from '../encryption/field-encryption.ts'
import { proofOf } from '../encryption/key-check.ts'
import { keyProblems, recordProblems } from '../integrity.ts'
import { RegisterError } from '../storage.ts'
import type { Examination, Reading, RegisterTools } from '../storage-admin.ts'
import { accountsOn } from './accounts.ts'
import { connect, createPool, nameOf } from './connect.ts'
import { newEpoch } from './database-identity.ts'
import { readBooks } from './employees.ts'
import { checkKey, keyFit, migrate, newestVersion, versionOf } from './migrate.ts'
import { named, openPostgres, serving } from './open.ts'
import { sessionsOn } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { type BookRow, bytes } from './writer/round.ts'

/** The operator's tools on the register in a database; `key` is the one it is sealed with. */
export function postgresTools(url: string, key: RecordsKey | undefined): RegisterTools {
  async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      const client = await connect(url, { patient: true })
      return await work(client).finally(() => client.end())
    } catch (error) {
      throw named(url, error as Error)
    }
  }

  return {
    async openAccounts() {
      await withClient((client) => migrate(client, key))
      const pool = createPool(url)
      return { accounts: accountsOn(pool), sessions: sessionsOn(pool), close: () => pool.end() }
    },
    openReading: () => openReading(url, key).catch((error) => Promise.reject(named(url, error))),
    open: () => openPostgres({ url, maxWaiting: Number.POSITIVE_INFINITY, ...(key ? { key } : {}) }),
    backUp: () => refuse('is copied with pg_dump, also while servers run'),
    restore: () => refuse('is restored with pg_restore; then the servers begin a new count by themselves'),
    examine(backup) {
      if (backup !== undefined) return refuse('has its backups examined by pg_restore --list')
      return withClient(async (client) => ({ file: nameOf(url), ...(await examine(client, key)) }))
    },
    changeKey: (to) => withClient((client) => changeKey(client, key, to)),
  }

  function refuse(how: string): never {
    throw new RegisterError(`The register in the database ${nameOf(url)} ${how}. See docs/operations.md.`)
  }
}

/** A transaction that sees the register as it was at its first reading, whatever is written meanwhile. */
async function openReading(url: string, key: RecordsKey | undefined): Promise<Reading> {
  const client = await connect(url, { patient: true })
  try {
    await requireNewest(client)
    await checkKey(client, key)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return {
      books: readBooks(client, sealingWith(key)),
      accounts: accountsOn(client),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function requireNewest(client: Client) {
  const version = await versionOf(client)
  if (version === 0) throw new RegisterError('is not there yet: no server has been started on it')
  if (version !== newestVersion()) {
    throw new RegisterError(`has the schema ${version}, and this program knows ${newestVersion()}`)
  }
}

const records = 'SELECT seq, id, "eName", email, password FROM books WHERE "eName" IS NOT NULL'

async function examine(client: Client, key: RecordsKey | undefined): Promise<Examination> {
  await requireNewest(client)
  const fit = await keyFit(client, key)
  const { rows } = await client.query(records)
  const counts = await client.query(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, revision,
       revision >= coalesce((SELECT max(revision) FROM books), 0)
         AND places = (SELECT count(*) FROM books) AS "inOrder" FROM register`,
  )
  const [{ accounts, revision, inOrder }] = counts.rows
  return {
    problems: [
      ...(inOrder ? [] : ['The head does not know of the latest write.']),
      ...(fit === 'fits' ? recordProblems(rows, key) : [keyProblems[fit]]),
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
async function changeKey(client: Client, from: RecordsKey | undefined, to: RecordsKey | undefined) {
  const alone = await client.query('SELECT pg_try_advisory_lock($1) AS held', [serving])
  if (!alone.rows[0].held)
    throw new RegisterError('is in use by a running Staffbook. Please stop all servers first')
  await migrate(client, from)
  await checkKey(client, from)
  const [before, after] = [sealingWith(from), sealingWith(to)]
  const count = await inTransaction(client, async () => {
    const rows: (BookRow & { id: string })[] = (await client.query(`${records} FOR UPDATE`)).rows
    const sealed = rows.map(({ id, ...row }) => after.seal(id, before.open(id, row)).map(bytes))
    await client.query(
      `UPDATE books SET "eName" = sealed.n, email = sealed.e, password = sealed.p
       FROM unnest ($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]) AS sealed (seq, n, e, p)
       WHERE books.seq = sealed.seq`,
      [rows.map(({ seq }) => seq), ...[0, 1, 2].map((column) => sealed.map((fields) => fields[column]))],
    )
    await client.query(`UPDATE register SET "keyProof" = $1, epoch = ${newEpoch}`, [proofOf(to)])
    return rows.length
  })
  if (to) await client.query('VACUUM FULL books').catch(tellOfRemains)
  return count
}

function tellOfRemains(cause: Error): never {
  throw new RegisterError(
    `is sealed with the new key, but what was readable before is still in the file of its table: ${cause.message}. Please run VACUUM FULL books in it, with psql, and use the new key from now on`,
    { cause },
  )
}
