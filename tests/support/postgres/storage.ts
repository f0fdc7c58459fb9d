import { inject } from 'vitest'
import { openPostgres } from '../../../server/storage/postgres/open.ts'
import type { TestStorage } from '../storage.ts'
import { createSchema } from './cluster.ts'
import type {} from './global-setup.ts'

/** A schema in the cluster of the test run, which removes it at the end. */
export async function createPostgresTestStorage(): Promise<TestStorage> {
  const url = await createSchema(inject('postgres'))
  return {
    database: 'PostgreSQL',
    open: (options) => openPostgres({ url, ...options }),
    remove: async () => {},
  }
}
