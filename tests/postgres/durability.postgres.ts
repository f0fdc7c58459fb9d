import { afterEach, describe, expect, it } from 'vitest'
import { startServerProcess } from '../support/faults/server-process.ts'
import { ada } from '../support/people.ts'
import { configure, query } from '../support/postgres/cluster.ts'
import { provideCluster } from '../support/postgres/storage.ts'

describe('PostgreSQL: durability is checked at the start', () => {
  // So that what was not flushed at once is not flushed by chance either.
  const cluster = provideCluster(() => ({ settings: ['wal_writer_delay=10s'] }))
  afterEach(async () => {
    await configure(cluster.url, 'ALTER SYSTEM RESET ALL', 'ALTER DATABASE postgres RESET ALL')
  })

  const set = async (sql: string) => {
    await configure(cluster.url, sql)
    const [name, value] = /SET (\w+) TO (\w+)/.exec(sql)?.slice(1) ?? []
    await expect.poll(async () => (await query(cluster.url, `SHOW ${name}`))[0][name as string]).toBe(value)
  }
  const start = (environment = {}) => startServerProcess({ DATABASE_URL: cluster.url, ...environment })
  const startError = (environment = {}) => start(environment).catch(({ message }) => message)

  it.each(['fsync', 'full_page_writes'])('refuses %s=off, unless that is allowed by name', async (name) => {
    await set(`ALTER SYSTEM SET ${name} TO off`)
    expect(await startError()).toMatch(
      new RegExp(`has ${name}=off: a power cut .* allow it with ALLOW_UNSAFE_DATABASE=${name}\\.\n$`),
    )
    const server = await start({ ALLOW_UNSAFE_DATABASE: name })
    expect(server.output.err).toContain(`The database has ${name}=off: a power cut`)
    expect(await server.kill('SIGTERM')).toBe(0)
  })

  it('says why it gets no second connection', async () => {
    for (const sql of [
      'CREATE ROLE limited LOGIN CONNECTION LIMIT 1',
      'CREATE DATABASE limited OWNER limited',
    ])
      await query(cluster.url, sql)
    const url = Object.assign(new URL(cluster.url), { username: 'limited', pathname: '/limited' }).href
    expect(await startError({ DATABASE_URL: url })).toMatch(
      /^staffbook: The database .*\/limited cannot be opened: too many connections for role "limited"\.\n$/,
    )
  })

  it('reads and writes lists where the role has array_nulls=off', async () => {
    await query(cluster.url, 'ALTER DATABASE postgres SET array_nulls TO off')
    const client = await (await start()).signIn()
    expect((await client.add(ada)).status).toBe(201)
  })

  it('keeps its connections where the database ends idle sessions', async () => {
    const server = await start()
    const client = await server.signIn()
    await query(cluster.url, "ALTER DATABASE postgres SET idle_session_timeout TO '20ms'")
    await server.kill('SIGTERM')
    const again = await start()
    const readIdle = async () => {
      const sql = `SELECT pid FROM pg_stat_activity
        WHERE datname = 'postgres' AND state = 'idle' AND now() - backend_start > '1s'`
      return (await query(cluster.url, sql)).length
    }
    await expect.poll(readIdle).toBeGreaterThan(1)
    expect((await again.connect(client.cookie).add(ada)).status).toBe(201)
  })

  it('waits for the disk where the database has synchronous_commit=off', async () => {
    await query(cluster.url, 'ALTER DATABASE postgres SET synchronous_commit TO off')
    const server = await start()
    const client = await server.signIn()
    const attempts: boolean[] = []
    // More than one, because others may write in between.
    for (let i = 0; i < 5; i++) {
      expect((await client.add(ada)).status).toBe(201)
      const sql = 'SELECT pg_current_wal_insert_lsn() = pg_current_wal_flush_lsn() AS "isFlushed"'
      attempts.push((await query(cluster.url, sql))[0].isFlushed)
    }
    expect(attempts).toContain(true)
  })

  it('refuses to start without the synchronous standby that is promised', async () => {
    expect(await startError({ DATABASE_STANDBY: 'synchronous' })).toMatch(
      /has no synchronous standby, which DATABASE_STANDBY=synchronous promises\. Set synchronous_standby_names/,
    )
    await configure(cluster.url, "ALTER SYSTEM SET synchronous_standby_names TO 'standby'")
    await set('ALTER SYSTEM SET synchronous_commit TO local')
    expect(await startError({ DATABASE_STANDBY: 'synchronous' })).toContain('has synchronous_commit=local')
  })
})
