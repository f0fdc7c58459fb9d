import type { NewActivity } from '../history.ts'

/** SQL: the time of the statement, in milliseconds since 1970. A cast alone would round it into the future. */
export const nowSql = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

/** SQL: the short id of an account that exists or was removed, or NULL. */
export const personSql = (uid: string) => `(SELECT id FROM people WHERE people.uid = ${uid})`

/**
 * Inserts entries into the log. Its parameters are `toActivityColumns`, the first has the number `first`. An account must be in
 * `people` before the statement.
 */
export const insertActivitySql = (first = 1) => {
  const [kind, by, seq, revision, account, count] = Array.from({ length: 6 }, (_, i) => `$${first + i}`)
  return `INSERT INTO activity (at, kind, person, seq, revision, subject, count)
    SELECT ${nowSql}, kind, ${personSql('entry."by"')}, seq, revision, ${personSql('entry.account')}, count
    FROM unnest (${kind}::text[], ${by}::text[], ${seq}::bigint[], ${revision}::bigint[], ${account}::text[], ${count}::integer[])
      AS entry (kind, "by", seq, revision, account, count)`
}

export const toActivityColumns = (entries: NewActivity[]): unknown[][] =>
  (['kind', 'by', 'seq', 'revision', 'account', 'count'] as const).map((column) =>
    entries.map((entry) => entry[column] ?? null),
  )
