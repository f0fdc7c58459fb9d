import type { DatabaseSync } from 'node:sqlite'
import { createEmployeeCommands, type EmployeeTable, type Head } from '../../decide.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import {
  type Account,
  maxRememberedAddresses,
  type PasswordReplacement,
  type Session,
} from '../../storage.ts'
import { latestRevisionSql } from '../employees.ts'
import { createLinkCommands } from './link-commands.ts'

export type Commands = ReturnType<typeof createCommands>['commands']

/**
 * Every write, as a function that runs inside the writer's transaction. Expected outcomes are return values;
 * only the database and decryption throw.
 */
export function createCommands(database: DatabaseSync, encryption: FieldEncryption) {
  const { table, resetHead } = createEmployeeTable(database, encryption)
  const accountCommands = createAccountCommands(database)
  const sessionCommands = createSessionCommands(database)
  const links = createLinkCommands(database, accountCommands.addAccount)
  return {
    commands: {
      ...createEmployeeCommands(table),
      ...accountCommands,
      ...sessionCommands,
      ...links.commands,

      replacePassword({
        uid,
        passwordHash,
        expectedHash,
        resetLink,
        newSession,
      }: PasswordReplacement): string[] | undefined {
        if (!links.hasResetLink(uid, resetLink)) return
        if (!accountCommands.setPasswordHash(uid, passwordHash, expectedHash)) return
        links.removeResetLink(uid)
        const ended = sessionCommands.endAllSessions(uid)
        if (newSession) sessionCommands.addSession(newSession.session, passwordHash, newSession.addressHash)
        return ended
      },
    },
    /** Call after a rollback. The next write then reads the head from the database again. */
    resetHead,
  }
}

/** `find` does not read the fields: most commands don't need them, and a SELECT precedes each write. */
function createEmployeeTable(database: DatabaseSync, encryption: FieldEncryption) {
  const selectRow = database.prepare('SELECT seq, revision, eName IS NULL FROM books WHERE id = ?')
  // Faster than one object per row.
  selectRow.setReturnArrays(true)
  const selectFields = database.prepare('SELECT eName, email, password FROM books WHERE seq = ?')
  const selectDigest = database.prepare('SELECT digest FROM books WHERE seq = ?')
  const insertRow = database.prepare(
    'INSERT INTO books (eName, email, password, revision, seq, id, digest) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const updateRow = database.prepare(
    'UPDATE books SET eName = ?, email = ?, password = ?, revision = ? WHERE seq = ?',
  )
  const selectHead = database.prepare(
    `SELECT ${latestRevisionSql} AS revision, (SELECT coalesce(max(seq), 0) FROM books) AS lastSeq FROM register`,
  )
  let head: Head | undefined

  const table: EmployeeTable = {
    head() {
      head ??= selectHead.get() as unknown as Head
      return head
    },
    find(id) {
      const row = selectRow.get(id) as unknown as
        | [seq: number, revision: number, isRemoved: 0 | 1]
        | undefined
      if (!row) return
      const [seq, revision, isRemoved] = row
      const readFields = () =>
        encryption.decrypt(id, selectFields.get(seq) as { eName: unknown; email: unknown; password: unknown })
      const matchesDigest = (digest: string) => {
        const stored = selectDigest.get(seq)?.digest
        return stored === null || stored === encryption.protectDigest(digest)
      }
      return { seq, revision, isRemoved: isRemoved === 1, readFields, matchesDigest }
    },
    insert({ id, seq, revision, fields, digest }) {
      const stored = digest === undefined ? null : encryption.protectDigest(digest)
      insertRow.run(...(fields ? encryption.encrypt(id, fields) : noFields), revision, seq, id, stored)
    },
    update({ id, seq, revision, fields }) {
      updateRow.run(...(fields ? encryption.encrypt(id, fields) : noFields), revision, seq)
    },
  }

  function resetHead() {
    head = undefined
  }

  return { table, resetHead }
}

const noFields = [null, null, null] as const

function createAccountCommands(database: DatabaseSync) {
  const insertAccountRow = database.prepare(
    'INSERT INTO accounts (uid, email, emailKey, passwordHash, createdAt) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const updatePasswordHash = database.prepare(
    'UPDATE accounts SET passwordHash = ? WHERE uid = ? AND passwordHash = coalesce(?, passwordHash)',
  )
  const deleteAccountRow = database.prepare('DELETE FROM accounts WHERE uid = ?')
  return {
    addAccount({ uid, email, emailKey, passwordHash, createdAt }: Account): boolean {
      return insertAccountRow.run(uid, email, emailKey, passwordHash, createdAt).changes === 1
    },

    setPasswordHash(uid: string, passwordHash: string, expectedHash?: string): boolean {
      return updatePasswordHash.run(passwordHash, uid, expectedHash ?? null).changes === 1
    },

    removeAccount(uid: string): boolean {
      return deleteAccountRow.run(uid).changes === 1
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
