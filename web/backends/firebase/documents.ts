import { collection, doc, documentId, type Firestore, orderBy, query } from 'firebase/firestore'
import {
  collection as collectionName,
  type Employee,
  fieldsOf,
  sameFields,
} from '../../../contract/employees.ts'
import { recordId } from '../../../contract/firestore.ts'
import type { DocumentStore } from '../ports.ts'
import { carryOut, requireGood, requireGoodBatch } from './batch.ts'
import { employeeOf } from './employee-of.ts'
import { failure } from './errors.ts'
import { type Asked, createView } from './page-view.ts'
import type { Session } from './session.ts'
import { createLive } from './snapshot-listener.ts'
import { createCommit } from './transactions.ts'

/** The collection `books` in Firestore; ids carry the order of creation. */
export function createDocumentStore(db: Firestore, session: Session): DocumentStore {
  const books = collection(db, collectionName)
  const view = createView()
  const live = createLive(query(books, orderBy(documentId())), view)
  const commit = createCommit(db)

  /** Creates the record where there is none; else answers the one that is there. */
  function create({ id, ...fields }: Employee): Promise<Employee> {
    return commit(async (transaction) => {
      const document = await transaction.get(doc(books, id))
      if (document.exists()) return employeeOf(id, document.data())
      transaction.set(doc(books, id), fieldsOf(fields))
      return { id, ...fields }
    })
  }

  return {
    async list() {
      await session.uid()
      return live.open()
    },

    async add(fields, key) {
      requireGood(fields)
      const id = recordId(key, await session.uid())
      await view.around([id, fields], () => create({ id, ...fields }))
      view.known(id, true)
      return id
    },

    async update(id, fields) {
      requireGood(fields)
      await session.uid()
      const write = () =>
        commit(async (transaction) => {
          const document = await transaction.get(doc(books, id))
          if (!document.exists()) throw failure('not-found')
          // Whole: a further field, made in Firebase's console, would have the rules refuse every change.
          transaction.set(doc(books, id), fieldsOf(fields))
        })
      await view.around([id, fields], write)
    },

    async remove(id) {
      await session.uid()
      await view.around([id, null], () => commit((transaction) => void transaction.delete(doc(books, id))))
      view.known(id, false)
    },

    async restore(employee) {
      requireGood(employee)
      await session.uid()
      const there = await view.around([employee.id, employee], () => create(employee))
      if (!sameFields(there, employee)) throw failure('id-in-use')
      return view.known(employee.id, true)
    },

    async writeBatch(batch, key, options = {}) {
      requireGoodBatch(batch)
      const uid = await session.uid()
      const ids = batch.add.map((_, row) => recordId(key, uid, row))
      const asked: Asked[] = [
        ...batch.add.map((fields, i): Asked => [ids[i] ?? '', fields]),
        ...batch.update.map(({ seen, fields }): Asked => [seen.id, fields]),
        ...batch.remove.map(({ id }): Asked => [id, null]),
      ]
      return view.holding(asked, () => carryOut(batch, { books, commit, ids, options }))
    },

    watch(observer) {
      const stopObserving = live.observe(observer)
      const stopChecking = session.whenEnded(live.end)
      return () => {
        stopChecking()
        stopObserving()
      }
    },
  }
}
