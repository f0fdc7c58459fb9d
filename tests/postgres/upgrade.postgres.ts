import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createPostgresAdmin } from '../../server/storage/postgres/admin.ts'
import {
  latestSchemaVersion,
  oldestSchemaVersion,
  readSchemaVersion,
} from '../../server/storage/postgres/migrate.ts'
import { collect } from '../contracts/provide-storage.ts'
import {
  isOldestEncrypted,
  postgresRegisterNames,
  readKey,
  readPostgresRegister,
} from '../fixtures/registers/registers.ts'
import { type OldDatabase, testUpgrade } from '../fixtures/registers/upgrade-suite.ts'
import { createDatabase, query } from '../support/postgres/cluster.ts'
import { postgresTestStorage } from '../support/postgres/storage.ts'
import { sample } from '../support/sample.ts'

/** Makes the register one that its version has opened here; elsewhere it ends all sessions. */
async function settle(url: string) {
  const [{ home, cluster, timeline, database, table }] = await query(
    url,
    `SELECT home, system_identifier AS cluster, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
       (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,
       register.tableoid AS table FROM pg_control_system(), register`,
  )
  // Later versions write the identifier of the cluster as a JavaScript number, which is not exact.
  const isRounded = /^\d+000\//.test(home)
  const here = [isRounded ? Number(cluster) : cluster, timeline, database, table].join('/')
  await query(url, 'UPDATE register SET home = $1', [here])
}

async function unpack(name: string): Promise<OldDatabase & { url: string }> {
  const { register, sql } = readPostgresRegister(name)
  const key = readKey(register)
  const url = await createDatabase(inject('postgres'))
  await query(url, sql)

  async function withClient<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(url)
    await client.connect()
    return use(client).finally(() => client.end())
  }

  return {
    url,
    register,
    open: () => postgresTestStorage(url).open({ key }),
    readSchemaVersion: () => withClient(readSchemaVersion),
    setSchemaVersion: async (version) => {
      await query(url, 'DELETE FROM staffbook_schema')
      await query(url, 'INSERT INTO staffbook_schema (version) VALUES ($1)', [version])
    },
    latestSchemaVersion: latestSchemaVersion(),
    oldestSchemaVersion: oldestSchemaVersion(),
    readContent: () => withClient(readTables),
    checkIntegrity: async () => createPostgresAdmin(url, key).checkIntegrity(undefined),
  }
}

async function readTables(client: pg.Client) {
  const tables = await client.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  )
  const contents: [string, unknown[]][] = []
  for (const { name } of tables.rows)
    contents.push([name, (await client.query(`SELECT * FROM "${name}" AS t ORDER BY t::text`)).rows])
  return contents
}

const chosen = sample(postgresRegisterNames, 1, { isCorner: isOldestEncrypted })

describe.each(chosen)('PostgreSQL: upgrade of the register %s', (name) => {
  testUpgrade(name, async () => {
    const database = await unpack(name)
    await settle(database.url)
    return database
  })

  it('stops servers of versions that would misread or forget what later ones keep', async () => {
    const { register, url, open } = await unpack(name)
    await settle(url)
    const readEpoch = async () => (await query(url, 'SELECT epoch FROM register'))[0].epoch
    const before = await readEpoch()
    await (await open()).close()
    expect((await readEpoch()) !== before).toBe(register.schema < 19)
  })

  it('keeps all but its sessions if it is restored elsewhere from a dump', async () => {
    const { register, open, checkIntegrity } = await unpack(name)
    const storage = await open()
    expect(await collect(storage.employees.load())).toMatchObject(register.documents)
    expect(await storage.sessions.listByAccount(register.user.uid)).toEqual([])
    await storage.close()
    expect(await checkIntegrity()).toMatchObject({ problems: [], records: 4, accounts: 2 })
  })
})
