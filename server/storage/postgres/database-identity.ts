import { DatabaseError } from 'pg'
import { endAccessSql } from '../sql/accounts.ts'
import type { DatabaseClient } from './connect.ts'
import { toStorageError } from './errors.ts'
import { inTransaction } from './transaction.ts'

/** The epoch and the table: after a restore in place, the same epoch is in a new table. */
export const identitySql = `epoch || '/' || register.tableoid AS identity`

export const restoredAccountsAdvice =
  'A restore brings back accounts that were removed since: see staffbook account list.'

/** Same expression as in the first migration. */
export const newEpochSql = "left(replace(gen_random_uuid()::text, '-', ''), 12)"

/**
 * Cluster, timeline, database and table. One of them changes when history may have been cut short: a restored dump is
 * in a new table, a copy made with `TEMPLATE` in another database, a promoted standby or point-in-time recovery on
 * another timeline. Aurora does not tell the first two.
 */
const locationSql = [
  'SELECT system_identifier AS part FROM pg_control_system()',
  'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS part',
  'SELECT oid AS part FROM pg_database WHERE datname = current_database()',
  'SELECT tableoid AS part FROM register',
]
const unknownPart = '?'
const timelineIndex = 1

/** What a process knows of a database to which it reconnects. */
export interface KnownDatabase {
  identity: string
  revision: number
}

/**
 * Returns identity and revision, and warnings for the log. If the location has changed since the database was last opened, first ends all
 * sessions and links, and continues the revisions from the current time in milliseconds, which no lost revision can have reached,
 * so that every client reloads its list. Not after a failover that has lost nothing: see `isLosslessFailover`. A new process has
 * no `known`. `check` throws if the database must not be used, and runs while no other process writes.
 */
export function claimDatabase(
  client: DatabaseClient,
  known: KnownDatabase | undefined,
  hasSynchronousStandby: boolean,
  check: () => Promise<void>,
): Promise<KnownDatabase & { warnings: string[] }> {
  return inTransaction(client, async () => {
    const { rows } = await client.query(`SELECT home, revision, ${identitySql} FROM register FOR UPDATE`)
    await check()
    const [{ home: stored, ...found }] = rows
    const home: string | null = stored && roundCluster(stored)
    const location = await readLocation(client)
    const warnings = location.includes(unknownPart) ? [unknownLocationWarning] : []
    const here = location.join('/')
    if (home !== null && home !== here) {
      const isLossless = known && hasSynchronousStandby && isLosslessFailover(home, location, known, found)
      if (!isLossless) await startNewEpoch(client)
      warnings.push(isLossless ? takenOverWarning : restoredWarning)
    }
    if (stored !== here) await client.query('UPDATE register SET home = $1', [here])
    const claimed = await client.query(`SELECT ${identitySql}, revision FROM register`)
    return { ...claimed.rows[0], warnings }
  })
}

const takenOverWarning = 'A synchronous standby has taken over the database. Sessions continue.'

const restoredWarning = `The database was restored, recovered or failed over, so everyone must sign in again. ${restoredAccountsAdvice}`

const unknownLocationWarning =
  'The database does not tell its cluster or timeline, so a failover or a recovery in place cannot be detected: see docs/operations.md.'

/** Earlier versions stored the cluster's identifier exactly; since then it is a JavaScript number. */
const roundCluster = (home: string) => home.replace(/^\d+/, (identifier) => String(Number(identifier)))

async function readLocation(client: DatabaseClient): Promise<string[]> {
  const location: string[] = []
  for (const sql of locationSql) {
    await client.query('SAVEPOINT part')
    const part = await client
      .query(sql)
      .then(({ rows }) => String(rows[0]?.part ?? unknownPart), toUnknownPart)
    if (part === unknownPart) await client.query('ROLLBACK TO SAVEPOINT part')
    location.push(part)
  }
  return location
}

function toUnknownPart(error: unknown): string {
  if (error instanceof DatabaseError && !toStorageError(error)) return unknownPart
  throw error
}

/**
 * The operator promises that only a synchronous standby is promoted, and this process, which has used the database until
 * then, finds the latest revision that it knows. A new process cannot tell a failover from a recovery to an earlier time.
 */
function isLosslessFailover(home: string, location: string[], known: KnownDatabase, found: KnownDatabase) {
  const previous = home.split('/')
  const isSameButTimeline = location.every((part, i) => i === timelineIndex || part === previous[i])
  return isSameButTimeline && found.identity === known.identity && found.revision >= known.revision
}

async function startNewEpoch(client: DatabaseClient) {
  await client.query(endAccessSql)
  await client.query(
    `UPDATE register SET epoch = ${newEpochSql},
       floor = greatest($1, revision + 1), revision = greatest($1, revision + 1)`,
    [Date.now()],
  )
}
