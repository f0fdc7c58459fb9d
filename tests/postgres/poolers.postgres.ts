import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { storageSuite } from '../contracts/storage-suite.ts'
import { runCommand } from '../support/faults/command-line.ts'
import { type ServerProcess, startServerProcess } from '../support/faults/server-process.ts'
import { createSignedInClient, createTestClient } from '../support/http-client.ts'
import { type Cluster, query, startCluster } from '../support/postgres/cluster.ts'
import { startPgBouncer } from '../support/postgres/programs.ts'
import { postgresTestStorage } from '../support/postgres/storage.ts'

const ada = { eName: 'Ada', email: 'ada@example.com', password: 'difference engine' }

let cluster: Cluster
let nameCount = 0

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

async function create(kind: 'DATABASE' | 'SCHEMA') {
  const name = `${kind === 'DATABASE' ? 'pooled' : 'test'}_${++nameCount}`
  await query(cluster.url, `CREATE ${kind} ${name}`)
  return name
}

describe.each(['session', 'transaction'] as const)('PgBouncer in %s mode', (mode) => {
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>
  const servers: ServerProcess[] = []
  beforeAll(async () => {
    pooler = await startPgBouncer(cluster.url, mode)
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill('SIGTERM')
  })
  afterAll(() => pooler.stop())

  async function start(environment: Record<string, string>) {
    const server = await startServerProcess(environment)
    servers.push(server)
    return server
  }

  it('servers write and hear each other, also when they are restarted behind the same pooler', async () => {
    const environment = { DATABASE_URL: pooler.url(await create('DATABASE')) }
    for (let round = 1; round <= 2; round++) {
      const [one, other] = [await start(environment), await start(environment)]
      const client = await createSignedInClient(one.url)
      const otherClient = createTestClient(other.url)
      await otherClient.signIn('ada@example.com')
      const stream = await otherClient.openChangeStream()
      for (let i = 0; i < 5; i++) {
        expect((await client.add(ada)).status).toBe(201)
        expect((await stream.next())?.data).toMatchObject({ document: ada })
      }
      expect((await otherClient.add(ada)).status).toBe(201)
      expect((await client.list()).body.documents).toHaveLength(6 * round)
      expect((await fetch(`${one.url}/readyz`)).status).toBe(200)
      expect(one.output.err).toContain('has no notifications (LISTEN), as through a pooler')
      await stream.close()
      for (const server of servers.splice(0)) expect(await server.kill('SIGTERM')).toBe(0)
    }
  })

  it('leaves no setting, lock or prepared statement to others in the pool', async () => {
    const database = await create('DATABASE')
    const server = await start({ DATABASE_URL: pooler.url(database) })
    const client = await createSignedInClient(server.url)
    await Promise.all(Array.from({ length: 20 }, () => client.add(ada)))
    const others = Array.from({ length: 12 }, () => new pg.Client(pooler.url(database)))
    const states = await Promise.all(
      others.map(async (other) => {
        await other.connect()
        await other.query('BEGIN')
        const { rows } = await other.query(`SELECT current_setting('enable_seqscan') AS seqscan,
          current_setting('lock_timeout') AS timeout, (SELECT count(*) FROM pg_prepared_statements)::int AS statements,
          (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')::int AS locks`)
        return rows[0]
      }),
    )
    for (const other of others) await other.end()
    const clean = { seqscan: 'on', timeout: '0', statements: 0, locks: 0 }
    expect(states).toEqual(Array(12).fill(clean))
  })

  it('refuses to change the key while a server runs, then changes it', async () => {
    const url = pooler.url(await create('DATABASE'))
    const server = await start({ DATABASE_URL: url })
    const client = await createSignedInClient(server.url)
    await client.add(ada)
    const changeKey = () =>
      runCommand(['key', 'change'], { environment: { DATABASE_URL: url, NEW_RECORDS_KEY: '11'.repeat(32) } })
    expect((await changeKey()).err).toMatch(/is in use by a running Staffbook/)
    await server.kill('SIGTERM')
    expect(await changeKey()).toMatchObject({ code: 0 })
    const again = await start({ DATABASE_URL: url, RECORDS_KEY: '11'.repeat(32) })
    expect(
      (await createSignedInClient(again.url, 'eve@example.com').then((eve) => eve.list())).body.documents,
    ).toMatchObject([ada])
  })

  it('refuses synchronous_commit=off, which it cannot change for a pool', async () => {
    const [name, role] = [await create('DATABASE'), 'staffbook']
    await query(cluster.url, `ALTER ROLE ${role} SET synchronous_commit TO off`)
    const error = await start({ DATABASE_URL: pooler.url(name) }).catch(({ message }) => message)
    await query(cluster.url, `ALTER ROLE ${role} RESET synchronous_commit`)
    expect(error).toMatch(/has synchronous_commit=off: a crash loses writes that were confirmed/)
  })

  if (mode === 'transaction')
    storageSuite('PostgreSQL behind PgBouncer', async () =>
      postgresTestStorage(pooler.url(await create('SCHEMA'))),
    )
})
