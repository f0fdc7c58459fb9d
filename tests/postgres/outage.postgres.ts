import { expect, it } from 'vitest'
import { startServerProcess } from '../support/faults/server-process.ts'
import { createWriters } from '../support/faults/writers.ts'
import { refusal } from '../support/http-client.ts'
import { ada } from '../support/people.ts'
import { createSchema } from '../support/postgres/cluster.ts'
import { provideCluster } from '../support/postgres/storage.ts'

const cluster = provideCluster()

it('PostgreSQL crashes under two servers: they respond 503, recover by themselves, and lose no acknowledged write', async () => {
  const url = await createSchema(cluster.url)
  const start = () => startServerProcess({ DATABASE_URL: url })
  const [one, other] = [await start(), await start()]
  const client = await one.signIn()
  const statusOf = async (path: string, server = one) => (await server.connect().get(path)).status
  const stream = await client.openChangeStream()
  const writers = createWriters(16, client.cookie)

  for (let round = 0; round < 2; round++) {
    const written = writers.writeUntilUnavailable(round % 2 ? other.url : one.url)
    await writers.waitForMore(100)
    await cluster.stop('immediate')
    await written

    expect(await statusOf('/readyz')).toBe(503)
    expect(await statusOf('/healthz')).toBe(200)
    expect(await client.add(ada)).toMatchObject(refusal(503, 'storage-unavailable'))

    await cluster.start()
    await expect.poll(() => statusOf('/readyz')).toBe(200)
    await expect.poll(() => statusOf('/readyz', other)).toBe(200)
    await writers.retryUnanswered(one.url)
    await expect
      .poll(async () => writers.findDifferences(await one.connect(client.cookie).book()))
      .toEqual([])
    const list = await one.connect(client.cookie).book()
    await expect.poll(() => other.connect(client.cookie).book()).toEqual(list)
  }

  const { revision } = await one.connect(client.cookie).book()
  const revisions: number[] = []
  while (revisions.at(-1) !== revision) {
    const event = await stream.next()
    expect(event?.event).toBe('change')
    if (event?.id) revisions.push(event.id)
  }
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
  await stream.close()
  for (const server of [one, other]) expect(await server.kill('SIGTERM')).toBe(0)
})
