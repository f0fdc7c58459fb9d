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
  type Timestamp,
  where,
} from 'firebase/firestore'
import { secretFieldNames } from '../../../contract/employees.ts'
import { previousPasswordCollection, previousPasswordDays } from '../../../contract/firestore.ts'
import type { PreviousPasswordService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { read, toIso } from './firestore.ts'
import { deletedOf } from './recorded-writes.ts'
import { wipeExpired } from './team/handovers.ts'
import type { RunTransaction } from './transactions.ts'

const maxListed = 10
const maxPurgedTogether = 100

export const keptSince = () => new Date(Date.now() - previousPasswordDays * 24 * 60 * 60_000)

export function createPreviousPasswordService(books: CollectionReference): PreviousPasswordService {
  const previous = (id: string) => collection(books, id, previousPasswordCollection)
  return {
    async list(id) {
      const kept = query(
        previous(id),
        where('replacedAt', '>', keptSince()),
        orderBy('replacedAt', 'desc'),
        limit(maxListed),
      )
      const { docs } = await read(books.firestore, () => getDocsFromServer(kept))
      return docs.map((document) => ({
        key: document.id,
        replacedAt: toIso(document.get('replacedAt')) ?? '',
        replacedBy: String(document.get('replacedBy')),
      }))
    },
    async read(id, key) {
      const document = await read(books.firestore, () => getDocFromServer(doc(previous(id), key)))
      const isKept = document.exists() && (document.get('replacedAt') as Timestamp).toDate() > keptSince()
      if (!isKept) throw createServiceError('no-longer-kept')
      const present = secretFieldNames.filter((name) => document.get(name) !== undefined)
      return Object.fromEntries(present.map((name) => [name, String(document.get(name))]))
    },
  }
}

/** Wipes what has been kept long enough, best effort: the rules reject it if the clock of this computer is wrong. */
export async function purge(db: Firestore, runTransaction: RunTransaction): Promise<void> {
  const ended = (all: Query, field: string) =>
    read(db, () => getDocsFromServer(query(all, where(field, '<', keptSince()), limit(maxPurgedTogether))))
  const found = await Promise.all([
    ended(collectionGroup(db, previousPasswordCollection), 'replacedAt'),
    ended(deletedOf(db), 'at'),
  ])
  for (const { docs } of found) {
    if (docs.length === 0) continue
    await runTransaction((transaction) => {
      for (const { ref } of docs) transaction.delete(ref)
    })
  }
  await wipeExpired(db, runTransaction)
}
