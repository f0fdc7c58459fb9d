import type { Client, QueryResult } from 'pg'
import type { Head } from '../../decide.ts'
import type { NewActivity } from '../../history.ts'
import { insertActivitySql, nowSql, personSql, toActivityColumns } from '../activity.ts'
import type { MemoryTable, PendingRow, StorageRules } from './memory-table.ts'

/** Writes rows, head and log, and notifies the other processes on commit. */
const writeSql = `
  WITH written AS (
    INSERT INTO books (seq, id, "eName", email, password, revision, digest, "changedAt", "changedBy",
      "passwordRevision", "passwordAt")
    SELECT seq, id, n, e, p, revision, digest, ${nowSql}, ${personSql('new."by"')},
      changed, CASE WHEN changed IS NOT NULL THEN ${nowSql} END
    FROM unnest ($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[], $7::text[], $8::text[],
      $9::bigint[]) AS new (seq, id, n, e, p, revision, digest, "by", changed)
    ON CONFLICT (seq) DO UPDATE SET "eName" = excluded."eName", email = excluded.email,
      password = excluded.password, revision = excluded.revision,
      "changedAt" = excluded."changedAt", "changedBy" = excluded."changedBy",
      "passwordRevision" = coalesce(excluded."passwordRevision", books."passwordRevision"),
      "passwordAt" = coalesce(excluded."passwordAt", books."passwordAt")
  ), kept AS (
    INSERT INTO deleted (revision, "eName", email, password)
    SELECT * FROM unnest ($10::bigint[], $11::bytea[], $12::bytea[], $13::bytea[])
  ), ended AS (
    DELETE FROM deleted WHERE revision = ANY ($14::bigint[])
  ), head AS (
    UPDATE register SET revision = $15, places = $16
  ), logged AS (${insertActivitySql(17)})
  SELECT pg_notify('staffbook', '')`

/** Writes what a step has changed. Does nothing if there is nothing to write. */
export async function writeRows(
  client: Client,
  { encryption }: StorageRules,
  { revision, lastSeq }: Head,
  { writtenRows, endedRemovals }: Pick<MemoryTable, 'writtenRows' | 'endedRemovals'>,
  activity: NewActivity[] = [],
): Promise<QueryResult | undefined> {
  const rows = [...writtenRows.values()]
  if (rows.length === 0 && activity.length === 0) return
  const kept = rows.filter(({ deletedColumns }) => deletedColumns)
  const columnOf = (from: PendingRow[], name: 'fieldColumns' | 'deletedColumns') =>
    [0, 1, 2].map((column) => from.map((row) => row[name]?.[column] ?? null))
  const values = [
    rows.map(({ seq }) => seq),
    rows.map(({ id }) => id),
    ...columnOf(rows, 'fieldColumns'),
    rows.map(({ revision }) => revision),
    rows.map(({ digest }) => (digest === undefined ? null : encryption.protectDigest(digest))),
    rows.map(({ by }) => by ?? null),
    rows.map(({ passwordRevision }) => passwordRevision),
    kept.map(({ revision }) => revision),
    ...columnOf(kept, 'deletedColumns'),
    endedRemovals,
    revision,
    lastSeq,
    ...toActivityColumns(activity),
  ]
  // A named statement is planned once per connection; planning takes as long as the rest of a small write.
  return client.query({ name: 'write', text: writeSql, values })
}
