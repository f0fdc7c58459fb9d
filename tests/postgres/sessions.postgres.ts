import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { account } from '../contracts/provide-storage.ts'
import { ada } from '../support/people.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'
import { postgresTestStorage } from '../support/postgres/storage.ts'
import { startTestServer } from '../support/server.ts'
import { closeAfterTest } from '../support/storage.ts'

/** Runs `call` while another connection has executed `sql`, and ends its transaction when the call waits for it. */
async function runAgainst<T>(
  sql: string,
  call: (storage: Storage) => Promise<T>,
  end = 'COMMIT',
  prepare = async (_: Storage) => {},
) {
  const url = await createSchema(inject('postgres'))
  const storage = await closeAfterTest(postgresTestStorage(url)).open()
  await storage.accounts.add(account('1', 'ada@x.y'))
  await storage.employees.add('a', ada)
  const handover = { hash: 'x', record: 'a', uid: '1', seen: ada, sealed: 'sealed', expiresAt: 2 }
  await storage.links.addHandovers([handover], 1)
  await prepare(storage)
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`BEGIN; ${sql}`)
  const calling = call(storage)
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query ~ '(INSERT INTO sessions|UPDATE accounts|FROM accounts WHERE uid|WITH written)'`
  await expect.poll(async () => (await query(url, waiting)).length).toBe(1)
  await client.query(end)
  await client.end()
  return [await calling, await storage.sessions.listByAccount('1')]
}

it('PostgreSQL, security: adding a session waits for a running password change, and then fails', async () => {
  const session = { hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }
  const sql = `UPDATE accounts SET "passwordHash" = 'new'`
  expect(await runAgainst(sql, ({ sessions }) => sessions.add(session, 'hash'))).toEqual([false, []])
})

it('PostgreSQL, security: replacing a password ends the session of a sign-in for which it has waited', async () => {
  const sql = `SELECT FROM accounts FOR SHARE; INSERT INTO sessions VALUES ('late', '1', 1, 1)`
  const replace = ({ accounts }: Storage) => accounts.replacePassword({ uid: '1', passwordHash: 'new' })
  expect(await runAgainst(sql, replace)).toEqual([['late'], []])
})

it('PostgreSQL, security: a changed password voids a link, also one that someone has begun to open or revoke, and then fails', async () => {
  async function change({ employees, links }: Storage) {
    await employees.update('a', { ...ada, password: 'changed' })
    return links.takeHandover('x', 1)
  }
  for (const sql of [`UPDATE handovers SET "openedAt" = 1`, 'DELETE FROM accounts'])
    expect(await runAgainst(sql, change, 'ROLLBACK')).toEqual([undefined, []])
})

it('PostgreSQL, security: adding a passkey, or signing in with one, waits for a running reset, and then fails', async () => {
  const session = { hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }
  const challenge = (nonce: string) => ({ nonce, expiresAt: 9 })
  const state = { counter: 0, isBackedUp: false }
  const passkey = (id: string) => ({ id, uid: '1', name: 'x', publicKey: 'x', createdAt: 1, ...state })
  const use = { ...state, id: 'a', challenge: challenge('2'), addressHash: 'x' }
  const prepare = async ({ sessions, passkeys }: Storage) => {
    await sessions.add(session, 'hash')
    expect(await passkeys.add(passkey('a'), challenge('1'), 'h')).toBe('done')
  }
  const sql = `UPDATE accounts SET "passwordHash" = 'new'; DELETE FROM sessions; DELETE FROM passkeys`
  for (const call of [
    ({ passkeys }: Storage) => passkeys.add(passkey('b'), challenge('2'), 'h'),
    ({ passkeys }: Storage) => passkeys.signIn({ ...use, session: { ...session, hash: 'i' } }),
  ])
    expect(await runAgainst(sql, call, 'COMMIT', prepare)).toEqual(['refused', []])
})

it('PostgreSQL, security: looks up sessions while the costly reads of many accounts wait for the database', async () => {
  const url = await createSchema(inject('postgres'))
  const server = await startTestServer({ testStorage: postgresTestStorage(url) })
  const readers = await Promise.all(Array.from({ length: 20 }, (_, i) => server.signIn(`${i}@example.com`)))
  const client = await server.signIn()
  const other = new pg.Client(url)
  await other.connect()
  await other.query('BEGIN; LOCK TABLE books')
  const reading = readers.map((reader) => reader.get(paths.deleted))
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query ~ 'FROM books'`
  await expect.poll(async () => (await query(url, waiting)).length).toBeGreaterThan(0)
  for (let i = 0; i < 10; i++) expect((await client.get(paths.session)).status).toBe(200)
  await other.end()
  for (const { status } of await Promise.all(reading)) expect(status).toBe(200)
})
