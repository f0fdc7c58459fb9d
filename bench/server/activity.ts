import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Colleague } from '../../contract/accounts.ts'
import { type ActivityQuery, groupNames, maxActivitySubjects } from '../../contract/activity/activity.ts'
import { paths } from '../../contract/protocol.ts'
import { createTestClient, type TestClient } from '../../tests/support/http-client.ts'
import { createSchema, query, startCluster } from '../../tests/support/postgres/cluster.ts'
import { median } from '../statistics.ts'
import { reportResult } from './report.ts'
import { createSeededFolder, startServer } from './servers.ts'

const entryCount = 1_000_000
const rounds = Number(process.env.ROUNDS ?? 15)
const maxMs = 20
const ranges = [{}, { before: '500000' }, { before: '900' }, { after: '999000' }, { after: '1000' }]

/** The first has done nearly everything, the second each kind of thing long ago, the third little, now and then, the last nothing. */
const emails = ['busy@example.com', 'early@example.com', 'rare@example.com', 'idle@example.com']

const searchedRecords = Array.from({ length: maxActivitySubjects }, (_, i) => `record-${i}`)

const fillSql = (now: number, uids: string[]) => `
  WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${entryCount})
  INSERT INTO activity (at, kind, topic, person, seq)
  SELECT ${now - entryCount * 1000} + i * 1000,
    CASE WHEN i <= 1000 THEN 'reported-copy' WHEN i % 50000 = 0 THEN 'backup' WHEN i % 100 = 0 THEN 'sign-in' ELSE 'change' END,
    CASE WHEN i <= 1000 THEN 1 + i % 10 WHEN i % 50000 = 0 THEN 8 WHEN i % 100 = 0 THEN 6 ELSE 1 END,
    (SELECT id FROM people WHERE uid = CASE
      WHEN i <= 1000 THEN '${uids[1]}' WHEN i % 50000 = 0 THEN '' WHEN i % 9973 = 0 THEN '${uids[2]}' ELSE '${uids[0]}' END),
    CASE WHEN i % 100 > 0 THEN 1 + i % 100 END
  FROM numbers`

/** A page of a log of 1,000,000 entries, by each filter, on SQLite and PostgreSQL. */
export async function measureActivity() {
  const folder = await createSeededFolder(100)
  await measurePages('SQLite', await startServer(folder), async (sql) => {
    const database = new DatabaseSync(join(folder, 'staffbook.sqlite'))
    database.exec(sql)
    database.close()
  })
  const cluster = await startCluster()
  const url = await createSchema(cluster.url)
  await measurePages('PostgreSQL', await startServer(folder, { DATABASE_URL: url }), async (sql) => {
    await query(url, sql)
  })
  await cluster.remove()
}

async function measurePages(
  database: string,
  server: Awaited<ReturnType<typeof startServer>>,
  fill: (sql: string) => Promise<void>,
) {
  const client = createTestClient(server.url)
  const uids = await signUpAll(client)
  await fill(fillSql(Date.now(), uids))
  const measure = async (filter: ActivityQuery) => {
    const values = Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)])
    const path = `${paths.activity}?${new URLSearchParams(values)}`
    const times: number[] = []
    const cpuBefore = server.readCpuMicros()
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      const { status } = await client.get(path)
      times.push(performance.now() - startedAt)
      if (status !== 200) throw new Error(`The server responded with ${status} to ${path}.`)
    }
    return { path, ms: median(times), cpuMicros: (server.readCpuMicros() - cpuBefore) / rounds }
  }
  await measure({})
  const reference = await measure({})
  const results: (typeof reference)[] = []
  for (const filter of listFilters(uids)) results.push(await measure(filter))
  const [slowest = reference] = results.toSorted((a, b) => b.ms - a.ms)
  reportResult({
    label: `${database}: activity, the slowest page of ${results.length} filters, ${describe(slowest.path)}`,
    ours: slowest.ms,
    reference: reference.ms,
    referenceName: 'without a filter',
    unit: ' ms',
    limit: { text: `≤ ${maxMs} ms`, isMet: slowest.ms <= maxMs },
    cpuMicros: [Math.max(...results.map(({ cpuMicros }) => cpuMicros)), reference.cpuMicros],
  })
  await server.stop()
}

/** Without the names of people and records. */
const describe = (path: string) => path.replace(/(by|records|people)=[^&]+/g, '$1=…').replace(/^[^?]*/, '')

async function signUpAll(client: TestClient): Promise<string[]> {
  let invitation: string | undefined
  for (const email of emails) {
    await client.signUp(email, undefined, invitation)
    await client.signIn(email)
    invitation = (await client.post(paths.invitations, {})).body.token
  }
  const { accounts } = (await client.get(paths.accounts)).body as { accounts: Colleague[] }
  return emails.map((email) => accounts.find((account) => account.email === email)?.id ?? '')
}

const listFilters = (uids: string[]): ActivityQuery[] => [
  ...[undefined, ...groupNames].flatMap((kind) =>
    [undefined, ...uids, ''].flatMap((by) =>
      ranges.map((range) => ({ ...(kind && { kind }), ...(by !== undefined && { by }), ...range })),
    ),
  ),
  ...[{ people: uids.slice(2) }, { records: searchedRecords }, { records: ['nothing'] }].flatMap((subjects) =>
    ranges
      .slice(0, 3)
      .flatMap((range) =>
        [{}, { kind: 'files' as const }].map((kind) => ({ ...subjects, ...kind, ...range })),
      ),
  ),
]
