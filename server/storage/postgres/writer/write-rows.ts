import type { QueryResult } from 'pg'
import { topicOf } from '../../activity.ts'
import type { Head } from '../../decide.ts'
import { fieldColumns } from '../../field-columns.ts'
import type { NewActivity } from '../../history.ts'
import { keptBytesSql } from '../../previous-passwords.ts'
import type { DatabaseClient } from '../connect.ts'
import { nowSql } from '../run-command.ts'
import type { MemoryTable } from './memory-table.ts'

/** SQL: the short id of an account that exists or was removed, or NULL. */
const personSql = (uid: string) => `(SELECT id FROM people WHERE people.uid = ${uid})`

/**
 * Inserts entries into the log as `logActivity` does, but all entries of a round in the statement that writes its rows. Its parameters are `toActivityColumns`, the first has the number `first`. An account must be in
 * `people` before the statement.
 */
const insertActivitySql = (first: number) => {
  const [kind, by, seq, revision, count, records, topic] = Array.from(
    { length: 7 },
    (_, i) => `$${first + i}`,
  )
  return `INSERT INTO activity (at, kind, topic, person, seq, revision, count, records)
    SELECT ${nowSql}, kind, topic, ${personSql('entry."by"')}, seq, revision, count, records
    FROM unnest (${kind}::text[], ${by}::text[], ${seq}::bigint[], ${revision}::bigint[], ${count}::integer[], ${records}::text[],
      ${topic}::smallint[]) AS entry (kind, "by", seq, revision, count, records, topic)`
}

const toActivityColumns = (entries: NewActivity[]): unknown[][] => [
  ...(['kind', 'by', 'seq', 'revision', 'count', 'records'] as const).map((column) =>
    entries.map((entry) => entry[column] ?? null),
  ),
  entries.map(({ kind }) => topicOf(kind)),
]

const firstFieldParameter = 24

const writtenColumns = ['removed', '"passwordRevision"', '"firstPasswordRevision"', ...fieldColumns]
const writtenColumnsSql = writtenColumns.join(', ')
const updatedColumns = ['revision', 'digest', '"changedAt"', '"changedBy"', ...writtenColumns]

/** Writes rows, head and log, and notifies the other processes on commit. */
const writeSql = `
  WITH written AS (
    INSERT INTO books (seq, id, revision, digest, "changedAt", "changedBy", "passwordAt", ${writtenColumnsSql})
    SELECT seq, id, revision, digest, ${nowSql}, ${personSql('new."by"')}, CASE WHEN changed THEN ${nowSql} END, ${writtenColumnsSql}
    FROM unnest ($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::bigint[],
      $9::bigint[], ${fieldColumns.map((_, i) => `$${firstFieldParameter + i}::bytea[]`)})
      AS new (seq, id, revision, digest, "by", changed, ${writtenColumnsSql})
    ON CONFLICT (seq) DO UPDATE SET
      ${updatedColumns.map((column) => `${column} = excluded.${column}`)},
      "passwordAt" = coalesce(excluded."passwordAt", books."passwordAt")
  ), head AS (
    UPDATE register SET revision = $10, places = $11, bytes = $12
  ), "addedPasswords" AS (
    INSERT INTO "previousPasswords" (seq, digest, since, revision, at, person, fields, total)
    SELECT seq, digest, since, revision, ${nowSql}, ${personSql('previous."by"')}, fields,
      ${keptBytesSql} + coalesce(sum(octet_length(fields)) OVER (ORDER BY revision), 0)
    FROM unnest ($13::bigint[], $14::text[], $15::bigint[], $16::bigint[], $17::text[], $18::bytea[])
      AS previous (seq, digest, since, revision, "by", fields)
  ), "wipedPasswords" AS (
    UPDATE "previousPasswords" AS previous SET fields = NULL
    FROM unnest ($19::bigint[], $20::bigint[]) AS wiped (seq, revision)
    WHERE previous.seq = wiped.seq AND previous.revision = wiped.revision
  ), "forgottenPasswords" AS (
    DELETE FROM "previousPasswords" AS previous USING unnest ($21::bigint[], $22::bigint[]) AS forgotten (seq, revision)
    WHERE previous.seq = forgotten.seq AND previous.revision = forgotten.revision
  ), "voidedLinks" AS (
    DELETE FROM handovers WHERE seq = ANY ($23)
  ), logged AS (${insertActivitySql(firstFieldParameter + fieldColumns.length)})
  SELECT pg_notify('staffbook', '')
`

/** Sends the statement that writes what a step has changed: none if there is nothing to write. */
export function writeRows(
  client: DatabaseClient,
  { revision, lastSeq, bytes }: Head,
  { writtenRows, passwordChanges }: Omit<MemoryTable, 'table'>,
  activity: NewActivity[] = [],
): Promise<QueryResult>[] {
  const rows = writtenRows()
  if (rows.length === 0 && activity.length === 0) return []
  const { added, wiped, forgotten } = passwordChanges()
  const values = [
    rows.map(({ seq }) => seq),
    rows.map(({ id }) => id),
    rows.map(({ revision }) => revision),
    rows.map(({ digests }) => digests),
    rows.map(({ by }) => by ?? null),
    rows.map(({ isPasswordChanged }) => isPasswordChanged),
    rows.map(({ fields }) => !fields),
    rows.map(({ passwords }) => passwords.revision),
    rows.map(({ passwords }) => passwords.first),
    revision,
    lastSeq,
    bytes,
    added.map(({ seq }) => seq),
    added.map(({ digest }) => digest),
    added.map(({ since }) => since),
    added.map(({ revision }) => revision),
    added.map(({ by }) => by ?? null),
    added.map(({ text }) => text),
    wiped.map(({ seq }) => seq),
    wiped.map(({ revision }) => revision),
    forgotten.map(({ seq }) => seq),
    forgotten.map(({ revision }) => revision),
    rows.filter((row) => !row.fields || row.isPasswordChanged).map(({ seq }) => seq),
    ...fieldColumns.map((_, i) => rows.map((row) => row.columns[i])),
    ...toActivityColumns(activity),
  ]
  // A named statement is planned once per connection; planning takes as long as the rest of a small write.
  return [client.query({ name: 'write', text: writeSql, values })]
}
