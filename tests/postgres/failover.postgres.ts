import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exitCodes } from '../../server/process/lifecycle.ts'
import { type ServerProcess, startServerProcess } from '../support/faults/server-process.ts'
import { createWriters } from '../support/faults/writers.ts'
import { ada } from '../support/people.ts'
import { type Cluster, configure, query, startCluster } from '../support/postgres/cluster.ts'
import { measureOutage } from '../support/postgres/outage.ts'
import { provideCluster } from '../support/postgres/storage.ts'

describe('PostgreSQL: failover to a streaming standby', () => {
  const template = provideCluster()
  let primary: Cluster
  let standby: Cluster

  beforeAll(() => template.stop('fast'))
  beforeEach(async () => {
    primary = await startCluster({ copyOf: template })
    standby = await startCluster({ copyOf: template, standbyOf: primary })
    await configure(primary.url, "ALTER SYSTEM SET synchronous_standby_names TO 'standby'")
    const syncState = 'SELECT sync_state FROM pg_stat_replication'
    await expect.poll(() => query(primary.url, syncState)).toEqual([{ sync_state: 'sync' }])
  })
  afterEach(() => Promise.all([primary.remove(), standby.remove()]))

  function start(environment: Record<string, string> = {}) {
    const url = `postgres://staffbook@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`
    return startServerProcess({ DATABASE_URL: url, ...environment })
  }
  const isReady = async ({ connect }: ServerProcess) => (await connect().get('/readyz')).status

  it('loses nothing; people stay signed in, and their streams continue', async () => {
    const promise = { DATABASE_STANDBY: 'synchronous' }
    const [one, other] = [await start(promise), await start(promise)]
    const client = await one.signIn()
    const otherClient = other.connect()
    await otherClient.signIn('ada@example.com')
    const stream = await client.openChangeStream()
    const writers = createWriters(16, client.cookie)
    const written = writers.writeUntilUnavailable(one.url)
    await writers.waitForMore(100)
    const stop = () => primary.stop('immediate')
    const seconds = await measureOutage([client, otherClient], stop, standby.promote)
    console.log(`failover by hand: writes succeed again after ${seconds.toFixed(1)} s`)
    await written

    for (const server of [one, other]) await expect.poll(() => isReady(server)).toBe(200)
    await writers.retryUnanswered(other.url)
    const list = await one.connect(client.cookie).book()
    expect(writers.findDifferences(list)).toEqual([])
    expect(await other.connect(client.cookie).book()).toEqual(list)
    // The first that connects says so.
    const log = one.output.err + other.output.err
    expect(log).toContain('A synchronous standby has taken over the database. Sessions continue.')
    const { id } = (await client.add(ada)).body
    for (;;) {
      const event = await stream.next()
      expect(event?.event).toBe('change')
      if (event?.data.document?.id === id) break
    }
    // A server that starts afterwards finds the same sessions.
    const book = await (await start()).connect(client.cookie).book()
    expect(book.documents).toContainEqual({ id, ...ada })
  })

  it('without the promise, servers stop, and everyone signs in again', async () => {
    const server = await start()
    const client = await server.signIn()
    await primary.stop('immediate')
    await standby.promote()
    expect(await server.exited).toBe(exitCodes.stale)
    const again = await start()
    expect((await again.connect(client.cookie).list()).status).toBe(401)
  })

  it('a standby that lacks a known write ends all sessions, whatever was promised', async () => {
    const server = await start({ DATABASE_STANDBY: 'synchronous' })
    const client = await server.signIn()
    await configure(primary.url, 'ALTER SYSTEM RESET synchronous_standby_names')
    const show = () => query(primary.url, 'SHOW synchronous_standby_names')
    await expect.poll(show).toEqual([{ synchronous_standby_names: '' }])
    await standby.promote()
    expect((await client.add(ada)).status).toBe(201)
    await primary.stop('immediate')
    expect(await server.exited).toBe(exitCodes.stale)
    expect(await query(standby.url, 'SELECT * FROM sessions')).toEqual([])
  })
})
