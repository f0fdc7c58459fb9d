import { documentId, type Firestore, orderBy, query, type Transaction } from 'firebase/firestore'
import { decideRestore } from '../../../contract/batches.ts'
import { type Employee, type EmployeeFields, fillFields, mergeFields } from '../../../contract/employees.ts'
import { createRecordId } from '../../../contract/firestore.ts'
import { stopAll } from '../../lib/dom.ts'
import { type ChangeListener, type DocumentStore, hasCode } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { executeBatch, requireValidBatch, requireValidFields } from './batch.ts'
import { createHistoryService } from './history.ts'
import { PageView, type RequestedWrite, toEmployee } from './page-view.ts'
import { createPreviousPasswordService, purge } from './previous-passwords.ts'
import {
  booksOf,
  isStored,
  type ReadRecord,
  type RecordedWrite,
  readRecord,
  readWritten,
  toEntryId,
  toRestoredState,
  writeRecorded,
} from './recorded-writes.ts'
import type { Session } from './session.ts'
import { SnapshotListener } from './snapshot-listener.ts'
import { enter, watchMember } from './team/members.ts'
import { createTransactions } from './transactions.ts'

/**
 * The collection `books` in Firestore; the order of ids is the order of creation. This module loads Firestore's SDK, so import
 * it on demand only.
 */
export function openDocuments(db: Firestore, session: Session, streamCheckIntervalMs: number): DocumentStore {
  const view = new PageView()
  const runTransaction = createTransactions(db)

  const trackTransaction = <T>(requested: RequestedWrite, work: Parameters<typeof runTransaction<T>>[0]) =>
    view.trackWrite(requested, () => runTransaction(work))

  /**
   * Creates the record unless it exists or was deleted. Resolves to whether it exists. `isCreated`: this call, or one that has made this
   * entry before, has created it; unknown without an entry.
   */
  function createIfMissing({ id, ...fields }: Employee, entryId: string | undefined) {
    const requested: RequestedWrite = [id, fields]
    return trackTransaction(requested, async (transaction) => {
      const { record, isRepeated } = await readChanged(db, transaction, id, entryId)
      if (record.stored) return { exists: true, isCreated: isRepeated }
      if (record.details) {
        requested[1] = null
        return { exists: false, isCreated: isRepeated }
      }
      writeRecorded(db, transaction, session.email(), [[record, fields]], () => entryId)
      return { exists: true, isCreated: true }
    })
  }

  return {
    ...createReads(db, session, view, streamCheckIntervalMs),

    async add(fields, key, editKey) {
      requireValidFields(fields)
      const uid = await session.requireUid()
      const id = createRecordId(key, uid)
      const { exists, isCreated } = await createIfMissing(
        { id, ...fields },
        await toEntryId(uid, editKey, 'add', fields),
      )
      if (!exists) reload(view)
      if (editKey && !isCreated) throw createServiceError('key-reused', { id })
      return id
    },

    ...createChanges(db, session, view, trackTransaction),

    async writeBatch(batch, key, options = {}) {
      requireValidBatch(batch)
      const uid = await session.requireUid()
      const ids = batch.add.map((_, row) => createRecordId(key, uid, row))
      const repeated = new Set<string>()
      const context = { db, runTransaction, ids, key, uid, options, repeated, by: session.email() }
      const result = await view.trackBatch(() => executeBatch(batch, context))
      if (repeated.size > 0) reload(view)
      return result
    },

    previousPasswords: createPreviousPasswordService(booksOf(db)),
    history: createHistoryService(db, session, view),
  }
}

/** Where the page takes what it has repeated for done, though it was undone since. */
const reload = (view: PageView) => setTimeout(() => view.listener?.onStale())

/** `isRepeated`: the change that makes this entry was made before. */
async function readChanged(
  db: Firestore,
  transaction: Transaction,
  id: string,
  entryId: string | undefined,
  isDeletion = false,
) {
  const [record, written] = await Promise.all([
    readRecord(db, transaction, id, isDeletion),
    readWritten(db, transaction, entryId),
  ])
  return { record, isRepeated: written.includes(id) }
}

type TrackTransaction = <T>(
  requested: RequestedWrite,
  work: (transaction: Transaction) => T | Promise<T>,
) => Promise<T>

