import {
  collection,
  doc,
  documentId,
  type Firestore,
  orderBy,
  query,
  runTransaction,
  type Transaction,
} from 'firebase/firestore'
import {
  collection as books,
  type EmployeeFields,
  fieldsOf,
  sameFields,
  wrongField,
} from '../../../contract/employees.ts'
import { type DocumentStore, ServiceError } from '../ports.ts'
import { failure, firebaseCode, refuse } from './errors.ts'
import { createLive } from './live.ts'
import { recordId } from './record-id.ts'
import type { Session } from './session.ts'
import { within } from './within.ts'

/** The longest that a write may take, in milliseconds. */
const longestWrite = 15_000

/** What a transaction that lost a race is answered; sent once more, it sees the winner. */
const lostRace = new Set(['aborted', 'already-exists', 'failed-precondition'])

/**
 * Every write is a transaction of one attempt. The SDK's plain writes wait in its memory for a network, unseen, and
 * are sent whenever there is one; a transaction is sent now or fails now.
 */
export function createDocumentStore(db: Firestore, session: Session): DocumentStore {
  const everything = collection(db, books)
  const live = createLive(query(everything, orderBy(documentId())))

  async function commit<T>(work: (transaction: Transaction) => Promise<T> | T, attempts = 3): Promise<T> {
    let isGivenUp = false
    const sending = runTransaction(
      db,
      async (transaction) => {
        const result = await work(transaction)
        if (isGivenUp) throw failure('offline')
        return result
      },
      { maxAttempts: 1 },
    )
    try {
      return await within(longestWrite, sending)
    } catch (error) {
      if (attempts > 1 && lostRace.has(firebaseCode(error))) return commit(work, attempts - 1)
      return refuse(error)
    } finally {
      isGivenUp = true
    }
  }

  /** Writes these fields where there is no such record; else answers the fields that are there. */
  function create(id: string, fields: EmployeeFields): Promise<EmployeeFields> {
    return commit(async (transaction) => {
      const document = await transaction.get(doc(everything, id))
      if (document.exists()) return fieldsOf(document.data() as EmployeeFields)
      transaction.set(doc(everything, id), fieldsOf(fields))
      return fields
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
      await live.around(id, () => create(id, fields))
      live.known(id, true)
      return id
    },

    async update(id, fields) {
      requireGood(fields)
      await session.uid()
      await live.around(id, () =>
        commit((transaction) => void transaction.update(doc(everything, id), { ...fieldsOf(fields) })),
      )
    },

    async remove(id) {
      await session.uid()
      await live.around(id, () => commit((transaction) => void transaction.delete(doc(everything, id))))
      live.known(id, false)
    },

    async restore({ id, ...fields }) {
      requireGood(fields)
      await session.uid()
      const there = await live.around(id, () => create(id, fields))
      if (!sameFields(there, fields)) throw failure('id-in-use')
      return live.known(id, true)
    },

    async writeBatch() {
      throw new ServiceError('server-error', 'This backend cannot import yet. Nothing was changed.')
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

function requireGood(fields: EmployeeFields): void {
  const field = wrongField(fields)
  if (field) throw failure('invalid-request', { field })
}
