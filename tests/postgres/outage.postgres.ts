import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listOf } from '../support/faults/list-of.ts'
import { startProcess } from '../support/faults/server-process.ts'
import { createWriters } from '../support/faults/writers.ts'
import { signedIn } from '../support/http-client.ts'
import { type Cluster, makeSchema, startCluster } from '../support/postgres/cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

it('PostgreSQL stops at once under two running servers: 503 meanwhile; they heal, and nothing answered is lost', async () => {
  const url = await makeSchema(cluster.url)
  const servers = [
    await startProcess({ DATABASE_URL: url }),
    await startProcess({ DATABASE_URL: url }),
  ] as const
  const [one, other] = servers
  const client = await signedIn(one.url)
  const statusOf = async (path: string) => (await fetch(one.url + path)).status
  const stream = await client.changes()
  const writers = createWriters(16, client.cookie)

  for (let round = 0; round < 3; round++) {
    const wanted = writers.acknowledged() + 100
    const written = writers.writeUntilUnavailable(round % 2 ? other.url : one.url)
    while (writers.acknowledged() < wanted) await sleep(5)
    await cluster.stop('immediate')
    await written

    expect(await statusOf('/readyz')).toBe(503)
    expect(await statusOf('/healthz')).toBe(200)
    const refused = await client.add({ eName: 'x', email: 'x@y.z', password: 'x' })
    expect([refused.status, refused.body.code]).toEqual([503, 'storage-unavailable'])

    await cluster.start()
    await expect.poll(() => statusOf('/readyz')).toBe(200)
    await expect.poll(() => fetch(`${other.url}/readyz`).then(({ status }) => status)).toBe(200)
    await writers.finish(one.url)
    await expect.poll(async () => writers.differences(await listOf(one.url, client.cookie))).toEqual([])
    const list = await listOf(one.url, client.cookie)
    await expect.poll(() => listOf(other.url, client.cookie)).toEqual(list)
  }

  const { revision } = await listOf(one.url, client.cookie)
  const told: number[] = []
  while (told.at(-1) !== revision) {
    const event = await stream.next()
    expect(event?.event).toBe('change')
    if (event?.id) told.push(event.id)
  }
  expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
  await stream.close()
  for (const server of servers) expect(await server.kill('SIGTERM')).toBe(0)
})
