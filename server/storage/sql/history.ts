import { createDeletionGroups } from '../../../contract/deletions.ts'
import type { FieldName } from '../../../contract/employees.ts'
import { startTurn } from '../../yield-to-event-loop.ts'
import { includesNumber, topicOf } from '../activity.ts'
import { fieldColumns, hasFieldsSql, wipeFieldsSql } from '../field-columns.ts'
import {
  type ActivityKind,
  type DeletionFilter,
  maxActivity,
  maxRemovedTogether,
  type NewActivity,
  type Person,
  type RecordActivity,
  type StoredDeletion,
  type StoredDetails,
} from '../history.ts'
import { keptBytesSql } from '../previous-passwords.ts'
import { type Command, execute, selectAll, selectOne } from './command.ts'

export const pageSize = 1000

/** SQL: the short id of an account that exists or was removed. */
export const personSql = '(SELECT id FROM people WHERE people.uid = ?)'

const insertActivitySql = `
  INSERT INTO activity (at, kind, topic, person, seq, revision, subject, count, invitation, records, browser)
  VALUES (now_ms(), ?, ?, ${personSql}, ?, ?, ${personSql}, ?, ?, ?, ?)`

const toValues = ({ kind, by, seq, revision, account, count, invitation, records, browser }: NewActivity) =>
  [kind, topicOf(kind), by, seq, revision, account, count, invitation, records, browser] as const

/** Writes an entry of the log, in the transaction of what it logs. An account must be in `people` before. */
export function* logActivity(entry: NewActivity): Command<void> {
  yield* execute(insertActivitySql, ...toValues(entry))
}

/** Returns the number of the entry. */
export function* logNumbered(entry: NewActivity): Command<number> {
  const row = yield* selectOne<{ id: number }>(`${insertActivitySql} RETURNING id`, ...toValues(entry))
  return row?.id ?? 0
}

const insertForRecordsSql = (column: 'id' | 'seq') => `
  INSERT INTO activity (at, kind, topic, person, subject, seq)
  SELECT now_ms(), ?, ?, ${personSql}, ${personSql}, seq FROM books WHERE ${column} = ANY (?)`

/** Logs one entry for each sequence of a record. `account`: the `uid` of the account that it concerns. */
export const logSeqs = (kind: ActivityKind, by: string | undefined, seqs: number[], account?: string) =>
  execute(insertForRecordsSql('seq'), kind, topicOf(kind), by, account, seqs)

/** SQL: a removed record whose fields are kept. Those that are wiped have NULL fields. Each has an index. */
export const restorableSql = `removed AND ${hasFieldsSql}`

/** Never waits for a round of PostgreSQL, which may be restoring one of the records. */
const expiredSql = `
  SELECT seq FROM books WHERE removed AND "changedAt" <= ? AND seq IN (
    SELECT seq FROM books WHERE ${restorableSql} ORDER BY revision LIMIT ${maxRemovedTogether})
  FOR UPDATE SKIP LOCKED`

/** Does not wait for a round either. */
const forgetPreviousSql = `
  DELETE FROM "previousPasswords" WHERE (seq, revision) IN (
    SELECT seq, revision FROM "previousPasswords" WHERE seq = ANY (?) FOR UPDATE SKIP LOCKED)`

/** At about so many bytes of previous passwords the oldest are wiped, so that changes do not fill the disk. */
const maxKeptBytes = 200 * 2 ** 20

/** Does not wait for a round either. */
const wipePreviousSql = `
  UPDATE "previousPasswords" SET fields = NULL WHERE (seq, revision) IN (
    SELECT seq, revision FROM "previousPasswords"
    WHERE fields IS NOT NULL AND (at <= ? OR total <= ${keptBytesSql} - ${maxKeptBytes}) AND revision IN (
      SELECT revision FROM "previousPasswords" WHERE fields IS NOT NULL ORDER BY revision LIMIT ${maxRemovedTogether})
    FOR UPDATE SKIP LOCKED)`

const removeActivitySql = `
  DELETE FROM activity WHERE id IN (
    SELECT id FROM (SELECT id, at FROM activity ORDER BY id LIMIT ${maxRemovedTogether}) AS oldest
    WHERE at <= ? OR id <= (SELECT max(id) FROM activity) - ${maxActivity})`

