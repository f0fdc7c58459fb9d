import type { QueryResult } from 'pg'
import type { Head } from '../../decide.ts'
import type { NewActivity } from '../../history.ts'
import { insertActivitySql, nowSql, personSql, toActivityColumns } from '../activity.ts'
import type { DatabaseClient } from '../connect.ts'
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
  ), head AS (
    UPDATE register SET revision = $14, places = $15
  ), logged AS (${insertActivitySql(16)})
`
const deleteEndedSql = 'DELETE FROM deleted WHERE revision = ANY ($1)'
const notifySql = "SELECT pg_notify('staffbook', '')"

/** Sends the statements that write what a step has changed: none if there is nothing to write. */
export function writeRows(
  client: DatabaseClient,
  { encryption }: StorageRules,
  { revision, lastSeq }: Head,
  { writtenRows, endedRemovals }: Pick<MemoryTable, 'writtenRows' | 'endedRemovals'>,
  activity: NewActivity[] = [],
): Promise<QueryResult>[] {
  const rows = [...writtenRows.values()]
  if (rows.length === 0 && activity.length === 0) return []
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
    revision,
    lastSeq,
    ...toActivityColumns(activity),
  ]
  const text = writeSql + (client.canNotify ? notifySql : 'SELECT 1')
  // A named statement is planned once per connection; planning takes as long as the rest of a small write.
  const name = client.isDirect ? { name: 'write' } : {}
  return [
    // Not in the other statement: some engines allow only one change of a table in each.
    ...(endedRemovals.length > 0 ? [client.query(deleteEndedSql, [endedRemovals])] : []),
    client.query({ ...name, text, values }),
  ]
}
