import { includesNumber, listTopics } from '../activity.ts'
import type { ActivityFilter, ActivitySubjects, LoggedActivity, NumberedActivity } from '../history.ts'
import { type Command, execute, selectAll, selectOne } from './command.ts'
import { logNumbered, personSql } from './history.ts'

/** Tells the account, except in its session with this hash, of an entry of the log. */
export function* addNews(entry: number, uid: string, session?: string): Command<void> {
  yield* execute(`INSERT INTO news (entry, person, session) VALUES (?, ${personSql}, ?)`, entry, uid, session)
}

const hourMs = 60 * 60_000

const upsertRefusalSql = `
  INSERT INTO "refusedSignIns" (account, hour, entry) VALUES (${personSql}, ?, ?)
  ON CONFLICT (account) DO UPDATE SET hour = excluded.hour, entry = excluded.entry`

export const activityWrites = {
  /** Logs a sign-in to the account that was refused: one entry counts those of an hour. */
  *logRefusal(uid: string, now: number): Command<void> {
    const hour = Math.floor(now / hourMs)
    // Servers that share the database count one after the other.
    const sql = 'SELECT id FROM people WHERE uid = ? FOR NO KEY UPDATE'
    if (!(yield* selectOne(sql, uid))) return
    const countSql = `
      UPDATE activity SET count = count + 1
      WHERE id = (SELECT entry FROM "refusedSignIns" WHERE account = ${personSql} AND hour = ?)`
    if ((yield* execute(countSql, uid, hour)) > 0) return
    const entry = yield* logNumbered({ kind: 'refuse-sign-in', account: uid, count: 1 })
    yield* execute(upsertRefusalSql, uid, hour, entry)
  },

  /** Forgets news that was told in this session. */
  *forgetNews(uid: string, session: string, entries: number[]): Command<void> {
    yield* execute(
      `DELETE FROM news WHERE person = ${personSql} AND coalesce(session, '') <> ? AND entry = ANY (?)`,
      uid,
      session,
      entries,
    )
  },
}

/** `more`: further columns. */
const entrySql = (more = '') => `
  SELECT activity.id, at, kind, actor.email AS "by", books.id AS record, activity.revision,
    other.email AS account, count, activity.invitation, browser${more}
  FROM activity LEFT JOIN people AS actor ON actor.id = activity.person LEFT JOIN people AS other ON other.id = subject
    LEFT JOIN books USING (seq)`

/** A part of the log that an index has in the order of the numbers. `order`: the columns of the index. */
interface Range {
  sql: string
  values: unknown[]
  order: string[]
}

const maxId = Number.MAX_SAFE_INTEGER

/** Entries of several topics or people are read from each of their ranges. `people`: their ids; null is the operator's. */
function listRanges(
  { group, by, before = maxId, after = 0 }: ActivityFilter,
  people: (number | null)[],
): Range[] {
  const ids = [after + 1, before - 1]
  if (!group && !by) return [{ sql: 'id BETWEEN ? AND ?', values: ids, order: ['id'] }]
  const topics = listTopics(group, by !== undefined)
  if (!by)
    return topics.map((topic) => ({
      sql: 'RANGE (topic, id) OF (?, ?, ?)',
      values: [topic, ...ids],
      order: ['topic', 'id'],
    }))
  const order = ['person', 'topic', 'id']
  return people.flatMap((person) =>
    topics.map((topic) =>
      person === null
        ? { sql: 'person IS NULL AND topic = ? AND id BETWEEN ? AND ?', values: [topic, ...ids], order }
        : { sql: 'RANGE (person, topic, id) OF (?, ?, ?, ?)', values: [person, topic, ...ids], order },
    ),
  )
}

/** The ids of these accounts, without those that have never been logged; null stays. */
function* findPeople(by: (string | null)[]): Command<(number | null)[]> {
  const uids = by.filter((uid) => uid !== null)
  const people = yield* selectAll<{ id: number }>('SELECT id FROM people WHERE uid = ANY (?)', uids)
  return [...(by.includes(null) ? [null] : []), ...people.map(({ id }) => id)]
}

