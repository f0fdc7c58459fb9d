import { beforeEach, describe, expect, inject, it } from 'vitest'
import { paths } from '../../contract/protocol.ts'
import { exitCodes } from '../../server/process/lifecycle.ts'
import { ServerStartError, startServerProcess } from '../support/faults/server-process.ts'
import { password, signInAt } from '../support/http-client.ts'
import { ada } from '../support/people.ts'
import { createSchema, query } from '../support/postgres/cluster.ts'
import { startFaultProxy } from '../support/postgres/proxy.ts'

describe('PostgreSQL: two server processes on one database', () => {
  let url: string
  const start = () => startServerProcess({ DATABASE_URL: url, DATA_DIR: '/dev/null/unused' })

  beforeEach(async () => {
    url = await createSchema(inject('postgres'))
  })

  it('a colleague who is removed on one server has lost session and streams on the other, until let back in', async () => {
    const [one, other] = [await start(), await start()]
    const ann = await one.signIn()
    const { body } = await ann.add(ada)
    const bob = await other.signIn('bob@example.com')
    const stream = await bob.openChangeStream()
    const uid = await bob.uid()
    const removing = ann.put(paths.accountRemoval(uid), { password })
    expect(await stream.next()).toBeUndefined()
    expect((await bob.list()).status).toBe(401)
    expect((await removing).status).toBe(204)
    expect((await bob.signIn('bob@example.com')).body.code).toBe('account-removed')
    const exposed = () => ann.get(`${paths.exposed}?account=${uid}`)
    expect((await exposed()).body).toEqual({ ids: [body.id], canSignIn: false })
    await ann.update(body.id, { ...ada, password: 'another' })
    expect((await exposed()).body.ids).toEqual([])
    expect((await ann.delete(paths.accountRemoval(uid))).status).toBe(204)
    expect((await bob.signIn('bob@example.com')).status).toBe(200)
  })

  it('logs a rejected statement without the values of its row', async () => {
    const server = await start()
    const client = await server.signIn()
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
    const { server, client } = await signInAt(startServerProcess({ DATABASE_URL: proxy.url }))
    await client.add(ada)
    const stalled = proxy.stallAfter('FOR UPDATE')
    const adding = client.add(ada).catch(() => null)
    await stalled
    expect(await server.kill('SIGTERM')).toBe(0)
    expect((await adding)?.status).not.toBe(201)
  })

  it('an unreachable database: exits with 1 and one line without the password', async () => {
    const unreachableUrl = 'postgres://staffbook:hush-hush@127.0.0.1:1/staffbook'
    const error = await startServerProcess({ DATABASE_URL: unreachableUrl }).catch((error) => error)
    expect(error).toBeInstanceOf(ServerStartError)
    const message =
      'staffbook: The database 127.0.0.1:1/staffbook cannot be opened: connect ECONNREFUSED 127.0.0.1:1.\n'
    expect(error).toMatchObject({ code: exitCodes.startFailed, message })
  })
})
