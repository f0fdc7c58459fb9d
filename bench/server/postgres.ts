import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { createSchema, startCluster } from '../../tests/support/postgres/cluster.ts'
import { median } from '../statistics.ts'
import { reportResult } from './report.ts'
import { employeeAt } from './servers.ts'

const rounds = 9
const durationMs = 500

type Add = (id: string, fields: ReturnType<typeof employeeAt>) => Promise<unknown>

/** Durable adds through one and two servers against single INSERTs with a COMMIT each. */
export async function measurePostgres() {
  const cluster = await startCluster()
  const url = await createSchema(cluster.url)
  const [first, second] = [await openPostgres({ url }), await openPostgres({ url })]
  const pool = new pg.Pool({ connectionString: url, max: 50 })
  await pool.query('CREATE TABLE bare (seq bigserial PRIMARY KEY, id text UNIQUE, e text, m text, p text)')
  const addBare: Add = (id, { eName, email, password }) =>
    pool.query('INSERT INTO bare (id, e, m, p) VALUES ($1, $2, $3, $4)', [id, eName, email, password])
  let turn = 0
  const addThroughBoth: Add = (...args) => (turn++ % 2 ? first : second).employees.add(...args)

  for (const [concurrency, atLeast] of [
    [50, 1],
    [1, 0.3],
  ] as const) {
    const rates = { bare: [] as number[], 'one server': [] as number[], 'two servers': [] as number[] }
    for (let round = 0; round < rounds; round++) {
      rates['one server'].push(await measurePerSecond(concurrency, first.employees.add))
      rates['two servers'].push(await measurePerSecond(concurrency, addThroughBoth))
      rates.bare.push(await measurePerSecond(concurrency, addBare))
    }
    for (const servers of ['one server', 'two servers'] as const) {
      reportResult({
        label: `PostgreSQL: durable add through ${servers}, ${concurrency} at once`,
        ours: median(rates[servers]),
        reference: median(rates.bare),
        referenceName: 'a bare INSERT and COMMIT for each',
        ratio: median(rates[servers].map((rate, round) => rate / (rates.bare[round] as number))),
        atLeast,
      })
    }
  }
  await Promise.all([first.close(), second.close(), pool.end()])
  await cluster.remove()
}

const roundTripsMs = [0.2, 0.5, 1, 2, 5]
const slowProxy = fileURLToPath(new URL('programs/slow-proxy.ts', import.meta.url))

/** Adds over networks of different latency against the same without a delay: one round of all waiting writes at a time. */
export async function measureNetwork() {
  const cluster = await startCluster()
  for (const writers of [1, 50, 500]) {
    const direct = await measureStorage(cluster.url, writers)
    for (const roundTripMs of roundTripsMs) {
      const proxy = fork(slowProxy, [String(cluster.port), String(roundTripMs / 2)])
      const [port] = await once(proxy, 'message')
      const url = new URL(cluster.url)
      url.port = port
      reportResult({
        label: `PostgreSQL: adds, ${writers} writers, round trip ${roundTripMs} ms`,
        ours: await measureStorage(url.href, writers),
        reference: direct,
        referenceName: 'without a delay',
      })
      proxy.kill()
    }
  }
  await cluster.remove()
}

async function measureStorage(url: string, writers: number): Promise<number> {
  const storage = await openPostgres({ url: await createSchema(url) })
  const rates: number[] = []
  for (let round = 0; round < rounds; round++)
    rates.push(await measurePerSecond(writers, storage.employees.add))
  await storage.close()
  return median(rates)
}

let addedCount = 0

async function measurePerSecond(concurrency: number, add: Add): Promise<number> {
  const startedAt = performance.now()
  const countBefore = addedCount
  const addRepeatedly = async () => {
    while (performance.now() - startedAt < durationMs) {
      addedCount += 1
      await add(`record-${addedCount}`, employeeAt(addedCount))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, addRepeatedly))
  return ((addedCount - countBefore) / (performance.now() - startedAt)) * 1000
}
