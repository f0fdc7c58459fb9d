import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { readPage } from '../../../tests/support/statements.ts'
import type { ActivityFilter } from '../history.ts'
import { migrate } from '../sqlite/migrate.ts'
import { sqliteDialect } from '../sqlite/run-command.ts'
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
