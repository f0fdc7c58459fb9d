import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paths, revisionHeader } from '../../contract/protocol.ts'
import { type ServerProcess, startServerProcess } from '../support/faults/server-process.ts'
import { password, type TestClient } from '../support/http-client.ts'
import { isNightly } from '../support/nightly.ts'
import { ada } from '../support/people.ts'
import { createSchema } from '../support/postgres/cluster.ts'
import { createHistory } from '../support/postgres/history.ts'
import { startHaproxy } from '../support/postgres/programs.ts'
import { provideCluster } from '../support/postgres/storage.ts'
import { timeouts } from '../support/timeouts.ts'

const historyMs = isNightly ? 300_000 : 10_000

describe('PostgreSQL: three servers behind HAProxy', () => {
  const cluster = provideCluster()
  let url: string
  let servers: ServerProcess[]
  let balancer: Awaited<ReturnType<typeof startHaproxy>>

  beforeAll(async () => {
    url = await createSchema(cluster.url)
    servers = []
    for (let i = 0; i < 3; i++) servers.push(await startServerProcess({ DATABASE_URL: url }))
    balancer = await startHaproxy(servers.map((server) => server.url))
  })
  afterAll(async () => {
    await balancer.stop()
    for (const server of servers) await server.kill('SIGTERM')
  })

  const at = (index: number) => servers[index] as ServerProcess

  /** The status of a list on every server, with one cookie. */
  const statuses = ({ cookie }: TestClient) =>
    Promise.all(servers.map(async ({ connect }) => (await connect(cookie).list()).status))

  it('a session that was ended on one server is refused on all when that is answered', async () => {
    const accounts = ['ada', 'eve', 'bob']
    const clients = await Promise.all(accounts.map((name, i) => at(i).signIn(`${name}@example.com`)))
    const calls = [
      (client: TestClient) => client.delete(paths.session),
      (client: TestClient) => client.delete(paths.sessions),
      (client: TestClient) => client.put(paths.password, { password, newPassword: password }),
    ]
    for (let round = 0; round < 10; round++) {
      for (const [i, client] of clients.entries()) {
        await client.signIn(`${accounts[i]}@example.com`)
        expect(await statuses(client)).toEqual([200, 200, 200])
        const former = { ...client, cookie: client.cookie }
        expect((await calls[i]?.(client))?.status).toBe(204)
        expect(await statuses(former)).toEqual([401, 401, 401])
      }
    }
  })

  it('a stream that continues on another server needs no reload, and both servers send the same list', async () => {
    const client = await at(0).signIn()
    const other = at(1).connect()
    await other.signIn('ada@example.com')
    for (let i = 0; i < 10; i++) {
      const { headers } = await client.add(ada)
      const stream = await other.openChangeStream({ since: Number(headers.get(revisionHeader)) })
      const next = stream.next()
      const { id } = (await client.add(ada)).body
      expect((await next)?.data).toMatchObject({ type: 'saved', document: { id, ...ada } })
      await stream.close()
    }
    const [list, otherList] = [await client.list(), await other.list()]
    expect(otherList.headers.get('etag')).toBe(list.headers.get('etag'))
    expect(otherList.body).toEqual(list.body)
  })

  // The last test, because the server that it starts ends with it.
  it(
    '30 clients: no write is lost, doubled or reverted, and no list is older than what was acknowledged',
    async () => {
      const client = await at(1).signIn('writer@example.com')
      // A history expects no other records.
      for (const { id } of await client.documents()) await client.remove(id)
      const history = createHistory(balancer.url, client.cookie)
      await history.run(30, async () => {
        await sleep(historyMs)
        await at(0).kill('SIGKILL')
        servers[0] = await startServerProcess({ DATABASE_URL: url, PORT: new URL(at(0).url).port })
        await sleep(historyMs / 2)
      })
      expect(history.anomalies.slice(0, 10)).toEqual([])
      expect(history.counts.writes).toBeGreaterThan(0)
    },
    timeouts.longTestMs,
  )
})
