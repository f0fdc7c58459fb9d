import { includesNumber, listTopics, recordsTopic } from '../activity.ts'
import type {
  ActivityFilter,
  ActivityPart,
  ActivitySubjects,
  LoggedActivity,
  NumberedActivity,
} from '../history.ts'
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

/** Entries in the order of an index. `order`: its columns. */
interface Range {
  sql: string
  values: unknown[]
  order: string[]
}

const maxId = Number.MAX_SAFE_INTEGER

/** SQL: the condition of the partial indexes. */
const isIndexedSql = `topic <> ${recordsTopic}`

/** Entries of several topics or people are read from each of their ranges. `people`: their ids; null is the operator's. */
function listRanges(
  topics: number[],
  people: (number | null)[] | undefined,
  { before = maxId, after = 0 }: ActivityFilter,
): Range[] {
  const ids = [after + 1, before - 1]
  if (!people)
    return topics.map((topic) => ({
      sql: `RANGE (topic, id) OF (?, ?, ?) AND ${isIndexedSql}`,
      values: [topic, ...ids],
      order: ['topic', 'id'],
    }))
  const order = ['person', 'topic', 'id']
  return people.flatMap((person) =>
    topics.map((topic) => {
      const [sql, values] =
        person === null
          ? ['person IS NULL AND topic = ? AND id BETWEEN ? AND ?', [topic, ...ids]]
          : ['RANGE (person, topic, id) OF (?, ?, ?, ?)', [person, topic, ...ids]]
      return { sql: `${sql} AND ${isIndexedSql}`, values, order }
    }),
  )
}

/** The ids of these accounts, without those that have never been logged; null stays. */
function* findPeople(by: (string | null)[]): Command<(number | null)[]> {
  const uids = by.filter((uid) => uid !== null)
  const people = yield* selectAll<{ id: number }>('SELECT id FROM people WHERE uid = ANY (?)', uids)
  return [...(by.includes(null) ? [null] : []), ...people.map(({ id }) => id)]
}

/** A part of the log has so many entries: reading them takes some milliseconds. */
const partSize = 25_000

/** The numbers of the first and the last entry between those of the filter, and of a part of them. */
function* findPart({ before = maxId, after = 0, isOldestFirst = false }: ActivityFilter) {
  const log = yield* selectOne<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(id) FROM activity) AS first, (SELECT max(id) FROM activity) AS last',
  )
  const first = Math.max(log?.first ?? 1, after + 1)
  const last = Math.min(log?.last ?? 0, before - 1)
  return isOldestFirst
    ? { first, last, from: first, to: Math.min(last, first + partSize - 1) }
    : { first, last, from: Math.max(first, last - partSize + 1), to: last }
}

/** SQL. The server itself doubts its clock; what else nobody of the team did has a topic of its own. */
const isByOperatorSql = "person IS NULL AND kind <> 'doubt-clock'"

/** SQL: whether an entry passes the filter. Without an index: the entries are read in their order. */
function passesSql(
  topics: number[] | undefined,
  people: (number | null)[] | undefined,
): [sql: string, values: unknown[]] {
  const isOfTopicsSql = topics ? ` AND +topic IN (${topics.join()})` : ''
  if (!people) return [isOfTopicsSql, []]
  return [
    `${isOfTopicsSql} AND (+person = ANY (?)${people.includes(null) ? ` OR ${isByOperatorSql}` : ''})`,
    [people.filter((id) => id !== null)],
  ]
}

function* findRanges(filter: ActivityFilter): Command<{ ranges: Range[]; beyond?: number | undefined }> {
  const { group, by, before = maxId, after = 0, isOldestFirst } = filter
  if (!group && !by)
    return { ranges: [{ sql: 'id BETWEEN ? AND ?', values: [after + 1, before - 1], order: ['id'] }] }
  const topics = listTopics(group, by !== undefined)
  const people = by && (yield* findPeople(by))
  if (people?.length === 0) return { ranges: [] }
  if (!topics.includes(recordsTopic)) return { ranges: listRanges(topics, people, filter) }
  const { first, last, from, to } = yield* findPart(filter)
  const [passes, values] = passesSql(topics, people)
  const [end, logEnd] = isOldestFirst ? [to, last] : [from, first]
  return {
    ranges: [{ sql: `id BETWEEN ? AND ?${passes}`, values: [from, to, ...values], order: ['id'] }],
    beyond: end === logEnd ? undefined : end,
  }
}