/** With the sequences of the records of batches, which may be long. */
export function selectActivity(filter: ActivityFilter, isWithRecords: true): Command<LoggedActivityRow[]>
export function selectActivity(filter: ActivityFilter, isWithRecords?: false): Command<NumberedActivity[]>
export function* selectActivity(filter: ActivityFilter, isWithRecords = false) {
  const { by, since, isOldestFirst, limit } = filter
  const ranges = listRanges(filter, by ? yield* findPeople(by) : [])
  if (ranges.length === 0) return []
  const order = isOldestFirst ? '' : 'DESC'
  const rangesSql = ranges.map(
    ({ sql, order: columns }, i) =>
      `SELECT * FROM (SELECT id FROM activity WHERE ${sql} ${since === undefined ? '' : 'AND at >= ?'}
       ORDER BY ${columns.map((column) => `${column} ${order}`).join()} LIMIT ${limit}) AS range${i}`,
  )
  return yield* selectAll<LoggedActivityRow>(
    `${entrySql(isWithRecords ? ', records' : '')} WHERE activity.id IN (${rangesSql.join(' UNION ALL ')})
     ORDER BY activity.id ${order} LIMIT ${limit}`,
    ...ranges.flatMap(({ values }) => (since === undefined ? values : [...values, since])),
  )
}

type LoggedActivityRow = LoggedActivity & { id: number }

/** A page of a search reads so many entries, which takes some milliseconds, and the records of so many batches, 800 KB each. */
const searchedEntries = 25_000
const searchedBatches = 10

/** SQL: whether an entry passes the filter. Without an index: the entries are read in their order. */
function passesSql(
  { group, by }: ActivityFilter,
  people: (number | null)[],
): [sql: string, values: unknown[]] {
  const topics = group || by ? ` AND +topic IN (${listTopics(group, by !== undefined).join()})` : ''
  if (!by) return [topics, []]
  return [
    `${topics} AND (+person = ANY (?)${people.includes(null) ? ' OR person IS NULL' : ''})`,
    [people.filter((id) => id !== null)],
  ]
}

/** An index of the records would cost each change a page of it: a search goes back through the log in parts. */
function* searchActivity(filter: ActivityFilter, { records, people }: ActivitySubjects) {
  const { by, before = maxId, after = 0, limit } = filter
  const log = yield* selectOne<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(id) FROM activity) AS first, (SELECT max(id) FROM activity) AS last',
  )
  const found = yield* selectAll<{ seq: number }>('SELECT seq FROM books WHERE id = ANY (?)', records)
  const seqs = found.map(({ seq }) => seq)
  const subjects = yield* findPeople(people)
  const [passes, values] = passesSql(filter, by ? yield* findPeople(by) : [])
  const oldest = Math.max(log?.first ?? 1, after + 1)
  const end = Math.min(before, (log?.last ?? 0) + 1)
  const start = Math.max(oldest, end - searchedEntries)

  const maxSingle = limit - searchedBatches
  const single = yield* selectAll<{ id: number }>(
    `SELECT id FROM activity WHERE id BETWEEN ? AND ?
       AND (person = ANY (?) OR subject = ANY (?) OR seq = ANY (?))${passes} ORDER BY id DESC LIMIT ${maxSingle}`,
    ...[start, end - 1, subjects, subjects, seqs, ...values],
  )
  const batches = yield* selectAll<{ id: number; records: string }>(
    `SELECT id, records FROM activity WHERE id BETWEEN ? AND ? AND records IS NOT NULL${passes}
     ORDER BY id DESC LIMIT ${seqs.length > 0 ? searchedBatches : 0}`,
    ...[start, end - 1, ...values],
  )
  const reached = Math.max(start, single[maxSingle - 1]?.id ?? 0, batches[searchedBatches - 1]?.id ?? 0)
  const matching = batches.filter((batch) => seqs.some((seq) => includesNumber(batch.records, seq)))
  const ids = [...single, ...matching].flatMap(({ id }) => (id >= reached ? [id] : []))
  const sql = `${entrySql()} WHERE activity.id = ANY (?) ORDER BY activity.id DESC`
  const entries = yield* selectAll<NumberedActivity>(sql, ids)
  return { entries, next: reached > oldest ? reached : undefined }
}

export const activityReads = {
  /** Entries of the log, the latest first, at most `limit`. */
  listActivity: (filter: ActivityFilter) => selectActivity(filter),

  /** The entries of some subjects, the latest first, as far as a part of the log has them. `next`: those before it are not searched. */
  searchActivity,

  /** What the account is to be told in the session with this hash. */
  listNews: (uid: string, session: string) =>
    selectAll<NumberedActivity>(
      `${entrySql()} JOIN news ON news.entry = activity.id
       WHERE news.person = ${personSql} AND coalesce(session, '') <> ? ORDER BY activity.id DESC LIMIT 20`,
      uid,
      session,
    ),
}
