import type { DatabaseSync } from 'node:sqlite'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import type {
  ActivityKind,
  FormerAccount,
  HistoryStorage,
  LoggedActivity,
  NewActivity,
  StoredDetails,
} from '../../history.ts'
import { restorableSql } from '../employees.ts'
import type { Write } from '../writer/client.ts'

const pageSize = 500

/** The caller must bound the length of each list. */
export function createHistoryStorage(
  reader: DatabaseSync,
  write: Write,
  encryption: FieldEncryption,
): HistoryStorage {
  const detailsSql = `
    SELECT seq, books.id, changedAt, people.email AS changedBy, passwordAt
    FROM books LEFT JOIN people ON people.id = changedBy WHERE NOT removed AND changedAt IS NOT NULL`
  const selectDetails = reader.prepare(
    `${detailsSql} AND books.id IN (SELECT value FROM json_each(?)) ORDER BY seq`,
  )
  const selectAllDetails = reader.prepare(`${detailsSql} AND seq > ? ORDER BY seq LIMIT ${pageSize}`)
  const selectDeleted = reader.prepare(
    `SELECT books.id, eName, books.email, password, changedAt AS deletedAt, people.email AS deletedBy
     FROM books LEFT JOIN people ON people.id = changedBy WHERE ${restorableSql} ORDER BY revision DESC LIMIT ?`,
  )
  const selectPerson = reader.prepare('SELECT removedAt, removedRevision FROM people WHERE uid = ?')
  // As one text: a row for each id takes three times as long.
  const selectExposed = reader.prepare(
    `SELECT group_concat(id) AS ids FROM books WHERE NOT removed AND coalesce(passwordRevision, 0) <= ?`,
  )
  const selectFormer = reader.prepare(
    'SELECT uid, email, createdAt, removedAt FROM people WHERE removedAt IS NOT NULL ORDER BY removedAt, id',
  )
  const selectActivity = reader.prepare(
    `SELECT activity.id, at, kind, person.email AS "by", books.id AS record, activity.revision,
       subject.email AS account, count
     FROM activity LEFT JOIN people AS person ON person.id = person LEFT JOIN people AS subject ON subject.id = subject
     LEFT JOIN books USING (seq) WHERE activity.id > ? ORDER BY activity.id LIMIT ${pageSize}`,
  )

  return {
    async *loadDetails(ids?: string[]) {
      if (ids) return yield selectDetails.all(JSON.stringify(ids)).map(toDetails)
      yield* pagesOf((last) => selectAllDetails.all(last), 'seq', toDetails)
    },
    listDeleted: async (limit: number) =>
      selectDeleted.all(limit).map(({ id, deletedAt, deletedBy, ...fields }) => ({
        id: String(id),
        ...encryption.decrypt(String(id), fields as Parameters<FieldEncryption['decrypt']>[1]),
        deletedAt: Number(deletedAt),
        deletedBy: deletedBy as string | null,
      })),
    countDeleted: async () =>
      Number(reader.prepare(`SELECT count(*) AS n FROM books WHERE ${restorableSql}`).get()?.n),
    async findExposed(uid: string) {
      const person = selectPerson.get(uid)
      if (!person) return
      const canSignIn = person.removedAt === null
      const ids = selectExposed.get(canSignIn ? Number.MAX_SAFE_INTEGER : Number(person.removedRevision))?.ids
      return { ids: ids === null ? [] : String(ids).split(','), canSignIn }
    },
    listFormerAccounts: async () => selectFormer.all() as unknown as FormerAccount[],
    log: (activity: NewActivity) => write('logActivity', activity),
    logRecords: (kind: ActivityKind, by: string, ids: string[]) => write('logRecords', kind, by, ids),
    loadActivity: () => pagesOf((last) => selectActivity.all(last), 'id', toActivity),
    wipeDeleted: (removedUntil: number) => write('wipeDeleted', removedUntil),
    removeActivity: (loggedUntil: number) => write('removeActivity', loggedUntil),
  }
}

type Row = Record<string, unknown>

/** Rows in ascending order of a column, which begins above 0. */
async function* pagesOf<T>(select: (after: number) => Row[], column: string, convert: (row: Row) => T) {
  let last = 0
  for (;;) {
    const rows = select(last)
    if (rows.length === 0) return
    yield rows.map(convert)
    last = Number(rows.at(-1)?.[column])
  }
}

const toDetails = ({ seq: _, ...details }: Row) => details as unknown as StoredDetails

const toActivity = ({ id: _, ...activity }: Row) => activity as unknown as LoggedActivity
