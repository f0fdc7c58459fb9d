import { inject } from 'vitest'
import { openPostgres } from '../../../server/storage/postgres/open.ts'
import type { TestStorage } from '../storage.ts'
import { createSchema } from './cluster.ts'

/** A schema of its own, in the cluster of the run; it goes with the cluster. */
export async function createTestStorage(): Promise<TestStorage> {
  const url = await createSchema(inject('postgres'))
  return {
    open: (options) => openPostgres({ url, ...options }),
    remove: async () => {},
  }
}
