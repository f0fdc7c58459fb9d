import type { FirebaseApp } from 'firebase/app'
import {
  connectFirestoreEmulator,
  type DocumentData,
  documentId,
  type FieldPath,
  type Firestore,
  getDocsFromServer,
  initializeFirestore,
  type Query,
  query,
  setLogLevel,
  type Timestamp,
  where,
} from 'firebase/firestore'
import type { FirebaseConfig } from '../../../contract/firebase.ts'
import { splitIntoChunks } from '../../../contract/firestore.ts'
import { throwServiceError, withTimeout } from './errors.ts'

const readTimeoutMs = 15_000

/** The number of values with which Firestore compares a field. */
export const maxCompared = 30

const opened = new WeakMap<FirebaseApp, Firestore>()

/** Opens Firestore, once for each app. This module loads Firestore's SDK, so import it on demand only. */
export function openFirestore(app: FirebaseApp, { emulators }: FirebaseConfig): Firestore {
  const existing = opened.get(app)
  if (existing) return existing
  // All errors reach the page as `ServiceError`s; the SDK's log would repeat them together with request data.
  setLogLevel('silent')
  const db = initializeFirestore(app, {})
  if (emulators) {
    const { hostname, port } = new URL(`http://${emulators.firestore}`)
    connectFirestoreEmulator(db, hostname, Number(port))
  }
  opened.set(app, db)
  return db
}

/** Waits for a read of some documents. Rejects with a `ServiceError`. */
export const read = <T>(reading: Promise<T>): Promise<T> =>
  withTimeout(readTimeoutMs, reading).catch(throwServiceError)

export type Documents = Map<string, DocumentData>

export async function readAll(all: Query): Promise<Documents> {
  const { docs } = await read(getDocsFromServer(all))
  return new Map(docs.map((document) => [document.id, document.data()]))
}

/** Reads the documents that have one of the values in a field, which is the id if none is named. */
export async function readWhere(
  all: Query,
  values: string[],
  field: string | FieldPath = documentId(),
): Promise<Documents> {
  const parts = splitIntoChunks(values, maxCompared).map((part) =>
    readAll(query(all, where(field, 'in', part))),
  )
  return new Map((await Promise.all(parts)).flatMap((part) => [...part]))
}

/** The timestamp of a field; undefined if it has none. */
export function toIso(time: unknown): string | undefined {
  return (time as Timestamp | null | undefined)?.toDate().toISOString()
}
