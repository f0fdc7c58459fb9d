import { inject } from 'vitest'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { storageSuite } from '../../server/storage/suite.ts'
import { makeDatabase, query } from './cluster.ts'

storageSuite('PostgreSQL', async () => {
  const server = inject('postgres')
  const url = await makeDatabase(server)
  return {
    open: () => openPostgres({ url }),
    remove: async () => void (await query(server, `DROP DATABASE ${new URL(url).pathname.slice(1)}`)),
  }
})
