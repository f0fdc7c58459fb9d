import { beforeAll, inject } from 'vitest'
import { createPostgresAdmin } from '../../../server/storage/postgres/admin.ts'
import { openPostgres } from '../../../server/storage/postgres/open.ts'
import { forward } from '../forward.ts'
import { leaveOutUndefined, type OpenOptions } from '../open-options.ts'
import { type Cluster, type ClusterOptions, createSchema, query, startCluster } from './cluster.ts'
import type {} from './global-setup.ts'

/** A schema in the cluster of the test run, which removes it at the end. */
export async function createPostgresTestStorage() {
  return postgresTestStorage(await createSchema(inject('postgres')))
}

/** The database, or schema, that `url` names; it must be empty. */
export function postgresTestStorage(url: string) {
  return {
    database: 'PostgreSQL' as const,
    open: (options: OpenOptions = {}) => openPostgres({ url, ...leaveOutUndefined(options) }),
    readRows: (table: string) => query(url, `SELECT * FROM "${table}" ORDER BY 1`),
    admin: (key?: Uint8Array) => createPostgresAdmin(url, key),
    remove: async () => {},
  }
}

/** Starts a PostgreSQL before the tests of a group, and removes it after them. */
export function provideCluster(options?: () => ClusterOptions): Cluster {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(options?.())
    return cluster.remove
  })
  return forward(() => cluster)
}