/**
 * Entries of the log, the latest first, at most `limit`. Where changes of records are among those that pass a filter, which no index
 * has, as far as a part of the log has them.
 */
export function selectActivity(
  filter: ActivityFilter,
  /** With the sequences of the records of batches, which may be long. */
  isWithRecords: true,
): Command<ActivityPart<LoggedActivityRow>>
export function selectActivity(filter: ActivityFilter, isWithRecords?: false): Command<ActivityPart>
export function* selectActivity(
  filter: ActivityFilter,
  isWithRecords = false,
): Command<ActivityPart<LoggedActivityRow>> {
  const { since, isOldestFirst, limit } = filter
  const { ranges, beyond } = yield* findRanges(filter)
  if (ranges.length === 0) return { entries: [] }
  const order = isOldestFirst ? '' : 'DESC'
  const rangesSql = ranges.map(
    ({ sql, order: columns }, i) =>
      `SELECT * FROM (SELECT id FROM activity WHERE ${sql} ${since === undefined ? '' : 'AND at >= ?'}
       ORDER BY ${columns.map((column) => `${column} ${order}`).join()} LIMIT ${limit}) AS range${i}`,
  )
  const entries = yield* selectAll<LoggedActivityRow>(
    `${entrySql(isWithRecords ? ', records' : '')} WHERE activity.id IN (${rangesSql.join(' UNION ALL ')})
     ORDER BY activity.id ${order} LIMIT ${limit}`,
    ...ranges.flatMap(({ values }) => (since === undefined ? values : [...values, since])),
  )
  return { entries, next: entries.length === limit ? entries.at(-1)?.id : beyond }
}

type LoggedActivityRow = LoggedActivity & { id: number }

/** A page of a search reads the records of so many batches, 800 KB each. */
const searchedBatches = 10

/** An index of the records would cost each change a page of it: a search goes back through the log in parts. */
function* searchActivity(
  filter: ActivityFilter,
  { records, people }: ActivitySubjects,
): Command<ActivityPart> {
  const { group, by, limit } = filter
  const { first, from, to } = yield* findPart(filter)
  const found = yield* selectAll<{ seq: number }>('SELECT seq FROM books WHERE id = ANY (?)', records)
  const seqs = found.map(({ seq }) => seq)
  const subjects = yield* findPeople(people)
  const topics = group || by ? listTopics(group, by !== undefined) : undefined
  const [passes, values] = passesSql(topics, by && (yield* findPeople(by)))

  const maxSingle = limit - searchedBatches
  const single = yield* selectAll<{ id: number }>(
    `SELECT id FROM activity WHERE id BETWEEN ? AND ?
       AND (person = ANY (?) OR subject = ANY (?) OR seq = ANY (?))${passes} ORDER BY id DESC LIMIT ${maxSingle}`,
    ...[from, to, subjects, subjects, seqs, ...values],
  )
  const batches = yield* selectAll<{ id: number; records: string }>(
    `SELECT id, records FROM activity WHERE id BETWEEN ? AND ? AND records IS NOT NULL${passes}
     ORDER BY id DESC LIMIT ${seqs.length > 0 ? searchedBatches : 0}`,
    ...[from, to, ...values],
  )
  const reached = Math.max(from, single[maxSingle - 1]?.id ?? 0, batches[searchedBatches - 1]?.id ?? 0)
  const matching = batches.filter((batch) => seqs.some((seq) => includesNumber(batch.records, seq)))
  const ids = [...single, ...matching].flatMap(({ id }) => (id >= reached ? [id] : []))
  const sql = `${entrySql()} WHERE activity.id = ANY (?) ORDER BY activity.id DESC`
  const entries = yield* selectAll<NumberedActivity>(sql, ids)
  return { entries, next: reached > first ? reached : undefined }
}

export const activityReads = {
  /** See `selectActivity`. */
  listActivity: (filter: ActivityFilter) => selectActivity(filter),

  /** The entries of some subjects, the latest first, as far as a part of the log has them. */
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
