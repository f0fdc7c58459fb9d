import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { readPage } from '../../../tests/support/statements.ts'
import type { ActivityFilter } from '../history.ts'
import { migrate } from '../sqlite/migrate.ts'
import { createRunCommand, sqliteDialect } from '../sqlite/run-command.ts'
import { activityReads } from './activity.ts'
import { translateSql } from './dialect.ts'

const filters: [filter: Omit<ActivityFilter, 'limit'>, index: string][] = [
  [{ group: 'files' }, 'activityOfTopic (topic=? AND id>? AND id<?)'],
  [{ by: ['ada'] }, 'activityOfPerson (person=? AND topic=? AND id>? AND id<?)'],
  [{ by: [null] }, 'activityOfPerson (person=? AND topic=? AND id>? AND id<?)'],
  [{ by: ['ada', null], group: 'links' }, 'activityOfPerson (person=? AND topic=? AND id>? AND id<?)'],
]
const ranges = [{}, { before: 9 }, { since: 1 }, { before: 9, since: 1 }, { after: 1, isOldestFirst: true }]

it.each(
  filters.flatMap(([filter, index]) => ranges.map((range) => [{ ...filter, ...range }, index] as const)),
)('SQLite reads a page of %o from the whole index %s, in its order', (filter, index) => {
  using database = new DatabaseSync(':memory:')
  migrate(database)
  const { sql } = readPage({ ...filter, limit: 100 }, [{ id: 1 }])
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${translateSql(sql, sqliteDialect)}`).all()
  const steps = rows.map(({ detail }) => String(detail))
  const reads = steps.filter((step) => step.startsWith('SEARCH activity') && !step.includes('PRIMARY KEY'))
  expect(reads.length).toBeGreaterThan(0)
  for (const read of reads) expect(read).toContain(index)
  expect(steps.filter((step) => step.startsWith('SCAN activity') || step.includes('TEMP'))).toEqual([])
})

it('a search finds the oldest entry of a long log in parts, which it reads in their order', () => {
  using database = new DatabaseSync(':memory:')
  migrate(database)
  database.exec(`
    INSERT INTO people (uid, email, createdAt) VALUES ('ada', 'ada@x.y', ''), ('eve', 'eve@x.y', '');
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 60000)
    INSERT INTO activity (at, kind, topic, person) SELECT i, 'change', 1, CASE WHEN i = 1 THEN 1 ELSE 2 END FROM numbers`)
  const run = createRunCommand(database)
  const subjects = { records: [], people: ['ada'] }
  const found: number[][] = []
  for (let before: number | undefined, isFirst = true; isFirst || before !== undefined; isFirst = false) {
    const page = run(activityReads.searchActivity({ before, limit: 100 }, subjects))
    found.push(page.entries.map(({ id }) => id))
    before = page.next
  }
  expect(found).toEqual([[], [], [1]])
})
