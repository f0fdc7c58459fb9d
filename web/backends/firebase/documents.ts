import type { FirebaseApp } from 'firebase/app'
import { collection, doc, documentId, type Firestore, orderBy, query } from 'firebase/firestore'
import {
  collection as collectionName,
  type Employee,
  type EmployeeFields,
  hasSameFields,
  mergeFields,
  pickFields,
} from '../../../contract/employees.ts'
import type { FirebaseConfig } from '../../../contract/firebase.ts'
import { createRecordId } from '../../../contract/firestore.ts'
import { stopAll } from '../../lib/dom.ts'
import { type ChangeListener, type DocumentStore, hasCode } from '../ports.ts'
import { executeBatch, requireValidBatch, requireValidFields } from './batch.ts'
import { createServiceError } from './errors.ts'
import { openFirestore } from './firestore.ts'
import { PageView, type RequestedWrite, toEmployee } from './page-view.ts'
import { createPreviousPasswordService, keepReplaced, purge } from './previous-passwords.ts'
import type { Session } from './session.ts'
import { SnapshotListener } from './snapshot-listener.ts'
import { enter, watchMember } from './team/members.ts'
import { createTransactions } from './transactions.ts'

/** Opens Firestore. This module loads Firestore's SDK, so import it on demand only. */
export function openDocuments(
  app: FirebaseApp,
  config: FirebaseConfig,
  session: Session,
  streamCheckIntervalMs: number,
): DocumentStore {
  return createDocumentStore(openFirestore(app, config), session, streamCheckIntervalMs)
}

/** The collection `books` in Firestore; the order of ids is the order of creation. */
function createDocumentStore(db: Firestore, session: Session, streamCheckIntervalMs: number): DocumentStore {
  const books = collection(db, collectionName)
  const view = new PageView()
  const runTransaction = createTransactions(db)

  const trackTransaction = <T>(requested: RequestedWrite, work: Parameters<typeof runTransaction<T>>[0]) =>
    view.trackWrite(requested, () => runTransaction(work))

  /** Creates the record unless its id is in use; returns the stored record. */
  function createIfMissing({ id, ...fields }: Employee): Promise<Employee> {
    return trackTransaction([id, fields], async (transaction) => {
      const document = await transaction.get(doc(books, id))
      if (document.exists()) return toEmployee(id, document.data())
      transaction.set(doc(books, id), pickFields(fields))
      return { id, ...fields }
    })
  }

  return {
    ...createReads(db, session, view, streamCheckIntervalMs),

    async add(fields, key) {
      requireValidFields(fields)
      const id = createRecordId(key, await session.requireUid())
      await createIfMissing({ id, ...fields })
      return id
    },

    async update(id, fields, seen) {
      requireValidFields(fields)
      await session.requireUid()
      const requested: RequestedWrite = [id, fields]
      return trackTransaction(requested, async (transaction) => {
        const document = await transaction.get(doc(books, id))
        if (!document.exists()) throw createServiceError('not-found')
        const merged = seen ? requireMerged(toEmployee(id, document.data()), seen, fields) : fields
        requested[1] = merged
        // Replace the whole document: the rules reject documents with additional fields, which Firebase's console allows.
        transaction.set(doc(books, id), pickFields(merged))
        keepReplaced(transaction, books, session.email(), [id, document.data(), merged])
        return merged
      })
    },

    async remove(id) {
      await session.requireUid()
      await trackTransaction([id, null], (transaction) => void transaction.delete(doc(books, id)))
    },

    async restore(employee) {
      requireValidFields(employee)
      await session.requireUid()
      const existing = await createIfMissing(employee)
      if (!hasSameFields(existing, employee)) throw createServiceError('id-in-use')
      return view.previousId(employee.id)
    },

    async writeBatch(batch, key, options = {}) {
      requireValidBatch(batch)
      const uid = await session.requireUid()
      const ids = batch.add.map((_, row) => createRecordId(key, uid, row))
      const context = { books, runTransaction, ids, options, by: session.email() }
      return view.trackBatch(() => executeBatch(batch, context))
    },

    previousPasswords: createPreviousPasswordService(books),
  }
}

/** The list and the changes after it. */
function createReads(db: Firestore, session: Session, view: PageView, streamCheckIntervalMs: number) {
  const books = collection(db, collectionName)
  const snapshotListener = new SnapshotListener(
    query(books, orderBy(documentId())),
    view,
    streamCheckIntervalMs,
  )
  let hasPurged = false

  /** After a list that was refused. */
  async function enterAndList(error: unknown) {
    if (!hasCode(error, 'not-allowed')) throw error
    // An account that has not signed in since there are members, or that was removed.
    await session.enter((user) => enter(db, user))
    return snapshotListener.list()
  }

  return {
    async list() {
      await session.requireUid()
      if (!hasPurged) void purge(books, createTransactions(db)).catch(() => {})
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
