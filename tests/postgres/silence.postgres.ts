import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { type ServerProcess, startServerProcess } from '../support/faults/server-process.ts'
import { password, refusal, type TestClient } from '../support/http-client.ts'
import { ada } from '../support/people.ts'
import { configure, createDatabase } from '../support/postgres/cluster.ts'
import { startFaultProxy } from '../support/postgres/proxy.ts'
import { provideCluster } from '../support/postgres/storage.ts'

/** Has a margin for a busy machine: the server gives up after 4.5 s, each statement after 4 s. */
const limitMs = 5_000 + 10_000

describe('PostgreSQL: a database that does not respond', () => {
  const cluster = provideCluster()
  let url: string
  let server: ServerProcess
  let client: TestClient

  beforeEach(async () => {
    url = await createDatabase(cluster.url)
  })
  afterEach(() => cluster.signalAll('SIGCONT'))

  async function start(url: string) {
    server = await startServerProcess({ DATABASE_URL: url })
    client = await server.signIn()
    await client.add(ada)
  }

  async function measure(call: () => Promise<{ status: number }>) {
    const startedAt = performance.now()
    const { status } = await call()
    return { status, isInTime: performance.now() - startedAt < limitMs }
  }

  const get = (path: string) => server.connect().get(path)
  const expectReady = (status: number) => expect.poll(async () => (await get('/readyz')).status).toBe(status)

  const calls = (id: string) => [
    () => get('/readyz'),
    () => get('/readyz'),
    () => client.list(),
    () => client.add(ada),
    () => client.update(id, ada),
    () => client.remove(id),
    () => client.get(paths.session),
    () => client.get(paths.sessions),
    () => server.connect().signIn('ada@example.com'),
    () => client.put(paths.password, { password, newPassword: 'another battery staple' }),
  ]

  it('answers every call with 503 within five seconds, and is back within one', async () => {
    await start(url)
    const { id } = (await client.add(ada)).body
    cluster.signalAll('SIGSTOP')
    for (const some of [calls(id), calls(id), Array.from({ length: 30 }, () => client.list)])
      expect(await Promise.all(some.map(measure))).toEqual(some.map(() => ({ status: 503, isInTime: true })))
    expect((await get('/healthz')).status).toBe(200)

    cluster.signalAll('SIGCONT')
    await expectReady(200)
    expect((await client.add(ada)).status).toBe(201)
  })

  it('reconnects if only the connections are dead', async () => {
    const proxy = await startFaultProxy(url)
    await start(proxy.url)
    const stalled = proxy.stallAfter('FOR UPDATE')
    const adding = measure(() => client.add(ada))
    await stalled
    proxy.heal()
    expect(await adding).toEqual({ status: 503, isInTime: true })
    await expect.poll(async () => (await client.add(ada)).status).toBe(201)
  })

  it('is not ready while writes fail, although reads succeed', async () => {
    const writableUrl = `${url}?options=-cdefault_transaction_read_only=off`
    await start(url)
    await configure(cluster.url, 'ALTER SYSTEM SET default_transaction_read_only TO on')
    await expect.poll(async () => (await client.add(ada)).status).toBe(503)
    await expectReady(503)
    await configure(writableUrl, 'ALTER SYSTEM RESET default_transaction_read_only')
    await expectReady(200)
    expect((await client.add(ada)).status).toBe(201)
  })

  it('what waits too long for one lock, or for one after the other, is refused, and not written later', async () => {
    await start(url)
    const lock = async (table: string) => {
      const holder = new pg.Client(url)
      await holder.connect()
      await holder.query(`BEGIN; SELECT FROM ${table} FOR UPDATE`)
      return holder
    }
    const register = await lock('register')
    expect(await client.add(ada)).toMatchObject(refusal(503, 'busy'))
    await register.end()
    const [accounts, sessions] = [await lock('accounts'), await lock('sessions')]
    const changing = client.put(paths.password, { password, newPassword: 'another battery staple' })
    const findWaiting = () => accounts.query('SELECT FROM pg_locks WHERE NOT granted')
    await expect.poll(findWaiting).toHaveProperty('rowCount', 1)
    await sleep(1_000)
    await accounts.end()
    expect(await changing).toMatchObject(refusal(503, 'storage-unavailable'))
    await sessions.end()
    expect((await server.connect().signIn('ada@example.com')).status).toBe(200)
    expect(await client.documents()).toHaveLength(1)
    expect((await client.add(ada)).status).toBe(201)
  })
})