/** The changes of one record. */
function createChanges(
  db: Firestore,
  session: Session,
  view: PageView,
  trackTransaction: TrackTransaction,
): Pick<DocumentStore, 'update' | 'remove' | 'restore'> {
  const write = (transaction: Transaction, change: RecordedWrite, entryId: string | undefined) =>
    writeRecorded(db, transaction, session.email(), [change], () => entryId)

  return {
    async update(id, fields, seen, key) {
      requireValidFields(fields)
      const entryId = await toEntryId(await session.requireUid(), key, 'update', fields)
      const requested: RequestedWrite = [id, fields]
      return trackTransaction(requested, async (transaction) => {
        const { record, isRepeated } = await readChanged(db, transaction, id, entryId)
        if (!record.stored) throw createServiceError('not-found')
        const { id: _, ...current } = toEmployee(id, record.stored)
        const merge = () =>
          seen ? requireMerged({ id, ...current }, seen, fields) : fillFields(fields, current)
        const merged = isRepeated ? current : merge()
        requested[1] = merged
        if (!isRepeated && !isStored(record, merged)) write(transaction, [record, merged], entryId)
        return merged
      })
    },

    async remove(id, key) {
      const entryId = await toEntryId(await session.requireUid(), key, 'remove')
      const requested: RequestedWrite = [id, null]
      await trackTransaction(requested, async (transaction) => {
        const { record, isRepeated } = await readChanged(db, transaction, id, entryId, true)
        if (!record.stored) return
        if (isRepeated) requested[1] = toEmployee(id, record.stored)
        else write(transaction, [record, null], entryId)
      })
      if (requested[1]) reload(view)
    },

    async restore({ id, ...fields }, seen, key) {
      requireValidFields(fields)
      const entryId = await toEntryId(await session.requireUid(), key, 'restore', fields)
      const requested: RequestedWrite = [id, fields]
      const restored = await trackTransaction(requested, async (transaction) => {
        const { record, isRepeated } = await readChanged(db, transaction, id, entryId)
        if (isRepeated) {
          requested[1] = record.stored ? toEmployee(id, record.stored) : null
          return requested[1] ?? fields
        }
        const { isDone, merged } = requireRestorable(record, fields, seen)
        requested[1] = merged
        if (!isDone) write(transaction, [record, merged], entryId)
        return merged
      })
      if (!requested[1]) reload(view)
      return { document: { id, ...restored }, after: view.previousId(id) }
    },
  }
}

/** The list and the changes after it. */
function createReads(db: Firestore, session: Session, view: PageView, streamCheckIntervalMs: number) {
  const books = query(booksOf(db), orderBy(documentId()))
  const snapshotListener = new SnapshotListener(books, view, streamCheckIntervalMs)
  let hasPurged = false

  /** After a list that was refused. */
  async function enterAndList(error: unknown) {
    if (!hasCode(error, 'not-allowed')) throw error
    // An account that has not signed in since there are members, or that was removed.
    await session.requireMember((user) => enter(db, user))
    return snapshotListener.list()
  }

  return {
    async list() {
      await session.requireUid()
      if (!hasPurged) void purge(db, createTransactions(db)).catch(() => {})
      hasPurged = true
      return snapshotListener.list().catch((error) => enterAndList(error))
    },

    subscribe(listener: ChangeListener) {
      const unsubscribe = snapshotListener.subscribe(listener)
      return stopAll(
        session.onEnd(() => snapshotListener.endSession()),
        session.watch((user, onRemoved) => watchMember(db, user, onRemoved)),
        unsubscribe,
      )
    },
  }
}

/**
 * Throws `conflict`, or `invalid-request` if a field that the user has not changed was created in Firebase's console and the
 * rules would reject it.
 */
function requireMerged(current: Employee, seen: EmployeeFields, fields: EmployeeFields): EmployeeFields {
  const merged = mergeFields(current, seen, fields)
  if (merged.conflicts.length > 0) throw createServiceError('conflict')
  requireValidFields(merged.fields)
  return merged.fields
}

/** Throws as `requireMerged`, but `id-in-use` if the record exists and is not as the user wants it. `isDone`: it is. */
function requireRestorable(record: ReadRecord, requested: EmployeeFields, seen: EmployeeFields | undefined) {
  const { outcome, fields } = decideRestore(toRestoredState(record), requested, seen)
  if (outcome === 'conflict') throw createServiceError('id-in-use')
  if (outcome === 'write') requireValidFields(fields)
  return { isDone: outcome === 'done', merged: fields }
}
