import type { ClientBase } from 'pg'
import { inTransaction } from './transaction.ts'
import { identitySql } from './writer/round.ts'

/** As in the first migration. */
export const newEpochSql = "left(replace(gen_random_uuid()::text, '-', ''), 12)"

/**
 * The cluster, its timeline, the database and the table. A dump that is read back lies in another table, a copy made with
 * `TEMPLATE` in another database, a standby that took over and a recovery to an earlier moment are on another timeline:
 * each may lack what was there before.
 */
const locationSql = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || tableoid`

/**
 * Sees whether the register is where it was when it was last opened. If it is not, its history may have been cut short:
 * all sessions end, and its revision goes on from the present time, which no revision of the lost history can have
 * reached, so that every page lists again. Answers the register's identity and revision.
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
  await client.query('DELETE FROM sessions')
  await client.query(
    `UPDATE register SET home = $1, epoch = ${newEpochSql},
       floor = greatest($2, revision + 1), revision = greatest($2, revision + 1)`,
    [location, Date.now()],
  )
}
