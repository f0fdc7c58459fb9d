import type { DatabaseSync } from 'node:sqlite'
import type { EmployeeFields } from '../../../../contract/employees.ts'
import { activityOfAccount, activityOfReplacement } from '../../activity.ts'
import {
  createEmployeeCommands,
  type EmployeeRow,
  type EmployeeTable,
  type Head,
  once,
  type WrittenRow,
} from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import {
  type Account,
  maxRememberedAddresses,
  type PasswordReplacement,
  type Session,
} from '../../storage.ts'
import { latestRevisionSql } from '../employees.ts'
import { type ActivityLog, createActivityLog, createHistoryCommands } from '../history/commands.ts'
import { createLinkCommands } from './link-commands.ts'

export type Commands = ReturnType<typeof createCommands>['commands']

/**
 * Every write, as a function that runs inside the writer's transaction. Expected outcomes are return values;
 * only the database and decryption throw. `keepDeleted`: the fields of removed records can be restored.
 */
export function createCommands(database: DatabaseSync, encryption: FieldEncryption, keepDeleted: boolean) {
  const activity = createActivityLog(database)
  const { table, resetHead } = createEmployeeTable(database, { encryption, keepDeleted, activity })
  const accountCommands = createAccountCommands(database, activity)
  const sessionCommands = createSessionCommands(database)
  const links = createLinkCommands(database, accountCommands.insertAccount, activity)
  return {
    commands: {
      ...createEmployeeCommands(table),
      ...accountCommands.commands,
      ...sessionCommands,
      ...links.commands,
      ...createHistoryCommands(database, activity),

      replacePassword(replacement: PasswordReplacement): string[] | undefined {
        const { uid, passwordHash, expectedHash, resetLink, newSession } = replacement
        if (!links.hasResetLink(uid, resetLink)) return
        if (!accountCommands.commands.setPasswordHash(uid, passwordHash, expectedHash)) return
        links.removeResetLink(uid)
        const ended = sessionCommands.endAllSessions(uid)
        if (newSession) sessionCommands.addSession(newSession.session, passwordHash, newSession.addressHash)
        activity.log(activityOfReplacement(replacement))
        return ended
      },
    },
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
    'SELECT seq, revision, removed, eName, email, password FROM books WHERE id = ?',
  )
  // Faster than one object per row.
  for (const statement of [selectRow, selectRowWithFields]) statement.setReturnArrays(true)
  const selectFields = database.prepare('SELECT eName, email, password FROM books WHERE seq = ?')
  const selectDigest = database.prepare('SELECT digest FROM books WHERE seq = ?')
  const insertRow = database.prepare(
    `INSERT INTO books (revision, changedAt, changedBy, seq, eName, email, password, id, digest, passwordRevision, passwordAt)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?1, ?2)`,
  )
  const changeSql = 'UPDATE books SET revision = ?1, changedAt = ?2, changedBy = ?3, removed'
  const replaceSql = `${changeSql} = 0, eName = ?5, email = ?6, password = ?7`
  const replaceFields = database.prepare(`${replaceSql} WHERE seq = ?4`)
  const replacePassword = database.prepare(
    `${replaceSql}, passwordRevision = ?1, passwordAt = ?2 WHERE seq = ?4`,
  )
  const wipeSql = keepDeleted ? '' : ', eName = NULL, email = NULL, password = NULL'
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
      head ??= selectHead.get() as unknown as Head
      return head
    },
    find(id, withFields = false) {
      const row = (withFields ? selectRowWithFields : selectRow).get(id) as unknown as FoundRow | undefined
      if (!row) return
      const [seq, revision, isRemoved, eName, email, password] = row
      const readFields = once(() => {
        const found = withFields ? { eName, email, password } : undefined
        const stored = (found ?? selectFields.get(seq)) as unknown as EmployeeFields
        return stored.eName === null ? undefined : encryption.decrypt(id, stored)
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
      insertRow.get(...changeOf(row), ...encryption.encrypt(id, fields), id, stored)
    },
    update(row) {
      const { id, fields, isPasswordChanged } = row
      if (!fields) removeRow.get(...changeOf(row))
      else
        (isPasswordChanged ? replacePassword : replaceFields).get(
          ...changeOf(row),
          ...encryption.encrypt(id, fields),
        )
    },
  }

  function resetHead() {
    head = undefined
  }

  return { table, resetHead }
}

type FoundRow = [
  seq: number,
  revision: number,
  isRemoved: 0 | 1,
  eName?: unknown,
  email?: unknown,
  password?: unknown,
]

