import { beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { person } from '../contracts/provide-storage.ts'
import { storageSuite } from '../contracts/storage-suite.ts'
import { cleanUpAfterTest } from '../support/cleanup.ts'
import { ensurePostgres } from '../support/postgres/binaries.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'
import { startFaultProxy } from '../support/postgres/proxy.ts'
import { postgresTestStorage, provideCluster } from '../support/postgres/storage.ts'
import { closeAfterTest } from '../support/storage.ts'

const cluster = provideCluster(() => ({ bin: ensurePostgres('oldest') }))
let databaseCount = 0

beforeAll(() => query(cluster.url, 'CREATE ROLE plain LOGIN'))

/** Returns the URL of an empty database whose owner may not execute this function. */
async function createDatabaseWithout(signature?: string) {
  const name = `engine_${++databaseCount}`
  await query(cluster.url, `CREATE DATABASE ${name} OWNER plain`)
  const url = cluster.url.replace(/postgres$/, name)
  if (signature) await query(url, `REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`)
  return url.replace('staffbook@', 'plain@')
}

/** Opens two storages, writes with one, and returns the warnings when the other has heard of it. */
async function expectExchange(url: string) {
  const warnings: string[] = []
  const one = await openPostgres({ url, onWarning: (text) => warnings.push(text) })
  cleanUpAfterTest(one.close)
  const other = await closeAfterTest(postgresTestStorage(url)).open()
  const received: string[] = []
  other.employees.subscribe((changes) => received.push(...[...changes].map(({ id }) => id)))
  await one.employees.add('a', person('a'))
  await expect.poll(() => received).toEqual(['a'])
  expect(await other.employees.add('b', person('b'))).toMatchObject({ outcome: 'done', revision: 2 })
  await one.ping()
  return warnings
}

storageSuite('the oldest supported PostgreSQL', async () =>
  closeAfterTest(postgresTestStorage(await createSchema(cluster.url))),
)

describe('databases that are not quite PostgreSQL', () => {
  it.each([
    ['pg_control_system()', 'does not tell its cluster'],
    ['pg_current_wal_lsn()', 'does not tell its cluster or timeline'],
  ])('a database without %s, as Aurora, is used with a warning', async (signature, warning) => {
    const warnings = await expectExchange(await createDatabaseWithout(signature))
    expect(warnings).toEqual([expect.stringContaining(warning)])
  })

  it('a pooler in session mode is used', async () => {
    const proxy = await startFaultProxy(await createDatabaseWithout())
    // A number that differs from the one sent at the start of the connection, and in each session.
    proxy.replace('pg_backend_pid() AS pid', '-pg_backend_pid()AS pid')
    expect(await expectExchange(proxy.url)).toEqual([])
  })

  it.each<[title: string, replaced: [string, string], message: RegExp]>([
    [
      'a pooler in transaction mode',
      ['pg_backend_pid()', '1234567 + 000000'],
      / is behind a pooler in transaction mode.*\. Connect directly or through a pooler in session mode\.$/,
    ],
    [
      'a database without LISTEN',
      ['LISTEN staffbook', 'LISTEM staffbook'],
      / lacks notifications or advisory locks.*\(syntax error.*\)\. Use PostgreSQL 13 or newer.*\.$/,
    ],
    [
      'a database that accepts LISTEN but sends nothing',
      ['LISTEN staffbook', 'LISTEN staffbo_k'],
      / lacks notifications .*sends no notifications.*\. Use PostgreSQL 13 or newer.*\.$/,
    ],
    [
      'a database without advisory locks',
      ['pg_advisory_lock_shared', 'pg_advisory_lock_sh_red'],
      / lacks notifications or advisory locks.*pg_advisory_lock_sh_red.*\. Use PostgreSQL 13 or newer.*\.$/,
    ],
  ])('%s is refused in one line that names the remedy', async (_, replaced, message) => {
    const proxy = await startFaultProxy(await createDatabaseWithout())
    proxy.replace(...replaced)
    const error = await openPostgres({ url: proxy.url }).catch((error) => error)
    expect(error).toMatchObject({ name: 'StorageOpenError', message: expect.stringMatching(message) })
    expect(error.message).not.toContain('\n')
    // PostgreSQL ends a session a moment after its connection.
    const findLocks = () => query(cluster.url, "SELECT FROM pg_locks WHERE locktype = 'advisory'")
    await expect.poll(findLocks).toEqual([])
  })
})
