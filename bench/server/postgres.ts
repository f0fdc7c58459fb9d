import pg from 'pg'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { createSchema, startCluster } from '../../tests/support/postgres/cluster.ts'
import { median, reportResult } from './report.ts'
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
