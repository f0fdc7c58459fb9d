import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { postgresDialect } from '../../server/storage/postgres/run-command.ts'
import { translateSql } from '../../server/storage/sql/dialect.ts'
import { activityStorageSuite } from '../contracts/activity-storage-suite.ts'
import { historyStorageSuite } from '../contracts/history-storage-suite.ts'
import { linkStorageSuite } from '../contracts/link-storage-suite.ts'
import { account, collect, person, personWithId } from '../contracts/provide-storage.ts'
import { storageSuite } from '../contracts/storage-suite.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'
import { postgresTestStorage } from '../support/postgres/storage.ts'
import { collectStatements, listCommands, postgresCommand, readPage } from '../support/statements.ts'
import { closeAfterTest, createTestStorage } from '../support/storage.ts'

storageSuite('PostgreSQL', createTestStorage)
// Each in a group of its own, because it opens a database for each test.
describe('links', () => linkStorageSuite('PostgreSQL', createTestStorage))
describe('history', () => historyStorageSuite('PostgreSQL', createTestStorage))
describe('activity', () => activityStorageSuite('PostgreSQL', createTestStorage))

it('PostgreSQL: prepares every statement of every command', async () => {
  const url = await createSchema(inject('postgres'))
  await (await postgresTestStorage(url).open()).close()
  const client = new pg.Client(url)
  await client.connect()
  for (const [name, create] of [...listCommands(), ['findSessions', postgresCommand] as const])
    for (const sql of collectStatements(name, create)) {
      const prepared = client.query(`PREPARE each AS ${translateSql(sql, postgresDialect)}`)
      await prepared.catch((error) => expect.fail(`${name}: ${error.message}: ${sql}`))
      await client.query('DEALLOCATE each')
    }
  await client.end()
})

it('PostgreSQL: reads what the operator did from an index, where most entries are of others', async () => {
  const url = await createSchema(inject('postgres'))
  const { accounts, close } = await postgresTestStorage(url).open()
  await accounts.add(account('ada'), 'ada')
  await query(
    url,
    `INSERT INTO activity (at, kind, topic, person)
     SELECT i, 'change', 1, CASE WHEN i % 20 > 0 THEN (SELECT id FROM people) END FROM generate_series(1, 20000) AS i`,
  )
  await query(url, 'ANALYZE activity')
  const { sql, values } = readPage({ by: [null], group: 'files', limit: 100 }, [])
  const rows = await query(url, `EXPLAIN ${translateSql(sql, postgresDialect)}`, [...values])
  const plan = rows.map((row) => Object.values(row)[0]).join('\n')
  expect(plan).toContain('(person IS NULL) AND (topic =')
  expect(plan).not.toContain('Filter: ((person IS NULL)')
  await close()
})

it('PostgreSQL: reads a page of what somebody did from an index, also where it is far back or nothing', async () => {
  const url = await createSchema(inject('postgres'))
  const { accounts, close } = await postgresTestStorage(url).open()
  for (const uid of ['ada', 'eve']) await accounts.add(account(uid, `${uid}@x.y`), uid)
  await query(
    url,
    `INSERT INTO activity (at, kind, topic, person)
     SELECT i, 'change', 1 + i % 2 * 2, (SELECT id FROM people WHERE uid = 'ada') FROM generate_series(1, 20000) AS i`,
  )
  await query(url, 'ANALYZE activity')
  const eve = await query(url, "SELECT id FROM people WHERE uid = 'eve'")
  const page = { before: 10_000, limit: 100 }
  for (const filter of [{ by: ['eve'], group: 'links' }, { group: 'files' }] as const) {
    const { sql, values } = readPage({ ...page, ...filter, by: filter.by && [...filter.by] }, eve)
    const rows = await query(url, `EXPLAIN ANALYZE ${translateSql(sql, postgresDialect)}`, [...values])
    const plan = rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).toContain('Index')
    expect(plan).not.toContain('Rows Removed by Filter')
  }
  await close()
})

it('PostgreSQL: does not wipe a record that another server is restoring', async () => {
  const url = await createSchema(inject('postgres'))
  const { employees, history, close } = await postgresTestStorage(url).open()
  for (const id of ['a', 'b']) await employees.add(id, person(id))
  for (const id of ['a', 'b']) await employees.remove(id)
  const other = new pg.Client(url)
  await other.connect()
  await other.query(`BEGIN; UPDATE books SET removed = false, revision = 5 WHERE id = 'a'`)
  const wiped = history.wipeDeleted(Date.now())
  // Returns at once, or would wait for the other transaction and then wipe what it has restored.
  await Promise.race([wiped, new Promise((resolve) => setTimeout(resolve, 500))])
  await other.query('COMMIT')
  await other.end()
  expect(await wiped).toBe(1)
  expect(await collect(employees.load())).toMatchObject([personWithId('a')])
  await close()
})

it('PostgreSQL: other servers hear when an account or a session has ended', async () => {
  const testStorage = closeAfterTest(postgresTestStorage(await createSchema(inject('postgres'))))
  const [{ accounts, sessions }, other] = [await testStorage.open(), await testStorage.open()]
  let count = 0
  other.onSessionsEnded?.(() => count++)
  for (const uid of ['1', '2']) await accounts.add(account(uid, `${uid}@x.y`))
  const ends = [
    () => sessions.endAll('1'),
    () => accounts.removeColleague('2', '1'),
    () => accounts.remove('1'),
  ]
  for (const [i, end] of ends.entries()) {
    await end()
    await expect.poll(() => count).toBe(i + 1)
  }
})
