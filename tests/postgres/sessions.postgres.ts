import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { account } from '../contracts/storage-suite.ts'
import { makeSchema, query } from '../support/postgres/cluster.ts'

it('PostgreSQL, security: a session that is begun while the password changes waits, and is none', async () => {
  const url = await makeSchema(inject('postgres'))
  const storage = await openPostgres({ url })
  const another = new pg.Client(url)
  await another.connect()
  await storage.accounts.add(account('1', 'ada@x.y'))
  await another.query(`BEGIN; UPDATE accounts SET "passwordHash" = 'new'`)

  let begun: boolean | undefined
  const beginning = (async () => {
    begun = await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash')
  })()
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO sessions%'`
  await expect.poll(async () => begun ?? (await query(url, waiting)).length).toBe(1)
  await another.query('COMMIT')
  await beginning
  expect([begun, await storage.sessions.listOf('1')]).toEqual([false, []])

  await another.end()
  await storage.close()
})
