import pg from 'pg'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { createSchema, startCluster } from '../../tests/support/postgres/cluster.ts'
import { employeeAt } from './employees.ts'
import { formatNumber, median, printRow } from './report.ts'

const rounds = 9
const durationMs = 500

/** Durable adds in PostgreSQL, many processes or one, against what a program does that commits each by itself. */
export async function measurePostgres() {
  const cluster = await startCluster()
  const url = await createSchema(cluster.url)
  const [ours, secondServer] = [await openPostgres({ url }), await openPostgres({ url })]
  const bare = new pg.Pool({ connectionString: url, max: 50 })
  await bare.query('CREATE TABLE bare (seq bigserial PRIMARY KEY, id text UNIQUE, e text, m text, p text)')
  const addBare = (id: string, { eName, email, password }: ReturnType<typeof employeeAt>) =>
    bare.query('INSERT INTO bare (id, e, m, p) VALUES ($1, $2, $3, $4)', [id, eName, email, password])

  for (const [atOnce, wanted] of [
    [50, 1],
    [1, 0.3],
  ] as const) {
    const measured = await measureInterleaved(
      atOnce,
      ours.employees.add,
      alternate(ours.employees.add, secondServer.employees.add),
      addBare,
    )
    for (const [i, who] of ['one server', 'two servers'].entries()) {
      const [our, other] = [measured[i], measured.at(-1)]
      if (!our || !other) continue
      printRow({
        label: `PostgreSQL: durable add through ${who}, ${atOnce} at once`,
        ours: `${formatNumber(our.perSecond)}/s`,
        baseline: `${formatNumber(other.perSecond)}/s`,
        baselineName: 'a bare INSERT and COMMIT for each',
        ratio: our.ratio,
        wanted: `≥ ${wanted}`,
        reached: our.ratio >= wanted,
      })
    }
  }
  await Promise.all([ours.close(), secondServer.close(), bare.end()])
  await cluster.remove()
}

type Add = (id: string, fields: ReturnType<typeof employeeAt>) => Promise<unknown>

function alternate(...adds: Add[]): Add {
  let turn = 0
  return (id, fields) => (adds[turn++ % adds.length] as Add)(id, fields)
}

/** Adds per second of each, many times and briefly in turn, and its ratio to the last: medians. */
async function measureInterleaved(concurrency: number, ...adds: Add[]) {
  const measured = adds.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, add] of adds.entries()) measured[i]?.push(await perSecond(concurrency, add))
  }
  const last = measured.at(-1) as number[]
  return measured.map((all) => ({
    perSecond: median(all),
    ratio: median(all.map((figure, round) => figure / (last[round] as number))),
  }))
}

let addedCount = 0

async function perSecond(concurrency: number, add: Add): Promise<number> {
  const began = performance.now()
  const before = addedCount
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() - began < durationMs) {
        addedCount += 1
        await add(`record-${addedCount}`, employeeAt(addedCount))
      }
    }),
  )
  return ((addedCount - before) / (performance.now() - began)) * 1000
}
