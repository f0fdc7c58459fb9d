import {
  type CollectionReference,
  collection,
  collectionGroup,
  doc,
  type Firestore,
  getDocFromServer,
  getDocsFromServer,
  limit,
  orderBy,
  type Query,
  query,
  serverTimestamp,
  type Timestamp,
  type Transaction,
  where,
} from 'firebase/firestore'
import { type EmployeeFields, secretFieldNames } from '../../../contract/employees.ts'
import { previousPasswordCollection, previousPasswordDays } from '../../../contract/firestore.ts'
import type { PreviousPasswordService } from '../ports.ts'
import { createServiceError, throwServiceError, withTimeout } from './errors.ts'
import type { RunTransaction } from './transactions.ts'

const timeoutMs = 15_000
const maxListed = 10
const maxPurgedTogether = 100

export const keptSince = () => new Date(Date.now() - previousPasswordDays * 24 * 60 * 60_000)

/** Keeps the secret fields of a record in the transaction that replaces them. `stored`: the document as it was read. */
export function keepReplaced(
  transaction: Transaction,
  books: CollectionReference,
  by: string | null,
  [id, stored, fields]: [id: string, stored: Record<string, unknown>, fields: EmployeeFields],
): void {
  // The console can have stored anything, which the rules reject.
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const isKept = secretFieldNames.every((name) => isText(stored[name]))
  if (!isKept || secretFieldNames.every((name) => stored[name] === fields[name])) return
  transaction.set(doc(collection(books, id, previousPasswordCollection)), {
    ...Object.fromEntries(secretFieldNames.map((name) => [name, stored[name]])),
    replacedAt: serverTimestamp(),
    replacedBy: by,
  })
}

export function createPreviousPasswordService(books: CollectionReference): PreviousPasswordService {
  const previous = (id: string) => collection(books, id, previousPasswordCollection)
  const read = <T>(reading: Promise<T>) => withTimeout(timeoutMs, reading).catch(throwServiceError)
  return {
    async list(id) {
      const kept = query(
        previous(id),
        where('replacedAt', '>', keptSince()),
        orderBy('replacedAt', 'desc'),
        limit(maxListed),
      )
      const { docs } = await read(getDocsFromServer(kept))
      return docs.map((document) => ({
        key: document.id,
        replacedAt: (document.get('replacedAt') as Timestamp).toDate().toISOString(),
        replacedBy: String(document.get('replacedBy')),
      }))
    },
    async read(id, key) {
      const document = await read(getDocFromServer(doc(previous(id), key)))
      const isKept = document.exists() && (document.get('replacedAt') as Timestamp).toDate() > keptSince()
      if (!isKept) throw createServiceError('no-longer-kept')
      return Object.fromEntries(secretFieldNames.map((name) => [name, String(document.get(name))]))
    },
  }
}

/** Wipes what has been kept long enough, best effort: the rules reject it if the clock of this computer is wrong. */
export async function purge(db: Firestore, runTransaction: RunTransaction): Promise<void> {
  const ended = (all: Query, field: string) =>
    getDocsFromServer(query(all, where(field, '<', keptSince()), limit(maxPurgedTogether)))
  const found = await Promise.all([
    ended(collectionGroup(db, previousPasswordCollection), 'replacedAt'),
    ended(collection(db, 'deleted'), 'at'),
  ])
  for (const { docs } of found) {
    if (docs.length === 0) continue
    await runTransaction((transaction) => {
      for (const { ref } of docs) transaction.delete(ref)
    })
  }
}
