import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { readPage } from '../../../tests/support/statements.ts'
import type { ActivityFilter, ActivityPart } from '../history.ts'
import { migrate } from '../sqlite/migrate.ts'
import { createRunCommand, sqliteDialect } from '../sqlite/run-command.ts'
import { activityReads } from './activity.ts'
import { translateSql } from './dialect.ts'

const log = 'INTEGER PRIMARY KEY (rowid>? AND rowid<?)'
const filters: [filter: Omit<ActivityFilter, 'limit'>, index: string][] = [
  [{ group: 'files' }, 'activityOfTopic (topic=? AND id>? AND id<?)'],
  [{ by: ['ada'], group: 'files' }, 'activityOfPerson (person=? AND topic=? AND id>? AND id<?)'],
  [{ by: [null], group: 'people' }, 'activityOfPerson (person=? AND topic=? AND id>? AND id<?)'],
  [{ by: ['ada', null], group: 'links' }, 'activityOfPerson (person=? AND topic=? AND id>? AND id<?)'],
  [{ group: 'records' }, log],
  [{ by: ['ada'] }, log],
  [{ by: ['ada', null], group: 'records' }, log],
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
  // An entry that was found is read by its number.
  const reads = steps.filter((step) => step.startsWith('SEARCH activity') && !step.includes('(rowid=?)'))
  expect(reads.length).toBeGreaterThan(0)
  for (const read of reads) expect(read).toContain(index)
  expect(steps.filter((step) => step.startsWith('SCAN activity') || step.includes('TEMP'))).toEqual([])
})

/** A log of 60,000 entries, the first and the last of which are Ada's. */
function createLongLog() {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  database.exec(`
    INSERT INTO people (uid, email, createdAt) VALUES ('ada', 'ada@x.y', ''), ('eve', 'eve@x.y', '');
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 60000)
    INSERT INTO activity (at, kind, topic, person) SELECT i, 'change', 1, CASE WHEN i IN (1, 60000) THEN 1 ELSE 2 END FROM numbers`)
  return database
}

type Run = ReturnType<typeof createRunCommand>
const subjects = { records: [], people: ['ada'] }
const oldestFirst = { by: ['ada'], limit: 100, isOldestFirst: true }

it.each<[title: string, read: (run: Run, next?: number) => ActivityPart, found: number[][]]>([
  [
    'a search',
    (run, before) => run(activityReads.searchActivity({ before, limit: 100 }, subjects)),
    [[60_000], [], [1]],
  ],
  [
    'a list of what somebody did',
    (run, before) => run(activityReads.listActivity({ by: ['ada'], before, limit: 100 })),
    [[60_000], [], [1]],
  ],
  [
    'the same list, the oldest first,',
    (run, after) => run(activityReads.listActivity({ ...oldestFirst, after })),
    [[1], [], [60_000]],
  ],
  [
    'a list of what was done to records',
    (run, before) =>
      run(activityReads.listActivity({ by: ['ada'], group: 'records', before, after: 20_000, limit: 100 })),
    [[60_000], []],
  ],
])('%s reads a long log in parts, as far as it goes', (_, read, expected) => {
  using database = createLongLog()
  const run = createRunCommand(database)
  const found: number[][] = []
  for (let next: number | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
    const part = read(run, next)
    found.push(part.entries.map(({ id }) => id))
    next = part.next
  }
  expect(found).toEqual(expected)
})
