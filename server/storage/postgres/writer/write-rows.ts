import type { QueryResult } from 'pg'
import type { Head, StorageRules } from '../../decide.ts'
import { assignFields, fieldColumns, fieldColumnsSql } from '../../field-columns.ts'
import type { NewActivity } from '../../history.ts'
import { keptBytesSql } from '../../previous-passwords.ts'
import type { DatabaseClient } from '../connect.ts'
import { nowSql } from '../run-command.ts'
import type { MemoryTable } from './memory-table.ts'

/** SQL: the short id of an account that exists or was removed, or NULL. */
const personSql = (uid: string) => `(SELECT id FROM people WHERE people.uid = ${uid})`

/**
 * Inserts entries into the log. Its parameters are `toActivityColumns`, the first has the number `first`. An account must be in
 * `people` before the statement.
 */
const insertActivitySql = (first: number) => {
  const [kind, by, seq, revision, count, records] = Array.from({ length: 6 }, (_, i) => `$${first + i}`)
  return `INSERT INTO activity (at, kind, person, seq, revision, count, records)
    SELECT ${nowSql}, kind, ${personSql('entry."by"')}, seq, revision, count, records
    FROM unnest (${kind}::text[], ${by}::text[], ${seq}::bigint[], ${revision}::bigint[], ${count}::integer[], ${records}::text[])
      AS entry (kind, "by", seq, revision, count, records)`
}

const toActivityColumns = (entries: NewActivity[]): unknown[][] =>
  (['kind', 'by', 'seq', 'revision', 'count', 'records'] as const).map((column) =>
    entries.map((entry) => entry[column] ?? null),
  )

const firstFieldParameter = 22

/** Writes rows, head and log, and notifies the other processes on commit. */
const writeSql = `
  WITH written AS (
    INSERT INTO books (seq, id, revision, digest, "changedAt", "changedBy", "passwordRevision", "passwordAt", removed,
      ${fieldColumnsSql})
    SELECT seq, id, revision, digest, ${nowSql}, ${personSql('new."by"')},
      "passwordRevision", CASE WHEN changed THEN ${nowSql} END, removed, ${fieldColumnsSql}
    FROM unnest ($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $10::boolean[], $7::boolean[],
      ${fieldColumns.map((_, i) => `$${firstFieldParameter + i}::bytea[]`)})
      AS new (seq, id, revision, digest, "by", "passwordRevision", changed, removed, ${fieldColumnsSql})
    ON CONFLICT (seq) DO UPDATE SET ${assignFields((column) => `excluded.${column}`)},
      revision = excluded.revision, removed = excluded.removed,
      "changedAt" = excluded."changedAt", "changedBy" = excluded."changedBy",
      "passwordRevision" = excluded."passwordRevision",
      "passwordAt" = coalesce(excluded."passwordAt", books."passwordAt")
  ), head AS (
    UPDATE register SET revision = $8, places = $9, bytes = $15
  ), remembered AS (
    INSERT INTO "passwordDigests" (seq, first, digests)
    SELECT * FROM unnest ($11::bigint[], $12::bigint[], $13::text[])
    ON CONFLICT (seq) DO UPDATE SET digests = excluded.digests
  ), forgotten AS (
    DELETE FROM "passwordDigests" WHERE seq = ANY ($14)
  ), kept AS (
    INSERT INTO "previousPasswords" (revision, seq, at, person, fields, total)
    SELECT revision, seq, ${nowSql}, ${personSql('previous."by"')}, fields,
      ${keptBytesSql} + sum(octet_length(fields)) OVER (ORDER BY revision)
    FROM unnest ($16::bigint[], $17::bigint[], $18::text[], $19::bytea[]) AS previous (revision, seq, "by", fields)
  ), unkept AS (
    DELETE FROM "previousPasswords" WHERE revision = ANY ($20)
  ), "voidedLinks" AS (
    DELETE FROM handovers WHERE seq = ANY ($21)
  ), logged AS (${insertActivitySql(firstFieldParameter + fieldColumns.length)})
  SELECT pg_notify('staffbook', '')
`

/** Sends the statement that writes what a step has changed: none if there is nothing to write. */
export function writeRows(
  client: DatabaseClient,
  { encryption }: StorageRules,
  { revision, lastSeq, bytes }: Head,
  { writtenRows, kept, unkept }: Omit<MemoryTable, 'table'>,
  activity: NewActivity[] = [],
): Promise<QueryResult>[] {
  const rows = writtenRows()
  if (rows.length === 0 && activity.length === 0) return []
  const remembered = rows.filter(({ passwords, isPasswordChanged }) => isPasswordChanged && passwords.digests)
  // A text of this step that is not to be kept any more is not yet stored.
  const previous = kept.filter(({ revision }) => !unkept.has(revision))
  const values = [
    rows.map(({ seq }) => seq),
    rows.map(({ id }) => id),
    rows.map(({ revision }) => revision),
    rows.map(({ digest }) => (digest === undefined ? null : encryption.protectDigest(digest))),
    rows.map(({ by }) => by ?? null),
    rows.map(({ passwords }) => passwords.revision),
    rows.map(({ fields }) => !fields),
    revision,
    lastSeq,
    rows.map(({ isPasswordChanged }) => isPasswordChanged),
    remembered.map(({ seq }) => seq),
    remembered.map(({ passwords }) => passwords.first),
    remembered.map(({ passwords }) => passwords.digests),
    rows.filter(({ columns }) => columns[0] === null).map(({ seq }) => seq),
    bytes,
    previous.map(({ revision }) => revision),
    previous.map(({ seq }) => seq),
    previous.map(({ by }) => by ?? null),
    previous.map(({ fields }) => fields),
    [...unkept],
    rows.filter((row) => !row.fields || row.isPasswordChanged).map(({ seq }) => seq),
    ...fieldColumns.map((_, i) => rows.map((row) => row.columns[i])),
    ...toActivityColumns(activity),
  ]
  // A named statement is planned once per connection; planning takes as long as the rest of a small write.
  return [client.query({ name: 'write', text: writeSql, values })]
}
