import pg from 'pg'
import { openPostgres } from '../../server/storage/postgres/open.ts'
import { makeSchema, startCluster } from '../../tests/support/postgres/cluster.ts'
import { median, printRow, round } from './figures.ts'
import { personOf } from './people.ts'

const rounds = 9
const milliseconds = 500

/** Durable adds in PostgreSQL, many processes or one, against what a program does that commits each by itself. */
export async function measurePostgres() {
  const cluster = await startCluster()
  const url = await makeSchema(cluster.url)
  const [ours, beside] = [await openPostgres({ url }), await openPostgres({ url })]
  const bare = new pg.Pool({ connectionString: url, max: 50 })
  await bare.query('CREATE TABLE bare (seq bigserial PRIMARY KEY, id text UNIQUE, e text, m text, p text)')
  const addBare = (id: string, { eName, email, password }: ReturnType<typeof personOf>) =>
    bare.query('INSERT INTO bare (id, e, m, p) VALUES ($1, $2, $3, $4)', [id, eName, email, password])

  for (const [atOnce, wanted] of [
    [50, 1],
    [1, 0.3],
  ] as const) {
    const measured = await inTurns(
      atOnce,
      ours.books.add,
      eitherOf(ours.books.add, beside.books.add),
      addBare,
    )
    for (const [i, who] of ['one server', 'two servers'].entries()) {
      const [our, other] = [measured[i], measured.at(-1)]
      if (!our || !other) continue
      printRow({
        work: `PostgreSQL: durable add through ${who}, ${atOnce} at once`,
        ours: `${round(our.perSecond)}/s`,
        bare: `${round(other.perSecond)}/s`,
        against: 'a bare INSERT and COMMIT for each',
        ratio: our.ratio,
        wanted: `≥ ${wanted}`,
        reached: our.ratio >= wanted,
      })
    }
  }
  await Promise.all([ours.close(), beside.close(), bare.end()])
  await cluster.remove()
}

type Add = (id: string, fields: ReturnType<typeof personOf>) => Promise<unknown>

function eitherOf(...adds: Add[]): Add {
  let turn = 0
  return (id, fields) => (adds[turn++ % adds.length] as Add)(id, fields)
}

/** Adds per second of each, many times and briefly in turn, and its ratio to the last: medians. */
async function inTurns(atOnce: number, ...adds: Add[]) {
  const measured = adds.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, add] of adds.entries()) measured[i]?.push(await perSecond(atOnce, add))
  }
  const last = measured.at(-1) as number[]
  return measured.map((all) => ({
    perSecond: median(all),
    ratio: median(all.map((figure, round) => figure / (last[round] as number))),
  }))
}

let made = 0

async function perSecond(atOnce: number, add: Add): Promise<number> {
  const began = performance.now()
  const before = made
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() - began < milliseconds) {
        made += 1
        await add(`record-${made}`, personOf(made))
      }
    }),
  )
  return ((made - before) / (performance.now() - began)) * 1000
}
