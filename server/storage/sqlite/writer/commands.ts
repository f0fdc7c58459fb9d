import type { DatabaseSync } from 'node:sqlite'
import { fateOf } from '../../../../contract/batches.ts'
import { type Employee, type EmployeeFields, sameFields } from '../../../../contract/employees.ts'
import type { Sealing } from '../../encryption/field-encryption.ts'
import {
  type Account,
  type BatchOutcome,
  type IdentifiedBatch,
  placesRemembered,
  type Session,
  type WriteOutcome,
} from '../../storage.ts'
import { latestRevision } from '../latest-revision.ts'

export type Commands = ReturnType<typeof createCommands>['commands']
export type CommandName = keyof Commands

/**
 * What the changes of a batch were given, in the order of add, update, remove: the place of the record, or 0 where
 * nothing was written. Each has the revision after the one before it, up to the batch's.
 */
export interface WrittenBatch extends BatchOutcome {
  seqs: number[]
}

interface BookRow {
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
export function createCommands(database: DatabaseSync, sealing: Sealing) {
  const findBook = database.prepare('SELECT seq, eName, email, password, revision FROM books WHERE id = ?')
  const insertBook = database.prepare(
    'INSERT INTO books (id, eName, email, password, revision) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  )
  const writeBook = database.prepare(
    'UPDATE books SET eName = ?, email = ?, password = ?, revision = ? WHERE id = ? AND eName IS NOT NULL RETURNING seq',
  )
  const removeBook = database.prepare(
    'UPDATE books SET eName = NULL, email = NULL, password = NULL, revision = ? WHERE id = ? AND eName IS NOT NULL RETURNING seq',
  )
  const restoreBook = database.prepare(
    'UPDATE books SET eName = ?, email = ?, password = ?, revision = ? WHERE seq = ?',
  )
  const insertAccount = database.prepare(
    'INSERT INTO accounts (uid, email, emailKey, passwordHash, createdAt) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const setPasswordHash = database.prepare(
    'UPDATE accounts SET passwordHash = ? WHERE uid = ? AND passwordHash = coalesce(?, passwordHash)',
  )
  const removeAccount = database.prepare('DELETE FROM accounts WHERE uid = ?')
  const insertSession = database.prepare(
    'INSERT INTO sessions (hash, uid, createdAt, lastSeenAt) SELECT ?, uid, ?, ? FROM accounts WHERE uid = ? AND passwordHash = ?',
  )
  const rememberPlace = database.prepare(
    'INSERT INTO signedInFrom (hash, uid, lastAt) VALUES (?, ?, ?) ON CONFLICT (hash) DO UPDATE SET lastAt = excluded.lastAt',
  )
  const forgetPlaces = database.prepare(
    `DELETE FROM signedInFrom WHERE hash IN (
       SELECT hash FROM signedInFrom WHERE uid = ? ORDER BY lastAt DESC LIMIT -1 OFFSET ${placesRemembered})`,
  )
  const touchSession = database.prepare('UPDATE sessions SET lastSeenAt = max(lastSeenAt, ?) WHERE hash = ?')
  const endSession = database.prepare('DELETE FROM sessions WHERE hash = ?')
  const endAll = database.prepare('DELETE FROM sessions WHERE uid = ? AND hash IS NOT ? RETURNING hash')
  const endExpired = database.prepare(
    'DELETE FROM sessions WHERE createdAt < ? OR lastSeenAt < ? RETURNING hash',
  )
  const readRevision = database.prepare(`SELECT ${latestRevision} AS revision FROM register`)

  let revision: number | undefined

  const nextRevision = () => {
    revision ??= Number(readRevision.get()?.revision)
    return revision + 1
  }

  /** A write took the next revision. */
  const done = (seq: number): WriteOutcome => {
    revision = nextRevision()
    return { outcome: 'done', seq, revision }
  }

  const bookRow = (id: string) => findBook.get(id) as unknown as BookRow | undefined
  const unchanged = ({ seq, revision }: BookRow): WriteOutcome => ({ outcome: 'unchanged', seq, revision })
  const notFound: WriteOutcome = { outcome: 'not-found' }
  const hashesOf = (rows: Record<string, unknown>[]) => rows.map(({ hash }) => String(hash))
  const seqOf = (write: WriteOutcome) => (write.outcome === 'done' ? write.seq : 0)

  /** The record as it stands; nothing where there is none, or none any more. */
  const fieldsOf = (id: string): EmployeeFields | undefined => {
    const row = bookRow(id)
    return row && row.eName !== null ? sealing.open(id, row) : undefined
  }

  const commands = {
    addBook(id: string, fields: EmployeeFields): WriteOutcome {
      const { changes, lastInsertRowid } = insertBook.run(id, ...sealing.seal(id, fields), nextRevision())
      if (changes === 1) return done(Number(lastInsertRowid))
      return unchanged(bookRow(id) as BookRow)
    },

    updateBook(id: string, fields: EmployeeFields): WriteOutcome {
      const row = writeBook.get(...sealing.seal(id, fields), nextRevision(), id)
      return row ? done(Number(row.seq)) : notFound
    },

    removeBook(id: string): WriteOutcome {
      const row = removeBook.get(nextRevision(), id)
      return row ? done(Number(row.seq)) : notFound
    },

    restoreBook(id: string, fields: EmployeeFields): WriteOutcome {
      const row = bookRow(id)
      if (!row) return notFound
      if (row.eName !== null) {
        const isThere = sameFields(sealing.open(id, row), fields)
        return isThere ? unchanged(row) : { outcome: 'id-in-use' }
      }
      restoreBook.run(...sealing.seal(id, fields), nextRevision(), row.seq)
      return done(row.seq)
    },

    writeBatch({ add, update, remove }: IdentifiedBatch): WrittenBatch {
      const kept: string[] = []
      const revise = (seen: Employee, fields: EmployeeFields | null) => {
        const fate = fateOf(fieldsOf(seen.id), seen, fields)
        if (fate === 'kept') kept.push(seen.id)
        if (fate !== 'write') return 0
        return seqOf(fields ? commands.updateBook(seen.id, fields) : commands.removeBook(seen.id))
      }
      const seqs = [
        ...add.map(({ id, ...fields }) => seqOf(commands.addBook(id, fields))),
        ...update.map(({ seen, fields }) => revise(seen, fields)),
        ...remove.map((seen) => revise(seen, null)),
      ]
      return { revision: nextRevision() - 1, kept, seqs }
    },

    addAccount({ uid, email, emailKey, passwordHash, createdAt }: Account): boolean {
      return insertAccount.run(uid, email, emailKey, passwordHash, createdAt).changes === 1
    },

    setPasswordHash(uid: string, passwordHash: string, seen?: string): boolean {
      return setPasswordHash.run(passwordHash, uid, seen ?? null).changes === 1
    },

    removeAccount(uid: string): boolean {
      return removeAccount.run(uid).changes === 1
    },

    addSession({ hash, uid, createdAt, lastSeenAt }: Session, passwordHash: string, from?: string): boolean {
      if (insertSession.run(hash, createdAt, lastSeenAt, uid, passwordHash).changes === 0) return false
      if (from !== undefined) {
        rememberPlace.run(from, uid, createdAt)
        forgetPlaces.run(uid)
      }
      return true
    },

    touchSession(hash: string, lastSeenAt: number): void {
      touchSession.run(lastSeenAt, hash)
    },

    endSessions(hashes: string[]): string[] {
      return hashes.filter((hash) => endSession.run(hash).changes === 1)
    },

    endAllSessions(uid: string, keep?: string): string[] {
      return hashesOf(endAll.all(uid, keep ?? null))
    },

    endExpiredSessions(createdBefore: number, seenBefore: number): string[] {
      return hashesOf(endExpired.all(createdBefore, seenBefore))
    },
  }

  return {
    commands,
    /** After a rollback the revision is read again from the rows. */
    forget: () => {
      revision = undefined
    },
  }
}
