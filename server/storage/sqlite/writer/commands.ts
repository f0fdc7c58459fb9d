import type { DatabaseSync } from 'node:sqlite'
import { decideOutcome } from '../../../../contract/batches.ts'
import { type Employee, type EmployeeFields, hasSameFields } from '../../../../contract/employees.ts'
import type { FieldEncryption } from '../../encryption/field-encryption.ts'
import {
  type Account,
  type BatchOutcome,
  type IdentifiedBatch,
  maxRememberedAddresses,
  type Session,
  type WriteOutcome,
} from '../../storage.ts'
import { latestRevisionSql } from '../latest-revision.ts'

export type Commands = ReturnType<typeof createCommands>['commands']
export type CommandName = keyof Commands

/**
 * What the changes of a batch were given, in the order of add, update, remove: the place of the record, or 0 where
 * nothing was written. Each has the revision after the one before it, up to the batch's.
 */
export interface BatchWriteResult extends BatchOutcome {
  seqs: number[]
}

interface EmployeeRow {
  seq: number
  eName: unknown
  email: unknown
  password: unknown
  revision: number
}

/**
 * Everything that is ever written, one function each, run by the writer inside its transaction. An outcome of the
 * domain is a value; only the database itself throws.
 */
export function createCommands(database: DatabaseSync, encryption: FieldEncryption) {
  const selectEmployeeRow = database.prepare(
    'SELECT seq, eName, email, password, revision FROM books WHERE id = ?',
  )
  const insertEmployeeRow = database.prepare(
    'INSERT INTO books (id, eName, email, password, revision) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  )
  const updateEmployeeRow = database.prepare(
    'UPDATE books SET eName = ?, email = ?, password = ?, revision = ? WHERE id = ? AND eName IS NOT NULL RETURNING seq',
  )
  const clearEmployeeRow = database.prepare(
    'UPDATE books SET eName = NULL, email = NULL, password = NULL, revision = ? WHERE id = ? AND eName IS NOT NULL RETURNING seq',
  )
  const restoreEmployeeRow = database.prepare(
    'UPDATE books SET eName = ?, email = ?, password = ?, revision = ? WHERE seq = ?',
  )
  const insertAccountRow = database.prepare(
    'INSERT INTO accounts (uid, email, emailKey, passwordHash, createdAt) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const updatePasswordHash = database.prepare(
    'UPDATE accounts SET passwordHash = ? WHERE uid = ? AND passwordHash = coalesce(?, passwordHash)',
  )
  const deleteAccountRow = database.prepare('DELETE FROM accounts WHERE uid = ?')
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
  const updateLastSeen = database.prepare(
    'UPDATE sessions SET lastSeenAt = max(lastSeenAt, ?) WHERE hash = ?',
  )
  const deleteSession = database.prepare('DELETE FROM sessions WHERE hash = ?')
  const deleteAllSessions = database.prepare(
    'DELETE FROM sessions WHERE uid = ? AND hash IS NOT ? RETURNING hash',
  )
  const deleteExpiredSessions = database.prepare(
    'DELETE FROM sessions WHERE createdAt < ? OR lastSeenAt < ? RETURNING hash',
  )
  const selectRevision = database.prepare(`SELECT ${latestRevisionSql} AS revision FROM register`)

  let revision: number | undefined

  const nextRevision = () => {
    revision ??= Number(selectRevision.get()?.revision)
    return revision + 1
  }

  /** A write took the next revision. */
  const takeRevision = (seq: number): WriteOutcome => {
    revision = nextRevision()
    return { outcome: 'done', seq, revision }
  }

  const findRow = (id: string) => selectEmployeeRow.get(id) as unknown as EmployeeRow | undefined
  const unchanged = ({ seq, revision }: EmployeeRow): WriteOutcome => ({
    outcome: 'unchanged',
    seq,
    revision,
  })
  const notFound: WriteOutcome = { outcome: 'not-found' }
  const hashesOf = (rows: Record<string, unknown>[]) => rows.map(({ hash }) => String(hash))
  const seqOf = (write: WriteOutcome) => (write.outcome === 'done' ? write.seq : 0)

  /** The record as it stands; nothing where there is none, or none any more. */
  const readFields = (id: string): EmployeeFields | undefined => {
    const row = findRow(id)
    return row && row.eName !== null ? encryption.decrypt(id, row) : undefined
  }

  const commands = {
    addEmployee(id: string, fields: EmployeeFields): WriteOutcome {
      const { changes, lastInsertRowid } = insertEmployeeRow.run(
        id,
        ...encryption.encrypt(id, fields),
        nextRevision(),
      )
      if (changes === 1) return takeRevision(Number(lastInsertRowid))
      return unchanged(findRow(id) as EmployeeRow)
    },

    updateEmployee(id: string, fields: EmployeeFields): WriteOutcome {
      const row = updateEmployeeRow.get(...encryption.encrypt(id, fields), nextRevision(), id)
      return row ? takeRevision(Number(row.seq)) : notFound
    },

    removeEmployee(id: string): WriteOutcome {
      const row = clearEmployeeRow.get(nextRevision(), id)
      return row ? takeRevision(Number(row.seq)) : notFound
    },

    restoreEmployee(id: string, fields: EmployeeFields): WriteOutcome {
      const row = findRow(id)
      if (!row) return notFound
      if (row.eName !== null) {
        const isUnchanged = hasSameFields(encryption.decrypt(id, row), fields)
        return isUnchanged ? unchanged(row) : { outcome: 'id-in-use' }
      }
      restoreEmployeeRow.run(...encryption.encrypt(id, fields), nextRevision(), row.seq)
      return takeRevision(row.seq)
    },

    writeBatch({ add, update, remove }: IdentifiedBatch): BatchWriteResult {
      const kept: string[] = []
      const writeIfUnchanged = (seen: Employee, fields: EmployeeFields | null) => {
        const fate = decideOutcome(readFields(seen.id), seen, fields)
        if (fate === 'conflict') kept.push(seen.id)
        if (fate !== 'write') return 0
        return seqOf(fields ? commands.updateEmployee(seen.id, fields) : commands.removeEmployee(seen.id))
      }
      const seqs = [
        ...add.map(({ id, ...fields }) => seqOf(commands.addEmployee(id, fields))),
        ...update.map(({ seen, fields }) => writeIfUnchanged(seen, fields)),
        ...remove.map((seen) => writeIfUnchanged(seen, null)),
      ]
      return { revision: nextRevision() - 1, kept, seqs }
    },

    addAccount({ uid, email, emailKey, passwordHash, createdAt }: Account): boolean {
      return insertAccountRow.run(uid, email, emailKey, passwordHash, createdAt).changes === 1
    },

    setPasswordHash(uid: string, passwordHash: string, expectedHash?: string): boolean {
      return updatePasswordHash.run(passwordHash, uid, expectedHash ?? null).changes === 1
    },

    removeAccount(uid: string): boolean {
      return deleteAccountRow.run(uid).changes === 1
    },

    addSession(
      { hash, uid, createdAt, lastSeenAt }: Session,
      passwordHash: string,
      addressHash?: string,
    ): boolean {
      if (insertSessionRow.run(hash, createdAt, lastSeenAt, uid, passwordHash).changes === 0) return false
      if (addressHash !== undefined) {
        upsertAddress.run(addressHash, uid, createdAt)
        deleteOldAddresses.run(uid)
      }
      return true
    },

    touchSession(hash: string, lastSeenAt: number): void {
      updateLastSeen.run(lastSeenAt, hash)
    },

    endSessions(hashes: string[]): string[] {
      return hashes.filter((hash) => deleteSession.run(hash).changes === 1)
    },

    endAllSessions(uid: string, exceptHash?: string): string[] {
      return hashesOf(deleteAllSessions.all(uid, exceptHash ?? null))
    },

    endExpiredSessions(createdBefore: number, seenBefore: number): string[] {
      return hashesOf(deleteExpiredSessions.all(createdBefore, seenBefore))
    },
  }

  return {
    commands,
    /** After a rollback the revision is read again from the rows. */
    resetRevision: () => {
      revision = undefined
    },
  }
}
