import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { account } from '../contracts/storage-suite.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'

it('PostgreSQL, security: a session that is begun while the password changes waits, and is none', async () => {
  const url = await createSchema(inject('postgres'))
  const storage = await openPostgres({ url })
  const client = new pg.Client(url)
  await client.connect()
  await storage.accounts.add(account('1', 'ada@x.y'))
  await client.query(`BEGIN; UPDATE accounts SET "passwordHash" = 'new'`)

  let isBegun: boolean | undefined
  const beginning = (async () => {
    isBegun = await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash')
  })()
  const waitingQuery = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO sessions%'`
  await expect.poll(async () => isBegun ?? (await query(url, waitingQuery)).length).toBe(1)
  await client.query('COMMIT')
  await beginning
  expect([isBegun, await storage.sessions.listByAccount('1')]).toEqual([false, []])

  await client.end()
  await storage.close()
})
