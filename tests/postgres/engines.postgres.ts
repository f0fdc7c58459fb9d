import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresOptions } from '../../server/storage/postgres/open.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { person, storageSuite } from '../contracts/storage-suite.ts'
import { ensurePostgres } from '../support/postgres/binaries.ts'
import { type Cluster, createSchema, query, startCluster } from '../support/postgres/cluster.ts'
import { startFaultProxy } from '../support/postgres/proxy.ts'
import { postgresTestStorage } from '../support/postgres/storage.ts'

/** Functions that engines which only speak PostgreSQL's protocol lack. */
const functions = {
  'pg_control_system()': 'does not tell its cluster',
  'pg_current_wal_lsn()': 'does not tell its cluster or timeline',
  'pg_walfile_name(pg_lsn)': 'does not tell its cluster or timeline',
  'pg_notify(text, text)': 'has no notifications',
  'pg_advisory_lock_shared(bigint)': undefined,
  'pg_try_advisory_lock(bigint)': undefined,
  'pg_advisory_xact_lock(bigint)': undefined,
}

let cluster: Cluster
let databaseCount = 0
const opened: Storage[] = []

beforeAll(async () => {
  cluster = await startCluster({ bin: ensurePostgres('oldest') })
  await query(cluster.url, 'CREATE ROLE plain LOGIN')
})
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
})
afterAll(() => cluster.remove())

/** Returns the URL of an empty database whose owner may not execute these functions. */
async function createDatabaseWithout(withheld: string[]) {
  const name = `engine_${++databaseCount}`
  await query(cluster.url, `CREATE DATABASE ${name} OWNER plain`)
  const url = cluster.url.replace(/postgres$/, name)
  for (const signature of withheld) await query(url, `REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`)
  return url.replace('staffbook@', 'plain@')
}

async function open(url: string, options: Partial<PostgresOptions> = {}) {
  const storage = await openPostgres({ url, ...options })
  opened.push(storage)
  return storage
}

/** Opens two storages, writes with one, and returns the warnings when the other has heard of it. */
async function expectExchange(url: string) {
  const warnings: string[] = []
  const [one, other] = [await open(url, { onWarning: (text) => warnings.push(text) }), await open(url)]
  const received: string[] = []
  other.employees.subscribe((changes) => received.push(...[...changes].map(({ id }) => id)))
  await one.employees.add('a', person('a'))
  await expect.poll(() => received).toEqual(['a'])
  expect(await other.employees.add('b', person('b'))).toMatchObject({ outcome: 'done', revision: 2 })
  await one.ping()
  return warnings
}

storageSuite('the oldest supported PostgreSQL', async () =>
  postgresTestStorage(await createSchema(cluster.url)),
)

describe('engines that speak the protocol of PostgreSQL', () => {
  it.each(Object.entries(functions))(
    'works without %s, and says once what is missing',
    async (name, warning) => {
      const warnings = await expectExchange(await createDatabaseWithout([name]))
      expect(warnings).toHaveLength(warning ? 1 : 0)
      if (warning) expect(warnings[0]).toContain(warning)
    },
  )

  it('works without LISTEN', async () => {
    const proxy = await startFaultProxy(await createDatabaseWithout([]))
    proxy.replace('LISTEN staffbook', 'LISTEM staffbook')
    expect(await expectExchange(proxy.url)).toEqual([expect.stringContaining('has no notifications')])
    proxy.close()
  })

  it('works if LISTEN is accepted, but nothing is ever received', async () => {
    const proxy = await startFaultProxy(await createDatabaseWithout([]))
    proxy.replace('LISTEN staffbook', 'LISTEN staffbo_k')
    expect(await expectExchange(proxy.url)).toEqual([expect.stringContaining('has no notifications')])
    proxy.close()
  })

  it('creates the database once without advisory locks, if several processes start at the same time', async () => {
    const url = await createDatabaseWithout(Object.keys(functions))
    await Promise.all(Array.from({ length: 5 }, () => open(url)))
    expect(await query(url, 'SELECT * FROM register')).toHaveLength(1)
  })

  let bareUrl: string | undefined
  storageSuite('an engine without functions of PostgreSQL', async () => {
    bareUrl ??= await createDatabaseWithout(Object.keys(functions))
    return postgresTestStorage(await createSchema(bareUrl))
  })
})
