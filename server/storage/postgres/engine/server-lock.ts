import { randomUUID } from 'node:crypto'
import { StorageOpenError } from '../../storage.ts'
import type { DatabaseClient } from '../connect.ts'
import { queryIfSupported } from './features.ts'

/** Advisory lock: shared by every server process, exclusive for `staffbook key change`. */
const lockId = 5_147_002
const leaseSeconds = 15

/** Where locks of a session do not exist, each process has a row that it renews. */
const createLeasesSql =
  'CREATE TABLE IF NOT EXISTS staffbook_leases (id text PRIMARY KEY, "expiresAt" timestamptz NOT NULL)'
const renewSql = `INSERT INTO staffbook_leases VALUES ($1, now() + interval '${leaseSeconds} seconds')
  ON CONFLICT (id) DO UPDATE SET "expiresAt" = excluded."expiresAt"`

/** Marks the database as in use by this process, so that its key is not changed meanwhile. */
export function createServerLock() {
  const id = randomUUID()
  let needsLease = false
  const renew = (client: DatabaseClient) => client.query(renewSql, [id])
  return {
    async acquire(client: DatabaseClient) {
      const locked =
        client.isDirect && (await queryIfSupported(client, 'SELECT pg_advisory_lock_shared($1)', [lockId]))
      needsLease = !locked
      if (!needsLease) return
      // Fails if another process creates the table at the same time.
      await queryIfSupported(client, createLeasesSql)
      await renew(client)
    },
    /** Call every five seconds. */
    async renew(client: DatabaseClient) {
      if (needsLease) await renew(client)
    },
    async release(client: DatabaseClient) {
      if (needsLease) await client.query('DELETE FROM staffbook_leases WHERE id = $1', [id])
    },
  }
}

/** Throws `StorageOpenError` if a server uses the database. */
export async function requireNoServer(client: DatabaseClient): Promise<void> {
  const rows =
    client.isDirect && (await queryIfSupported(client, 'SELECT pg_try_advisory_lock($1) AS held', [lockId]))
  const leases = await queryIfSupported(client, 'SELECT FROM staffbook_leases WHERE "expiresAt" > now()')
  if ((rows && !rows[0].held) || (leases && leases.length > 0))
    throw new StorageOpenError('is in use by a running Staffbook. Stop all servers first')
}
