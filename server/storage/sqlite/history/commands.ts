import type { DatabaseSync } from 'node:sqlite'
import { wipeFieldsSql } from '../../field-columns.ts'
import { type ActivityKind, maxActivity, maxRemovedTogether, type NewActivity } from '../../history.ts'
import { restorableSql } from '../employees.ts'

export type ActivityLog = ReturnType<typeof createActivityLog>

/** Writes the log, in the transaction of what it logs. */
export function createActivityLog(database: DatabaseSync) {
  const selectPerson = database.prepare('SELECT id FROM people WHERE uid = ?')
  const insertActivity = database.prepare(
    'INSERT INTO activity (at, kind, person, seq, revision, subject, count) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const people = new Map<string, number>()

  function findPerson(uid: string | null | undefined): number | null {
    if (uid === null || uid === undefined) return null
    const known = people.get(uid)
    if (known !== undefined) return known
    const found = selectPerson.get(uid)?.id
    if (found === undefined) return null
    people.set(uid, Number(found))
    return Number(found)
  }

  return {
    /** The short id of an account that exists or was removed; null for the operator. */
    findPerson,

    log({ kind, by, seq, revision, account, count }: NewActivity): void {
      insertActivity.get(
        Date.now(),
        kind,
        findPerson(by),
        seq ?? null,
        revision ?? null,
        findPerson(account),
        count ?? null,
      )
    },

    /** Call after a rollback. */
    reset: () => people.clear(),
  }
}

export function createHistoryCommands(database: DatabaseSync, { log, findPerson }: ActivityLog) {
  const insertForRecords = database.prepare(
    `INSERT INTO activity (at, kind, person, seq)
     SELECT ?, ?, ?, seq FROM json_each(?) CROSS JOIN books ON books.id = json_each.value`,
  )
  const wipeFields = database.prepare(
    `UPDATE books SET ${wipeFieldsSql} WHERE changedAt <= ? AND seq IN (
       SELECT seq FROM books WHERE ${restorableSql} ORDER BY revision LIMIT ${maxRemovedTogether})`,
  )
  const deleteActivity = database.prepare(
    `DELETE FROM activity WHERE id IN (
       SELECT id FROM (SELECT id, at FROM activity ORDER BY id LIMIT ${maxRemovedTogether})
       WHERE at <= ? OR id <= (SELECT max(id) FROM activity) - ${maxActivity})`,
  )
  return {
    logActivity: log,

    logRecords(kind: ActivityKind, by: string, ids: string[]): void {
      insertForRecords.run(Date.now(), kind, findPerson(by), JSON.stringify(ids))
    },

    wipeDeleted: (removedUntil: number) => Number(wipeFields.run(removedUntil).changes),

    removeActivity: (loggedUntil: number) => Number(deleteActivity.run(loggedUntil).changes),
  }
}
