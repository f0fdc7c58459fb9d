import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { account } from '../contracts/storage-suite.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'

it('PostgreSQL, security: adding a session waits for a running password change, and then fails', async () => {
  const url = await createSchema(inject('postgres'))
  const storage = await openPostgres({ url })
  const client = new pg.Client(url)
  await client.connect()
  await storage.accounts.add(account('1', 'ada@x.y'))
  await client.query(`BEGIN; UPDATE accounts SET "passwordHash" = 'new'`)

  let isAdded: boolean | undefined
  const adding = (async () => {
    isAdded = await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash')
  })()
  const waitingQuery = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO sessions%'`
  await expect.poll(async () => isAdded ?? (await query(url, waitingQuery)).length).toBe(1)
  await client.query('COMMIT')
  await adding
  expect([isAdded, await storage.sessions.listByAccount('1')]).toEqual([false, []])

  await client.end()
  await storage.close()
})

it('PostgreSQL, security: replacing a password ends the session of a sign-in for which it has waited', async () => {
  const url = await createSchema(inject('postgres'))
  const storage = await openPostgres({ url })
  const client = new pg.Client(url)
  await client.connect()
  await storage.accounts.add(account('1', 'ada@x.y'))
  await client.query(`BEGIN; SELECT FROM accounts FOR SHARE; INSERT INTO sessions VALUES ('late', '1', 1, 1)`)

  const replacing = storage.accounts.replacePassword({ uid: '1', passwordHash: 'new' })
  const waitingQuery = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE accounts%'`
  await expect.poll(async () => (await query(url, waitingQuery)).length).toBe(1)
  await client.query('COMMIT')
  expect(await replacing).toEqual(['late'])
  expect(await storage.sessions.listByAccount('1')).toEqual([])

  await client.end()
  await storage.close()
})
