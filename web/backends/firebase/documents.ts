import { collection, doc, documentId, type Firestore, orderBy, query } from 'firebase/firestore'
import {
  collection as collectionName,
  type Employee,
  hasSameFields,
  pickFields,
} from '../../../contract/employees.ts'
import { createRecordId } from '../../../contract/firestore.ts'
import type { DocumentStore } from '../ports.ts'
import { executeBatch, requireValidBatch, requireValidFields } from './batch.ts'
import { createServiceError } from './errors.ts'
import { createPageView, type RequestedWrite } from './page-view.ts'
import type { Session } from './session.ts'
import { createSnapshotListener } from './snapshot-listener.ts'
import { toEmployee } from './to-employee.ts'
import { createTransactions } from './transactions.ts'

/** The collection `books` in Firestore; ids carry the order of creation. */
export function createDocumentStore(db: Firestore, session: Session): DocumentStore {
  const books = collection(db, collectionName)
  const view = createPageView()
  const snapshotListener = createSnapshotListener(query(books, orderBy(documentId())), view)
  const runTransaction = createTransactions(db)

  /** Creates the record where there is none; else answers the one that is there. */
  function createIfMissing({ id, ...fields }: Employee): Promise<Employee> {
    return runTransaction(async (transaction) => {
      const document = await transaction.get(doc(books, id))
      if (document.exists()) return toEmployee(id, document.data())
      transaction.set(doc(books, id), pickFields(fields))
      return { id, ...fields }
    })
  }

  return {
    async list() {
      await session.requireUid()
      return snapshotListener.open()
    },

    async add(fields, key) {
      requireValidFields(fields)
      const id = createRecordId(key, await session.requireUid())
      await view.trackWrite([id, fields], () => createIfMissing({ id, ...fields }))
      view.recordPresence(id, true)
      return id
    },

    async update(id, fields) {
      requireValidFields(fields)
      await session.requireUid()
      const write = () =>
        runTransaction(async (transaction) => {
          const document = await transaction.get(doc(books, id))
          if (!document.exists()) throw createServiceError('not-found')
          // Whole: a further field, made in Firebase's console, would have the rules refuse every change.
          transaction.set(doc(books, id), pickFields(fields))
        })
      await view.trackWrite([id, fields], write)
    },

    async remove(id) {
      await session.requireUid()
      await view.trackWrite([id, null], () =>
        runTransaction((transaction) => void transaction.delete(doc(books, id))),
      )
      view.recordPresence(id, false)
    },

    async restore(employee) {
      requireValidFields(employee)
      await session.requireUid()
      const existing = await view.trackWrite([employee.id, employee], () => createIfMissing(employee))
      if (!hasSameFields(existing, employee)) throw createServiceError('id-in-use')
      return view.recordPresence(employee.id, true)
    },

    async writeBatch(batch, key, options = {}) {
      requireValidBatch(batch)
      const uid = await session.requireUid()
      const ids = batch.add.map((_, row) => createRecordId(key, uid, row))
      const requested: RequestedWrite[] = [
        ...batch.add.map((fields, i): RequestedWrite => [ids[i] ?? '', fields]),
        ...batch.update.map(({ seen, fields }): RequestedWrite => [seen.id, fields]),
        ...batch.remove.map(({ id }): RequestedWrite => [id, null]),
      ]
      return view.trackBatch(requested, () => executeBatch(batch, { books, runTransaction, ids, options }))
    },

    subscribe(listener) {
      const stopObserving = snapshotListener.subscribe(listener)
      const stopChecking = session.onEnd(snapshotListener.endSession)
      return () => {
        stopChecking()
        stopObserving()
      }
    },
  }
}
