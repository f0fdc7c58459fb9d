import type { ClientBase } from 'pg'
import { inTransaction } from './transaction.ts'
import { identitySql } from './writer/round.ts'

/** Same expression as in the first migration. */
export const newEpochSql = "left(replace(gen_random_uuid()::text, '-', ''), 12)"

/**
 * Cluster, timeline, database and table. One of them changes when history may have been cut short: a restored dump is
 * in a new table, a copy made with `TEMPLATE` in another database, a promoted standby or point-in-time recovery on
 * another timeline.
 */
const locationSql = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || tableoid`

/**
 * Returns identity and revision. If the location has changed since the database was last opened, first ends all
 * sessions and links, and continues the revisions from the current time in milliseconds, which no lost revision can have reached,
 * so that every client reloads its list.
 */
export function claimDatabase(client: ClientBase): Promise<{ identity: string; revision: number }> {
  return inTransaction(client, async () => {
    const { rows } = await client.query(`SELECT home, ${locationSql} AS here FROM register FOR UPDATE`)
    const [{ home, here: currentLocation }] = rows
    if (home === null) await client.query('UPDATE register SET home = $1', [currentLocation])
    else if (home !== currentLocation) await startNewEpoch(client, currentLocation)
    return (await client.query(`SELECT ${identitySql}, revision FROM register`)).rows[0]
  })
}

async function startNewEpoch(client: ClientBase, location: string) {
  // Links that were used or revoked since then must not work again.
  await client.query('DELETE FROM sessions; DELETE FROM invitations; DELETE FROM "resetLinks"')
  await client.query(
    `UPDATE register SET home = $1, epoch = ${newEpochSql},
       floor = greatest($2, revision + 1), revision = greatest($2, revision + 1)`,
    [location, Date.now()],
  )
}