function createAccountCommands(database: DatabaseSync, { log }: ActivityLog) {
  const insertAccountRow = database.prepare(
    'INSERT INTO accounts (uid, email, emailKey, passwordHash, createdAt) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  // An import may bring an account back.
  const upsertPerson = database.prepare(
    `INSERT INTO people (uid, email, createdAt) VALUES (?, ?, ?)
     ON CONFLICT (uid) DO UPDATE SET email = excluded.email, removedAt = NULL, removedRevision = NULL`,
  )
  const updatePasswordHash = database.prepare(
    'UPDATE accounts SET passwordHash = ? WHERE uid = ? AND passwordHash = coalesce(?, passwordHash)',
  )
  const deleteAccountRow = database.prepare('DELETE FROM accounts WHERE uid = ?')
  const updatePerson = database.prepare(
    `UPDATE people SET removedAt = ?, removedRevision = (SELECT ${latestRevisionSql} FROM register) WHERE uid = ?`,
  )

  function insertAccount({ uid, email, emailKey, passwordHash, createdAt }: Account): boolean {
    if (insertAccountRow.run(uid, email, emailKey, passwordHash, createdAt).changes === 0) return false
    upsertPerson.run(uid, email, createdAt)
    return true
  }

  return {
    insertAccount,

    commands: {
      addAccount(account: Account, by?: string): boolean {
        const isAdded = insertAccount(account)
        if (isAdded) log(activityOfAccount(account.uid, by))
        return isAdded
      },

      setPasswordHash(uid: string, passwordHash: string, expectedHash?: string): boolean {
        return updatePasswordHash.run(passwordHash, uid, expectedHash ?? null).changes === 1
      },

      removeAccount(uid: string): boolean {
        if (deleteAccountRow.run(uid).changes === 0) return false
        updatePerson.run(Date.now(), uid)
        log({ kind: 'remove-account', account: uid })
        return true
      },
    },
  }
}

function createSessionCommands(database: DatabaseSync) {
  const insertSessionRow = database.prepare(
    'INSERT INTO sessions (hash, uid, createdAt, lastSeenAt) SELECT ?, uid, ?, ? FROM accounts WHERE uid = ? AND passwordHash = ?',
  )
  const upsertAddress = database.prepare(
    'INSERT INTO signedInFrom (hash, uid, lastAt) VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET lastAt = excluded.lastAt',
  )
  const deleteOldAddresses = database.prepare(
    `DELETE FROM signedInFrom WHERE hash IN (
       SELECT hash FROM signedInFrom WHERE uid = ? ORDER BY lastAt DESC LIMIT -1 OFFSET ${maxRememberedAddresses})`,
  )
  const updateSession = database.prepare(
    'UPDATE sessions SET lastSeenAt = max(lastSeenAt, ?) WHERE hash = ? RETURNING uid',
  )
  const upsertLastSeen = database.prepare(
    'INSERT INTO lastSeen (uid, at) VALUES (?, ?) ON CONFLICT (uid) DO UPDATE SET at = max(at, excluded.at)',
  )
  const deleteSession = database.prepare('DELETE FROM sessions WHERE hash = ?')
  const deleteAllSessions = database.prepare('DELETE FROM sessions WHERE uid = ? RETURNING hash')
  const deleteExpiredSessions = database.prepare(
    'DELETE FROM sessions WHERE createdAt < ? OR lastSeenAt < ? RETURNING hash',
  )
  const hashesOf = (rows: Record<string, unknown>[]) => rows.map(({ hash }) => String(hash))

  return {
    addSession(
      { hash, uid, createdAt, lastSeenAt }: Session,
      passwordHash: string,
      addressHash?: string,
    ): boolean {
      if (insertSessionRow.run(hash, createdAt, lastSeenAt, uid, passwordHash).changes === 0) return false
      upsertLastSeen.run(uid, lastSeenAt)
      if (addressHash !== undefined) {
        upsertAddress.run(addressHash, uid, createdAt)
        deleteOldAddresses.run(uid)
      }
      return true
    },

    touchSession(hash: string, lastSeenAt: number): void {
      const touched = updateSession.get(lastSeenAt, hash)
      if (touched) upsertLastSeen.run(String(touched.uid), lastSeenAt)
    },

    endSessions(hashes: string[]): string[] {
      return hashes.filter((hash) => deleteSession.run(hash).changes === 1)
    },

    endAllSessions(uid: string): string[] {
      return hashesOf(deleteAllSessions.all(uid))
    },

    endExpiredSessions(createdBefore: number, seenBefore: number): string[] {
      return hashesOf(deleteExpiredSessions.all(createdBefore, seenBefore))
    },
  }
}
