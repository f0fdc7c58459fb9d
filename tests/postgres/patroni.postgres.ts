import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from '../support/faults/server-process.ts'
import type { TestClient } from '../support/http-client.ts'
import { ada } from '../support/people.ts'
import { createHistory } from '../support/postgres/history.ts'
import { measureOutage } from '../support/postgres/outage.ts'
import { type PatroniCluster, startPatroni } from '../support/postgres/patroni.ts'
import { startHaproxy } from '../support/postgres/programs.ts'

/** Each change of leader takes seconds, more on a busy machine. */
const limitMs = 300_000

describe('PostgreSQL: three servers that Patroni manages, two of ours behind HAProxy', () => {
  let cluster: PatroniCluster
  let servers: ServerProcess[] = []
  let balancer: Awaited<ReturnType<typeof startHaproxy>>

  beforeAll(async () => {
    cluster = await startPatroni()
    const environment = { DATABASE_URL: cluster.url, DATABASE_STANDBY: 'synchronous' }
    servers = [await startServerProcess(environment), await startServerProcess(environment)]
    balancer = await startHaproxy(servers.map(({ url }) => url))
  }, limitMs)
  afterAll(async () => {
    await balancer?.stop()
    for (const server of servers) await server.kill('SIGKILL')
    await cluster?.stop()
  }, limitMs)

  it(
    'the leader is killed twice: nothing is lost, doubled, reverted or stale; people stay signed in, streams continue',
    async () => {
      const clients: TestClient[] = []
      for (const server of servers) clients.push(await server.signIn())
      const [client] = clients as [TestClient]
      const streams = await Promise.all(clients.map((each) => each.openChangeStream()))
      const history = createHistory(balancer.url, client.cookie)
      const writeMore = async () => {
        const expected = history.counts.writes + 100
        while (history.counts.writes < expected) await sleep(10)
      }
      await history.run(16, async () => {
        for (const kill of ['killPostgres', 'kill'] as const) {
          const leader = await cluster.waitForLeader()
          await writeMore()
          const seconds = await measureOutage(clients, leader[kill])
          console.log(`Patroni, ${kill} of the leader: writes succeed again after ${seconds.toFixed(1)} s`)
          await writeMore()
        }
      })
      expect(history.anomalies.slice(0, 10)).toEqual([])

      const { body } = await client.add(ada)
      for (const stream of streams) {
        for (;;) {
          const event = await stream.next()
          expect(event?.event).toBe('change')
          if (event?.data.document?.id === body.id) break
        }
        await stream.close()
      }
      const lists = await Promise.all(servers.map((server) => server.connect(client.cookie).book()))
      expect(lists[1]).toEqual(lists[0])
      expect(lists[0]?.documents).toContainEqual({ id: body.id, ...ada })
    },
    limitMs,
  )
})
