import type { QueryResult } from 'pg'
import type { Head } from '../../decide.ts'
import type { NewActivity } from '../../history.ts'
import { insertActivitySql, nowSql, personSql, toActivityColumns } from '../activity.ts'
import type { DatabaseClient } from '../connect.ts'
import type { MemoryTable, StorageRules } from './memory-table.ts'

/** Writes rows, head and log, and notifies the other processes on commit. */
const writeSql = `
  WITH written AS (
    INSERT INTO books (seq, id, "eName", email, password, revision, digest, "changedAt", "changedBy",
      "passwordRevision", "passwordAt", removed)
    SELECT seq, id, n, e, p, revision, digest, ${nowSql}, ${personSql('new."by"')},
      changed, CASE WHEN changed IS NOT NULL THEN ${nowSql} END, removed
    FROM unnest ($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bigint[], $7::text[], $8::text[],
      $9::bigint[], $10::boolean[]) AS new (seq, id, n, e, p, revision, digest, "by", changed, removed)
    ON CONFLICT (seq) DO UPDATE SET "eName" = excluded."eName", email = excluded.email,
      password = excluded.password, revision = excluded.revision, removed = excluded.removed,
      "changedAt" = excluded."changedAt", "changedBy" = excluded."changedBy",
      "passwordRevision" = coalesce(excluded."passwordRevision", books."passwordRevision"),
      "passwordAt" = coalesce(excluded."passwordAt", books."passwordAt")
  ), head AS (
    UPDATE register SET revision = $11, places = $12
  ), logged AS (${insertActivitySql(13)})
  SELECT pg_notify('staffbook', '')
`

/** Sends the statement that writes what a step has changed: none if there is nothing to write. */
export function writeRows(
  client: DatabaseClient,
  { encryption }: StorageRules,
  { revision, lastSeq }: Head,
  { writtenRows }: Pick<MemoryTable, 'writtenRows'>,
  activity: NewActivity[] = [],
): Promise<QueryResult>[] {
  const rows = [...writtenRows.values()]
  if (rows.length === 0 && activity.length === 0) return []
  const values = [
    rows.map(({ seq }) => seq),
    rows.map(({ id }) => id),
    ...[0, 1, 2].map((column) => rows.map(({ fieldColumns }) => fieldColumns[column])),
    rows.map(({ revision }) => revision),
    rows.map(({ digest }) => (digest === undefined ? null : encryption.protectDigest(digest))),
    rows.map(({ by }) => by ?? null),
    rows.map(({ passwordRevision }) => passwordRevision),
    rows.map(({ fields }) => !fields),
    revision,
    lastSeq,
    ...toActivityColumns(activity),
  ]
  // A named statement is planned once per connection; planning takes as long as the rest of a small write.
  return [client.query({ name: 'write', text: writeSql, values })]
}
