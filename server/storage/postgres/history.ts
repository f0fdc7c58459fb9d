import type { FieldEncryption } from '../encryption/field-encryption.ts'
import {
  type ActivityKind,
  type HistoryStorage,
  maxActivity,
  maxRemovedTogether,
  type NewActivity,
  type StoredDetails,
} from '../history.ts'
import { insertActivitySql, nowSql, personSql, toActivityColumns } from './activity.ts'
import type { Pool } from './connect.ts'
import { throwReadError, throwWriteError } from './errors.ts'

const pageSize = 5000

export function createHistoryStorage(pool: Pool, encryption: FieldEncryption): HistoryStorage {
  const read = (sql: string, values: unknown[] = []) => pool.query(sql, values).catch(throwReadError)
  const write = (sql: string, values: unknown[]) => pool.query(sql, values).catch(throwWriteError)

  return {
    async *loadDetails(ids?: string[]) {
      if (ids)
        return yield (await read(`${detailsSql} AND books.id = ANY ($1) ORDER BY seq`, [ids])).rows.map(
          toDetails,
        )
      yield* pagesOf(
        (last) => read(`${detailsSql} AND seq > $1 ORDER BY seq LIMIT ${pageSize}`, [last]),
        'seq',
        toDetails,
      )
    },
    listDeleted: async (limit) =>
      (await read(deletedSql, [limit])).rows.map(({ id, deletedAt, deletedBy, ...fields }) => ({
        id,
        ...encryption.decrypt(id, fields),
        deletedAt,
        deletedBy,
      })),
    countDeleted: async () =>
      (await read(`SELECT count(*) AS n FROM books WHERE ${restorableSql}`)).rows[0].n,
    async findExposed(uid) {
      const [row] = (await read(exposedSql, [uid])).rows
      return row && { ids: row.ids === null ? [] : row.ids.split(','), canSignIn: row.canSignIn }
    },
    listFormerAccounts: async () =>
      (
        await read(
          `SELECT uid, email, "createdAt", "removedAt" FROM people WHERE "removedAt" IS NOT NULL ORDER BY "removedAt", id`,
        )
      ).rows,
    log: async (activity: NewActivity) =>
      void (await write(insertActivitySql(), toActivityColumns([activity]))),
    logRecords: async (kind: ActivityKind, by: string, ids: string[]) =>
      void (await write(insertForRecordsSql, [kind, by, ids])),
    loadActivity: () =>
      pagesOf(
        (last) => read(activitySql, [last]),
        'id',
        ({ id: _, ...activity }) => activity,
      ),
    wipeDeleted: async (removedUntil) => Number((await write(wipeSql, [removedUntil])).rowCount),
    removeActivity: async (loggedUntil) => Number((await write(removeActivitySql, [loggedUntil])).rowCount),
  }
}

const detailsSql = `
  SELECT seq, books.id, "changedAt", people.email AS "changedBy", "passwordAt"
  FROM books LEFT JOIN people ON people.id = "changedBy" WHERE NOT removed AND "changedAt" IS NOT NULL`

/** Must be the condition of the index. */
const restorableSql = 'removed AND "eName" IS NOT NULL'

const deletedSql = `
  SELECT books.id, "eName", books.email, password, "changedAt" AS "deletedAt", people.email AS "deletedBy"
  FROM books LEFT JOIN people ON people.id = "changedBy" WHERE ${restorableSql} ORDER BY revision DESC LIMIT $1`

const exposedSql = `
  SELECT "removedAt" IS NULL AS "canSignIn", (
    SELECT string_agg(books.id, ',' ORDER BY seq) FROM books
    WHERE NOT removed AND ("removedAt" IS NULL OR coalesce("passwordRevision", 0) <= "removedRevision")
  ) AS ids FROM people WHERE uid = $1`

const insertForRecordsSql = `
  INSERT INTO activity (at, kind, person, seq)
  SELECT ${nowSql}, $1, ${personSql('$2')}, seq FROM books WHERE id = ANY ($3)`

const activitySql = `
  SELECT activity.id, at, kind, actor.email AS "by", books.id AS record, activity.revision,
    other.email AS account, count
  FROM activity LEFT JOIN people AS actor ON actor.id = person LEFT JOIN people AS other ON other.id = subject
  LEFT JOIN books USING (seq) WHERE activity.id > $1 ORDER BY activity.id LIMIT ${pageSize}`

/** Never waits for a round, which may be restoring one of the records. */
const wipeSql = `
  UPDATE books SET "eName" = NULL, email = NULL, password = NULL WHERE removed AND seq IN (
    SELECT seq FROM books WHERE "changedAt" <= $1 AND seq IN (
      SELECT seq FROM books WHERE ${restorableSql} ORDER BY revision LIMIT ${maxRemovedTogether})
    FOR UPDATE SKIP LOCKED)`

const removeActivitySql = `
  DELETE FROM activity WHERE id IN (
    SELECT id FROM (SELECT id, at FROM activity ORDER BY id LIMIT ${maxRemovedTogether}) AS oldest
    WHERE at <= $1 OR id <= (SELECT max(id) FROM activity) - ${maxActivity})`

// biome-ignore lint/suspicious/noExplicitAny: rows of any query
type Row = any

/** Rows in ascending order of a column, which begins above 0. */
async function* pagesOf<T>(
  select: (after: number) => Promise<{ rows: Row[] }>,
  column: string,
  convert: (row: Row) => T,
): AsyncGenerator<T[]> {
  let last = 0
  for (;;) {
    const { rows } = await select(last)
    if (rows.length === 0) return
    yield rows.map(convert)
    last = rows.at(-1)[column]
  }
}

const toDetails = ({ seq: _, ...details }: StoredDetails & { seq: number }): StoredDetails => details