export const historyWrites = {
  log: logActivity,

  /** Logs one entry for each id that is or was a record's. */
  *logRecords(kind: ActivityKind, by: string, ids: string[]): Command<void> {
    yield* execute(insertForRecordsSql('id'), kind, topicOf(kind), by, undefined, ids)
  },

  /** Deletes the fields of records removed until then, the oldest first, at most `maxRemovedTogether`. Returns their number. */
  *wipeDeleted(removedUntil: number): Command<number> {
    const seqs = (yield* selectAll<{ seq: number }>(expiredSql, removedUntil)).map(({ seq }) => seq)
    if (seqs.length === 0) return 0
    yield* execute(forgetPreviousSql, seqs)
    return yield* execute(`UPDATE books SET ${wipeFieldsSql} WHERE seq = ANY (?)`, seqs)
  },

  /** Wipes passwords that were replaced until then, the oldest first, some at a time. Returns their number. */
  wipePrevious: (replacedUntil: number) => execute(wipePreviousSql, replacedUntil),

  /** Writes without changing anything. */
  *tryToWrite(): Command<void> {
    for (const change of ['+', '-']) yield* execute(`UPDATE register SET floor = floor ${change} 1`)
  },

  /** Removes entries beyond `maxActivity` and those until then, at most `maxRemovedTogether`. Returns their number. */
  removeActivity: (loggedUntil: number) => execute(removeActivitySql, loggedUntil),
}

const handoverSql = (column: string) =>
  `(SELECT "${column}" FROM handovers WHERE seq = books.seq ORDER BY "createdAt" DESC, hash LIMIT 1)`

const selectDetailsSql = (more = '') => `
  SELECT seq, books.id, "changedAt", people.email AS "changedBy", "passwordAt" AS "passwordChangedAt"${more}
  FROM books LEFT JOIN people ON people.id = "changedBy" WHERE NOT removed AND "changedAt" IS NOT NULL`

type DetailsRow = StoredDetails & { seq: number }

const handoverColumnsSql = `, ${handoverSql('createdAt')} AS "handedOverAt", ${handoverSql('openedAt')} AS "openedAt"`

export const selectDetailsOf = (ids: string[]) =>
  selectAll<DetailsRow>(`${selectDetailsSql(handoverColumnsSql)} AND books.id = ANY (?) ORDER BY seq`, ids)

export function selectDetailsPage(afterSeq: number, passwordUntil?: number) {
  const [filter, values] = passwordUntil === undefined ? ['', []] : ['AND "passwordAt" <= ?', [passwordUntil]]
  return selectAll<DetailsRow>(
    `${selectDetailsSql()} AND seq > ? ${filter} ORDER BY seq LIMIT ${pageSize}`,
    afterSeq,
    ...values,
  )
}

/** The latest first. */
export const selectPrevious = (id: string) =>
  selectAll<{ revision: number; at: number; by: string | null; fields: unknown }>(
    `SELECT previous.revision, at, people.email AS "by", fields FROM "previousPasswords" AS previous
     JOIN books USING (seq) LEFT JOIN people ON people.id = person
     WHERE books.id = ? AND fields IS NOT NULL ORDER BY previous.revision DESC`,
    id,
  )

export const selectDeleted = (limit: number) =>
  selectAll<Record<FieldName, unknown> & { id: string; deletedAt: number; deletedBy: string | null }>(
    `SELECT books.id, ${fieldColumns.map((column) => `books.${column}`)}, "changedAt" AS "deletedAt", people.email AS "deletedBy"
     FROM books LEFT JOIN people ON people.id = "changedBy" WHERE ${restorableSql} ORDER BY revision DESC LIMIT ?`,
    limit,
  )

type Removal = { revision: number; at: number; by: string | null }

export const selectRemovals = (afterRevision: number) =>
  selectAll<Removal>(
    `SELECT revision, "changedAt" AS at, people.email AS "by" FROM books LEFT JOIN people ON people.id = "changedBy"
     WHERE ${restorableSql} AND revision > ? ORDER BY revision LIMIT ${pageSize}`,
    afterRevision,
  )

export async function groupRemovals(pages: AsyncIterable<Removal[]>): Promise<StoredDeletion[]> {
  const turn = startTurn()
  const groups = createDeletionGroups<string | null>()
  for await (const page of pages) {
    for (const { at, by } of page) groups.add(at, by)
    if (turn.isOver()) await turn.next()
  }
  return groups.list()
}

const deletedIdsSql = `
  SELECT books.id FROM books LEFT JOIN people ON people.id = "changedBy"
  WHERE ${restorableSql} AND "changedAt" >= ? AND "changedAt" <= ?`

/** The ids are one text: a row for each takes three times as long. */
const exposedSql = `
  SELECT string_agg(id, ',') AS ids FROM (
    SELECT id FROM books WHERE NOT removed AND coalesce("passwordRevision", 0) <= ? ORDER BY seq) AS exposed`

