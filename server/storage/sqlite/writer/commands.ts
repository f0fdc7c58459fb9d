import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../../contract/employees.ts'
import { topicOf } from '../../activity.ts'
import {
  type CommandOf,
  createEmployeeCommands,
  type EmployeeCommands,
  type EmployeeOutcomes,
  type EmployeeRow,
  type EmployeeTable,
  type Head,
  once,
  resize,
  type StorageRules,
  type WrittenRow,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import { createPasswordDigest } from '../../encryption/password-digests.ts'
import {
  assignFields,
  countBytes,
  deletedBytesSql,
  fieldColumns,
  fieldColumnsSql,
  passwordColumnsSql,
  recordBytesSql,
  registerBytesSql,
  wipeFieldsSql,
} from '../../field-columns.ts'
import type { NewActivity } from '../../history.ts'
import {
  encryptPrevious,
  type KnownPasswords,
  keptBytesSql,
  maxKept,
  maxRecognized,
} from '../../previous-passwords.ts'
import type { StoredDigests } from '../../request-digests.ts'
import { createSqlCommands, type SqlCommands } from '../../sql/storage.ts'
import { readRow } from '../connect.ts'
import { latestRevisionSql } from '../employees.ts'
import { createRunCommand } from '../run-command.ts'

export type Commands = EmployeeOutcomes & SqlCommands

/**
 * Every write, as a function that runs inside the writer's transaction. Expected outcomes are return values;
 * only the database and decryption throw, and a batch that does not fit into the register.
 */
export function createCommands(database: DatabaseSync, options: StorageRules) {
  const sqlCommands = createSqlCommands(createRunCommand(database))
  const head = createHead(database)
  const activity = createActivityLog(database)
  const table = createEmployeeTable(database, head, activity, options)
  const employeeCommands = createEmployeeCommands(table)
  return {
    employeeCommands,
    sqlCommands: {
      ...sqlCommands,
      'history.wipeDeleted'(removedUntil: number) {
        const wiped = sqlCommands['history.wipeDeleted'](removedUntil)
        if (wiped > 0) head.read().deletedBytes = head.countSize().deletedBytes
        return wiped
      },
    },
    isEmployeeCommand: (command: CommandOf<Commands>): command is CommandOf<EmployeeCommands> =>
      command[0] in employeeCommands,
    log: activity.log,
    /** Returns the size of the register, as of the latest commit. */
    size: head.size,
    /** Call after a commit. */
    confirm: head.confirm,
    /** Returns a function that goes back to the head as it is now. */
    keepHead: head.keep,
    /** Call after a rollback: what was read in the transaction may not exist. */
    reset() {
      head.reset()
      activity.reset()
    },
  }
}

/** Writes run with `get`, because `run` also creates a result object, which takes 0.1 µs. ?1 to ?4: `ChangeValues`; ?5: digests. */
function prepareStatements(database: DatabaseSync, keepDeleted: boolean) {
  const prepare = (sql: string) => database.prepare(sql)
  const rowSql = `SELECT seq, revision, removed, ${recordBytesSql}, ${passwordColumnsSql}, digest`
  const changeSql = 'UPDATE books SET revision = ?1, changedAt = ?2, changedBy = ?3, digest = ?5, removed'
  const afterFields = 6 + fieldColumns.length
  const replaceSql = `${changeSql} = 0, ${assignFields((_, i) => `?${6 + i}`)}`
  const statements = {
    selectRow: prepare(`${rowSql} FROM books WHERE id = ?`),
    selectRowWithFields: prepare(`${rowSql}, ${fieldColumnsSql} FROM books WHERE id = ?`),
    selectFields: prepare(`SELECT ${fieldColumnsSql} FROM books WHERE seq = ?`),
    insertRow: prepare(
      `INSERT INTO books (revision, changedAt, changedBy, seq, id, digest, passwordRevision, passwordAt, ${fieldColumnsSql})
       VALUES (?1, ?2, ?3, ?4, ?6, ?5, ?1, ?2, ${fieldColumns.map((_, i) => `?${7 + i}`).join(', ')})`,
    ),
    replaceFields: prepare(`${replaceSql} WHERE seq = ?4`),
    replacePassword: prepare(
      `${replaceSql}, passwordAt = ?2, passwordRevision = ?${afterFields}, firstPasswordRevision = ?${afterFields + 1}
       WHERE seq = ?4`,
    ),
    removeRow: prepare(`${changeSql} = 1${keepDeleted ? '' : `, ${wipeFieldsSql}`} WHERE seq = ?4`),
    forgetPasswords: prepare('DELETE FROM previousPasswords WHERE seq = ?'),
  }
  const { selectRow, selectRowWithFields, selectFields } = statements
  // Faster than one object per row.
  for (const statement of [selectRow, selectRowWithFields, selectFields]) statement.setReturnArrays(true)
  return statements
}

type Size = Pick<Head, 'bytes' | 'deletedBytes'>

/** The head as the transaction sees it, and the size of the register as of the latest commit. */
function createHead(database: DatabaseSync) {
  const select = database.prepare(
    `SELECT ${latestRevisionSql} AS revision, (SELECT coalesce(max(seq), 0) FROM books) AS lastSeq FROM register`,
  )
  const selectSize = database.prepare(
    `SELECT ${registerBytesSql} AS bytes, ${deletedBytesSql} AS deletedBytes`,
  )
  const countSize = () => readRow<Size>(selectSize) as Size
  let head: Head | undefined
  /** Kept, because a rollback must not read all records again. */
  let size: Size | undefined
  const readSize = () => {
    size ??= countSize()
    return size
  }
  const read = () => {
    head ??= { ...(readRow<Head>(select) as Head), ...readSize() }
    return head
  }
  return {
    size: readSize,
    countSize,
    read,
    keep() {
      const kept = { ...read() }
      return () => {
        head = kept
      }
    },
    confirm() {
      if (head) size = { bytes: head.bytes, deletedBytes: head.deletedBytes }
    },
    reset() {
      head = undefined
    },
  }
}

/** `find` reads the fields only on request, because a SELECT precedes each write. */
function createEmployeeTable(
  database: DatabaseSync,
  head: ReturnType<typeof createHead>,
  activity: ReturnType<typeof createActivityLog>,
  { encryption, keepDeleted, maxBytes }: StorageRules,
): EmployeeTable {
  const statements = prepareStatements(database, keepDeleted)
  const addPrevious = createPasswordHistory(database, encryption, keepDeleted)
  const removeHandovers = database.prepare('DELETE FROM handovers WHERE seq = ?')

  return {
    protectDigest: encryption.protectDigest,
    head: head.read,
    find(id, withFields = false) {
      const row = readRow<FoundRow>(withFields ? statements.selectRowWithFields : statements.selectRow, id)
      if (!row) return
      const [seq, revision, removed, bytes, passwordRevision, first, digests] = row
      const passwords = { revision: passwordRevision, first }
      const readFields = once(() => {
        const columns = withFields ? row.slice(7) : (statements.selectFields.get(seq) as unknown as unknown[])
        return columns[0] === null ? undefined : encryption.decrypt(id, columns)
      })
      const isRemoved = removed === 1
      return { seq, revision, bytes, passwords, isRemoved, readFields, digests } as EmployeeRow
    },
    insert(row) {
      const { id, fields, digests } = row
      const columns = encryption.encrypt(id, fields)
      if (!resize(head.read(), undefined, { bytes: countBytes(columns), isRemoved: false }, maxBytes))
        return false
      statements.insertRow.get(...activity.changeOf(row), digests, id, ...columns)
      return true
    },
    update(row) {
      const { id, seq, fields, replaced, before } = row
      const columns = fields ? encryption.encrypt(id, fields) : []
      const keptBytes = keepDeleted ? before.bytes : 0
      const bytes = fields ? countBytes(columns) : keptBytes
      if (!resize(head.read(), before, { bytes, isRemoved: !fields }, maxBytes)) return false
      const change = activity.changeOf(row)
      const values = [...change, row.digests, ...columns]
      if (!fields || replaced) removeHandovers.get(seq)
      if (!fields) {
        statements.removeRow.get(...values)
        if (!keepDeleted) statements.forgetPasswords.get(seq)
      } else if (replaced) {
        const { revision, first } = addPrevious(change, before, { ...row, replaced, fields })
        statements.replacePassword.get(...values, revision, first)
      } else statements.replaceFields.get(...values)
      return true
    },
  }
}

interface PasswordChange {
  id: string
  revision: number
  replaced: EmployeeFields
  fields: EmployeeFields
}

/** The parameters ?1 to ?4 of a statement that changes a record. */
type ChangeValues = [revision: number, at: number, person: number | null, seq: number]

/** Logs writes of records. It does the same as the command `logActivity`, in half of the time. */
function createActivityLog(database: DatabaseSync) {
  const insert = database.prepare(
    'INSERT INTO activity (at, kind, topic, person, seq, revision, count, records) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const selectPerson = database.prepare('SELECT id FROM people WHERE uid = ?')
  const people = new Map<string, number>()

  /** Returns the short id of an account that exists or was removed; null for the operator. */
  function findPerson(uid: string | null | undefined): number | null {
    if (!uid) return null
    const id = people.get(uid) ?? (selectPerson.get(uid)?.id as number | undefined)
    if (id === undefined) return null
    people.set(uid, id)
    return id
  }

  return {
    log({ kind, by, seq, revision, count, records }: NewActivity): void {
      const values = [seq ?? null, revision ?? null, count ?? null, records ?? null]
      insert.get(Date.now(), kind, topicOf(kind), findPerson(by), ...values)
    },
    changeOf: ({ revision, by, seq }: WrittenRow): ChangeValues => [
      revision,
      Date.now(),
      findPerson(by),
      seq,
    ],
    /** Call after a rollback: who was added in the transaction does not exist. */
    reset: () => people.clear(),
  }
}

/** Returns a function that writes to the table `previousPasswords`. */
function createPasswordHistory(database: DatabaseSync, encryption: FieldEncryption, keepsText: boolean) {
  const selectKey = database.prepare('SELECT passwordKey FROM register')
  const readDigest = once(() => createPasswordDigest(encryption, selectKey.get()?.passwordKey))
  const forget = database.prepare('DELETE FROM previousPasswords WHERE seq = ? AND revision = ?')
  const insert = database.prepare(
    `INSERT INTO previousPasswords (revision, at, person, seq, digest, since, fields, total)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(octet_length(?7) + ${keptBytesSql}, 0))`,
  )
  /** SQL: the revision of the latest row of a record that is beyond a number of them; null if there is none. */
  const beyondSql = (count: number) =>
    `(SELECT revision FROM previousPasswords WHERE seq = ?1 ORDER BY revision DESC LIMIT 1 OFFSET ${count})`
  const find = database.prepare(
    `SELECT present.since, present.revision, ${beyondSql(maxKept - 1)}, ${beyondSql(maxRecognized - 1)}
     FROM (SELECT 1) LEFT JOIN previousPasswords AS present ON present.seq = ?1 AND present.digest = ?2`,
  )
  find.setReturnArrays(true)
  const wipeSurplus = database.prepare(
    `UPDATE previousPasswords SET fields = NULL
     WHERE seq = ?1 AND revision <= ${beyondSql(maxKept)} AND fields IS NOT NULL`,
  )
  const forgetSurplus = database.prepare(
    `DELETE FROM previousPasswords WHERE seq = ?1 AND revision <= ${beyondSql(maxRecognized)}`,
  )

  /** Adds the replaced password. Returns what the record then knows. */
  return (values: ChangeValues, { seq, passwords }: EmployeeRow, change: PasswordChange): KnownPasswords => {
    const { id, replaced, fields, revision } = change
    const digest = readDigest()
    const [since, knownAt, lastKept, lastRecognized] = readRow<FoundPasswords>(
      find,
      seq,
      digest(id, fields),
    ) as FoundPasswords
    if (knownAt !== null) forget.get(seq, knownAt)
    const text = keepsText ? encryptPrevious(encryption, id, replaced) : null
    insert.get(...values, digest(id, replaced), passwords.revision, text)
    if (lastKept !== null) wipeSurplus.get(seq)
    if (lastRecognized !== null) forgetSurplus.get(seq)
    return { revision: since ?? revision, first: passwords.first }
  }
}

/** The row of a password that comes back; then the revisions of the rows that would be the last to be kept, and recognized. */
type FoundPasswords = [
  since: number | null,
  revision: number | null,
  lastKept: number | null,
  lastRecognized: number | null,
]

/** `EmployeeRow` up to `bytes`, the revisions of `KnownPasswords`, `digests`, fields. */
type FoundRow = [number, number, 0 | 1, number, number, number, StoredDigests, ...unknown[]]
