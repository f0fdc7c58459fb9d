import { inject } from 'vitest'
import { openPostgres } from '../../../server/storage/postgres/open.ts'
import type { Place } from '../storage.ts'
import { makeSchema } from './cluster.ts'

/** A schema of its own, in the cluster of the run; it goes with the cluster. */
export async function makePlace(): Promise<Place> {
  const url = await makeSchema(inject('postgres'))
  return {
    open: (options) => openPostgres({ url, ...options }),
    remove: async () => {},
  }
}