export const historyReads = {
  *countDeleted(): Command<number> {
    const row = yield* selectOne<{ n: number }>(`SELECT count(*) AS n FROM books WHERE ${restorableSql}`)
    return row?.n ?? 0
  },

  /** The ids of removed records of a deletion that can be restored, at most `maxRemovedTogether`. */
  *listDeletedIds({ since, until, by }: DeletionFilter): Command<string[]> {
    // The operator has no email.
    const [sql, emails] = by
      ? [`${deletedIdsSql} AND coalesce(people.email, '') = ANY (?)`, [by.map((email) => email ?? '')]]
      : [deletedIdsSql, []]
    const rows = yield* selectAll<{ id: string }>(
      `${sql} ORDER BY revision LIMIT ${maxRemovedTogether}`,
      since,
      until,
      ...emails,
    )
    return rows.map(({ id }) => id)
  },

  *findIds(seqs: number[]): Command<string[]> {
    const sql = 'SELECT id FROM books WHERE seq = ANY (?) ORDER BY seq'
    return (yield* selectAll<{ id: string }>(sql, seqs)).map(({ id }) => id)
  },

  /**
   * The ids of the existing records whose password has not changed since the account was removed, or since ever. If the account
   * exists, of all. Undefined if there was no such account.
   */
  *findExposed(uid: string): Command<{ ids: string[]; canSignIn: boolean } | undefined> {
    const person = yield* selectOne<{ removedAt: number | null; removedRevision: number }>(
      'SELECT "removedAt", "removedRevision" FROM people WHERE uid = ?',
      uid,
    )
    if (!person) return
    const canSignIn = person.removedAt === null
    const lastRevision = canSignIn ? Number.MAX_SAFE_INTEGER : person.removedRevision
    const row = yield* selectOne<{ ids: string | null }>(exposedSql, lastRevision)
    return { ids: row?.ids?.split(',') ?? [], canSignIn }
  },

  /** Those with an account, the oldest first, then the others, sorted by removal. */
  listPeople: () =>
    selectAll<Person>(
      `SELECT people.uid, people.email, people."createdAt", people."removedAt", people.invitation,
         inviter.uid AS "invitedBy", people."invitedFor", remover.uid AS "removedBy", kept.uid AS kept
       FROM people LEFT JOIN people AS inviter ON inviter.id = people."invitedBy"
         LEFT JOIN people AS remover ON remover.id = people."removedBy"
         LEFT JOIN "removedAccounts" AS kept ON kept.uid = people.uid
       ORDER BY people."removedAt" IS NOT NULL, people."removedAt", people."createdAt", people.uid`,
    ),

  /** The milliseconds since the clock was last doubted; undefined if it was confirmed since. */
  *readClockDoubtAge(): Command<number | undefined> {
    const latest = yield* selectOne<{ kind: ActivityKind; age: number }>(
      `SELECT kind, now_ms() - at AS age FROM activity WHERE kind IN ('doubt-clock', 'confirm-clock') ORDER BY id DESC LIMIT 1`,
    )
    return latest?.kind === 'doubt-clock' ? latest.age : undefined
  },
}

/** Reading so many entries takes some milliseconds. */
const logPartSize = 10_000
/** Those of batches may have 800 KB each. */
const maxPartRows = 10

/**
 * SQL: when the change of an entry has replaced the password of a record. The revisions of a batch follow one another, so it is
 * found by revision: the clock goes on between the statements of a transaction.
 */
const replacedAtSql = `(
  SELECT max(previous.at) FROM "previousPasswords" AS previous
  WHERE previous.seq = ? AND previous.revision <= activity.revision
    AND previous.revision > activity.revision - coalesce(activity.count, 1))`

const logPartSql = `
  SELECT activity.id, coalesce(${replacedAtSql}, activity.at) AS at, kind, people.email AS "by", count, seq, records
  FROM activity LEFT JOIN people ON people.id = person
  WHERE activity.id >= ? AND activity.id < ? AND (
    seq = ? OR seq IS NULL AND (records IS NOT NULL
      OR kind IN ('export', 'emergency', 'reported-export', 'reported-export-passwords', 'reported-emergency')))
  ORDER BY activity.id DESC LIMIT ${maxPartRows}`

type LogRow = RecordActivity & { id: number; records: string | null }

/** Searches the log backwards, in parts that `read` reads. A change of the password has the time of `listPrevious`. */
export async function listRecordActivity(
  read: <T>(command: Command<T>) => T | Promise<T>,
  id: string,
  limit: number,
): Promise<RecordActivity[] | undefined> {
  const sql =
    'SELECT seq, (SELECT min(id) FROM activity) AS first, (SELECT max(id) FROM activity) AS last FROM books WHERE id = ?'
  const record = await read(selectOne<{ seq: number; first: number | null; last: number | null }>(sql, id))
  if (!record) return
  const { seq, first, last } = record
  const turn = startTurn()
  const found: RecordActivity[] = []
  for (let end = (last ?? 0) + 1; end > (first ?? 1); ) {
    const rows = await read(selectAll<LogRow>(logPartSql, seq, end - logPartSize, end, seq))
    end = rows[maxPartRows - 1]?.id ?? end - logPartSize
    for (const { records, at, kind, by, count } of rows) {
      if (records !== null && !includesNumber(records, seq)) continue
      found.push({ at, kind, by, count })
      if (found.length === limit || kind === 'add' || kind === 'batch-add') return found
    }
    if (turn.isOver()) await turn.next()
  }
  return found
}
