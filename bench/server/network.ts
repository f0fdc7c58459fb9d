import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { createSchema, startCluster } from '../../tests/support/postgres/cluster.ts'
import { median, reportResult } from './report.ts'
import { employeeAt } from './servers.ts'

const roundTripsMs = [0.2, 0.5, 1, 2, 5]
const rounds = 5
const durationMs = 1000

/** Adds over networks of different latency against the same without a delay: one round of all waiting writes at a time. */
export async function measureNetwork() {
  const cluster = await startCluster()
  for (const writers of [1, 50, 500]) {
    const direct = await measure(cluster.url, writers)
    for (const roundTripMs of roundTripsMs) {
      const proxy = fork(fileURLToPath(new URL('slow-proxy.ts', import.meta.url)), [
        String(cluster.port),
        String(roundTripMs / 2),
      ])
      const [port] = await once(proxy, 'message')
      const url = new URL(cluster.url)
      url.port = port
      reportResult({
        label: `PostgreSQL: adds, ${writers} writers, round trip ${roundTripMs} ms`,
        ours: await measure(url.href, writers),
        reference: direct,
        referenceName: 'without a delay',
      })
      proxy.kill()
    }
  }
  await cluster.remove()
}

async function measure(url: string, writers: number): Promise<number> {
  const storage = await openPostgres({ url: await createSchema(url) })
  const rates: number[] = []
  let count = 0
  for (let round = 0; round < rounds; round++) {
    const [startedAt, before] = [performance.now(), count]
    const add = async () => {
      while (performance.now() - startedAt < durationMs) {
        count += 1
        await storage.employees.add(`record-${count}`, employeeAt(count))
      }
    }
    await Promise.all(Array.from({ length: writers }, add))
    rates.push(((count - before) / (performance.now() - startedAt)) * 1000)
  }
  await storage.close()
  return median(rates)
}
