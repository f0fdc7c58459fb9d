import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../../contract/employees.ts'
import {
  createEmployeeCommands,
  type EmployeeCommands,
  type EmployeeRow,
  type EmployeeTable,
  type Head,
  once,
  type WrittenRow,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import { createPasswordDigest } from '../../encryption/password-digests.ts'
import { assignFields, fieldColumns, fieldColumnsSql, wipeFieldsSql } from '../../field-columns.ts'
import type { NewActivity } from '../../history.ts'
import { getCommand, type SqlCommands, sqlCommandNames } from '../../sql/storage.ts'
import { readRow } from '../connect.ts'
import { latestRevisionSql } from '../employees.ts'
import { createRunCommand } from '../run-command.ts'

export type Commands = EmployeeCommands & SqlCommands

/**
 * Every write, as a function that runs inside the writer's transaction. Expected outcomes are return values;
 * only the database and decryption throw. `keepDeleted`: the fields of removed records can be restored.
 */
export function createCommands(database: DatabaseSync, encryption: FieldEncryption, keepDeleted: boolean) {
  const runCommand = createRunCommand(database)
  const sqlCommands = Object.fromEntries(
    sqlCommandNames.map((name) => [name, (...args: never) => runCommand(getCommand(name, ...args))]),
  ) as unknown as SqlCommands
  const activity = createActivityLog(database)
  const { table, resetHead } = createEmployeeTable(database, { encryption, keepDeleted, activity })
  const commands: Commands = { ...createEmployeeCommands(table), ...sqlCommands }
  return {
    commands,
    log: activity.log,
    /** Call after a rollback: what was read in the transaction may not exist. */
    reset() {
      resetHead()
      activity.reset()
    },
  }
}

interface TableOptions {
  encryption: FieldEncryption
  keepDeleted: boolean
  activity: ActivityLog
}

/**
 * `find` reads the fields only on request, because a SELECT precedes each write. Writes run with `get`, because `run` also
 * creates a result object, which takes 0.1 µs.
 */
function createEmployeeTable(database: DatabaseSync, { encryption, keepDeleted, activity }: TableOptions) {
  const selectRow = database.prepare('SELECT seq, revision, removed FROM books WHERE id = ?')
  const selectRowWithFields = database.prepare(
    `SELECT seq, revision, removed, ${fieldColumnsSql} FROM books WHERE id = ?`,
  )
  const selectFields = database.prepare(`SELECT ${fieldColumnsSql} FROM books WHERE seq = ?`)
  // Faster than one object per row.
  for (const statement of [selectRow, selectRowWithFields, selectFields]) statement.setReturnArrays(true)
  const selectDigest = database.prepare('SELECT digest FROM books WHERE seq = ?')
  const insertRow = database.prepare(
    `INSERT INTO books (revision, changedAt, changedBy, seq, id, digest, passwordRevision, passwordAt, ${fieldColumnsSql})
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?1, ?2, ${fieldColumns.map((_, i) => `?${7 + i}`).join(', ')})`,
  )
  const changeSql = 'UPDATE books SET revision = ?1, changedAt = ?2, changedBy = ?3, removed'
  const replaceSql = `${changeSql} = 0, ${assignFields((_, i) => `?${5 + i}`)}`
  const replaceFields = database.prepare(`${replaceSql} WHERE seq = ?4`)
  const replacePassword = database.prepare(
    `${replaceSql}, passwordRevision = ?${5 + fieldColumns.length}, passwordAt = ?2 WHERE seq = ?4`,
  )
  const earlierPasswords = createEarlierPasswords(database, encryption)
  const wipeSql = keepDeleted ? '' : `, ${wipeFieldsSql}`
  const removeRow = database.prepare(`${changeSql} = 1${wipeSql} WHERE seq = ?4`)
  const selectHead = database.prepare(
    `SELECT ${latestRevisionSql} AS revision, (SELECT coalesce(max(seq), 0) FROM books) AS lastSeq FROM register`,
  )
  let head: Head | undefined

  /** The parameters ?1 to ?4. */
  const changeOf = ({ revision, by, seq }: WrittenRow) =>
    [revision, Date.now(), activity.findPerson(by), seq] as const

  const table: EmployeeTable = {
    head() {
      head ??= readRow<Head>(selectHead) as Head
      return head
    },
    find(id, withFields = false) {
      const row = readRow<FoundRow>(withFields ? selectRowWithFields : selectRow, id)
      if (!row) return
      const [seq, revision, isRemoved] = row
      const readFields = once(() => {
        const columns = withFields ? row.slice(3) : (selectFields.get(seq) as unknown as unknown[])
        return columns[0] === null ? undefined : encryption.decrypt(id, columns)
      })
      const matchesDigest = (digest: string) => {
        const stored = selectDigest.get(seq)?.digest
        return stored === null || stored === encryption.protectDigest(digest)
      }
      return { seq, revision, isRemoved: isRemoved === 1, readFields, matchesDigest } as EmployeeRow
    },
    insert(row) {
      const { id, fields, digest } = row
      const stored = digest === undefined ? null : encryption.protectDigest(digest)
      insertRow.get(...changeOf(row), id, stored, ...encryption.encrypt(id, fields))
    },
    update(row) {
      const { id, seq, fields, replaced } = row
      if (!fields) {
        removeRow.get(...changeOf(row))
        if (!keepDeleted) earlierPasswords.wipe(seq)
        return
      }
      const values = [...changeOf(row), ...encryption.encrypt(id, fields)]
      if (!replaced) replaceFields.get(...values)
      else replacePassword.get(...values, earlierPasswords.replace(row, replaced, fields))
    },
  }

  const resetHead = () => {
    head = undefined
  }
  return { table, resetHead }
}

function createEarlierPasswords(database: DatabaseSync, encryption: FieldEncryption) {
  const selectKey = database.prepare('SELECT passwordKey FROM register')
  const readDigest = once(() => createPasswordDigest(encryption, selectKey.get()?.passwordKey))
  const insert = database.prepare(
    `INSERT INTO earlierPasswords (seq, digest, revision)
     SELECT seq, ?, coalesce(passwordRevision, 0) FROM books WHERE seq = ? ON CONFLICT DO NOTHING`,
  )
  const select = database.prepare('SELECT revision FROM earlierPasswords WHERE seq = ? AND digest = ?')
  const remove = database.prepare('DELETE FROM earlierPasswords WHERE seq = ?')
  return {
    /** Call before the row is written. Returns the revision at which the new password first appeared in the record. */
    replace({ id, seq, revision }: WrittenRow, before: EmployeeFields, fields: EmployeeFields): number {
      const digest = readDigest()
      insert.get(digest(id, before), seq)
      return Number(select.get(seq, digest(id, fields))?.revision ?? revision)
    },
    wipe: (seq: number) => void remove.get(seq),
  }
}

type ActivityLog = ReturnType<typeof createActivityLog>

/** Logs writes of records. It does the same as the command `logActivity`, but faster. */
function createActivityLog(database: DatabaseSync) {
  const insertActivity = database.prepare(
    'INSERT INTO activity (at, kind, person, seq, revision, count) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const selectPerson = database.prepare('SELECT id FROM people WHERE uid = ?')
  const people = new Map<string, number>()

  /** Returns the short id of an account that exists or was removed; null for the operator. */
  function findPerson(uid: string | null | undefined): number | null {
    if (uid === null || uid === undefined) return null
    const known = people.get(uid)
    if (known !== undefined) return known
    const found = selectPerson.get(uid)?.id
    if (found === undefined) return null
    people.set(uid, Number(found))
    return Number(found)
  }

  function log({ kind, by, seq, revision, count }: NewActivity): void {
    insertActivity.get(Date.now(), kind, findPerson(by), seq ?? null, revision ?? null, count ?? null)
  }

  return { findPerson, log, reset: () => people.clear() }
}

type FoundRow = [seq: number, revision: number, isRemoved: 0 | 1, ...columns: unknown[]]
