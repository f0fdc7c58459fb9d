import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { type BookList, paths } from '../../contract/protocol.ts'
import { exitCodes } from '../../server/process/lifecycle.ts'
import { fetchEmployeeList } from '../support/faults/fetch-employee-list.ts'
import { type ServerProcess, ServerStartError, startServerProcess } from '../support/faults/server-process.ts'
import { createWriters } from '../support/faults/writers.ts'
import { createSignedInClient, createTestClient, password } from '../support/http-client.ts'
import { ada, record, renamed } from '../support/people.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'
import { startFaultProxy } from '../support/postgres/proxy.ts'

describe('PostgreSQL: two server processes on one database', () => {
  let url: string
  let servers: ServerProcess[]
  const start = async (environment: Record<string, string> = {}) => {
    const server = await startServerProcess({
      DATABASE_URL: url,
      DATA_DIR: '/dev/null/unused',
      ...environment,
    })
    servers.push(server)
    return server
  }

  beforeEach(async () => {
    servers = []
    url = await createSchema(inject('postgres'))
  })
  afterEach(async () => {
    for (const server of servers) await server.kill('SIGTERM')
  })

  it('an account and its session are valid on both servers', async () => {
    const [one, other] = [await start(), await start()]
    const client = createTestClient(one.url)
    expect((await client.signUp('ada@example.com')).status).toBe(201)
    const otherClient = createTestClient(other.url)
    expect((await otherClient.signUp('ADA@example.com')).status).toBe(409)
    expect((await otherClient.signIn('ada@example.com')).status).toBe(200)
    expect((await fetchEmployeeList(one.url, otherClient.cookie)).documents).toEqual([])
  })

  it("a change reaches the other server's stream, and both send the same ETag", async () => {
    const [one, other] = [await start(), await start()]
    const client = await createSignedInClient(one.url)
    const otherClient = createTestClient(other.url)
    await otherClient.signIn('ada@example.com')
    const stream = await otherClient.openChangeStream()
    for (let i = 0; i < 20; i++) {
      const { id } = (await client.add(ada)).body
      const event = await stream.next()
      expect(event?.data).toMatchObject({ type: 'saved', revision: i + 1, document: { id, ...ada } })
    }
    const [firstList, secondList] = [await client.list(), await otherClient.list()]
    expect(secondList.headers.get('etag')).toBe(firstList.headers.get('etag'))
    expect(secondList.body).toEqual(firstList.body)
    await stream.close()
  })

  it('ending a session on one server ends it and its stream on the other', async () => {
    const [one, other] = [await start(), await start()]
    const client = await createSignedInClient(one.url)
    const otherClient = createTestClient(other.url)
    await otherClient.signIn('ada@example.com')
    const stream = await otherClient.openChangeStream()
    await otherClient.list()
    expect((await client.call('DELETE', paths.sessions)).status).toBe(204)
    expect(await stream.next()).toBeUndefined()
    await expect.poll(async () => (await otherClient.list()).status).toBe(401)
  })

  it('concurrent writes through both are neither lost, duplicated nor reordered, and both return the same list', async () => {
    const [one, other] = [await start(), await start()]
    const [ours, theirs] = [
      await createSignedInClient(one.url),
      await createSignedInClient(other.url, 'eve@example.com'),
    ]
    const writers = [createWriters(8, ours.cookie), createWriters(8, theirs.cookie)] as const
    await Promise.all([writers[0].write(one.url, 25), writers[1].write(other.url, 25)])
    await expect.poll(async () => (await fetchEmployeeList(one.url, ours.cookie)).revision).toBe(400)
    const list = await fetchEmployeeList(one.url, ours.cookie)
    await expect.poll(() => fetchEmployeeList(other.url, ours.cookie)).toEqual(list)
    for (const some of writers) expect(findLostWrites(some, list)).toEqual([])
  })

  it('kill -9 of one server loses no acknowledged write, and the other continues', async () => {
    const [one, other] = [await start(), await start()]
    const { cookie } = await createSignedInClient(one.url)
    const writers = createWriters(16, cookie)
    const survivor = createWriters(4, (await createSignedInClient(other.url, 'eve@example.com')).cookie)
    for (let round = 0, victim = one; round < 3; round++) {
      const targetCount = writers.acknowledged() + 100
      const written = writers.writeUntilDown(victim.url)
      const survivorWrites = survivor.write(other.url, 5)
      while (writers.acknowledged() < targetCount) await sleep(5)
      await victim.kill('SIGKILL')
      await Promise.all([written, survivorWrites])
      victim = await start()
      await writers.retryUnanswered(victim.url)
      const list = await fetchEmployeeList(victim.url, cookie)
      await expect.poll(() => fetchEmployeeList(other.url, cookie)).toEqual(list)
      for (const some of [writers, survivor]) expect(findLostWrites(some, list)).toEqual([])
    }
  })

  it('SIGTERM under load: finishes accepted writes and exits with 0', async () => {
    const server = await start()
    const { cookie } = await createSignedInClient(server.url)
    const writers = createWriters(16, cookie)
    const written = writers.writeUntilDown(server.url)
    while (writers.acknowledged() < 100) await sleep(5)
    expect(await server.kill('SIGTERM')).toBe(0)
    await written
    const again = await start()
    expect(writers.findDifferences(await fetchEmployeeList(again.url, cookie))).toEqual([])
  })

  it("accepts text with U+0000, which PostgreSQL's type text rejects", async () => {
    const server = await start()
    const client = await createSignedInClient(server.url)
    const email = 'ada@example.com\0'
    expect((await client.call('POST', paths.session, { email, password })).status).toBe(401)
    expect((await client.signUp('e\0ve@example.com')).body.code).toBe('invalid-email')
    const odd = renamed('A\0da', record({ password: '\0' }))
    expect((await client.add(odd)).status).toBe(201)
    const [document] = (await client.list()).body.documents
    expect(document).toMatchObject(odd)
  })

  it('logs a rejected statement without the values of its row', async () => {
    const server = await start()
    const client = await createSignedInClient(server.url)
    await query(url, `ALTER TABLE accounts ADD CONSTRAINT no_eve CHECK (email NOT LIKE 'eve%')`)
    await query(url, 'ALTER TABLE books ADD CONSTRAINT no_more CHECK (seq < 1) NOT VALID')
    expect((await client.signUp('eve@example.com')).status).toBe(500)
    expect((await client.add(ada)).status).toBe(500)
    await expect
      .poll(() => server.output.err.match(/(?<="message":"[^"]*)\(23514, \w+, \w+\)/g))
      .toEqual(['(23514, accounts, no_eve)', '(23514, books, no_more)'])
    const values = ['Failing row', 'eve@', 'argon2', ...Object.values(ada)]
    const written = values.flatMap((value) => [value, Buffer.from(value).toString('hex')])
    for (const value of written) expect(server.output.err).not.toContain(value)
  })

  it('SIGTERM while the database does not respond: exits with 0 and acknowledges nothing', async () => {
    const proxy = await startFaultProxy(url)
    const server = await startServerProcess({ DATABASE_URL: proxy.url })
    const client = await createSignedInClient(server.url)
    await client.add(ada)
    const stalled = proxy.stallAfter('FOR UPDATE')
    const adding = client.add(ada).then(
      ({ status }) => status,
      () => 'no response',
    )
    await stalled
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(await adding).not.toBe(201)
    proxy.close()
  })

  it('an unreachable database: exits with 1 and one line without the password', async () => {
    const unreachableUrl = 'postgres://staffbook:hush-hush@127.0.0.1:1/staffbook'
    const error = await startServerProcess({ DATABASE_URL: unreachableUrl }).catch((error) => error)
    expect(error).toBeInstanceOf(ServerStartError)
    expect(error.code).toBe(exitCodes.startFailed)
    expect(error.message).toBe(
      'staffbook: The database 127.0.0.1:1/staffbook cannot be opened: connect ECONNREFUSED 127.0.0.1:1.\n',
    )
  })
})

/** How the list differs from one account's writes, ignoring records of other accounts. */
function findLostWrites(writers: ReturnType<typeof createWriters>, list: BookList): string[] {
  return writers.findDifferences(list).filter((line) => !line.endsWith('was never added'))
}
