import type { FirebaseApp } from 'firebase/app'
import {
  connectFirestoreEmulator,
  type DocumentData,
  disableNetwork,
  documentId,
  enableNetwork,
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
import { defaultPatience, type Patience, readFirebaseCode, throwServiceError, withTimeout } from './errors.ts'

/** How soon a read is repeated, in ms. */
const repeatMs = 500
/** A service that has not answered for so long is silent, in ms: the SDK takes it for lost too. */
const silenceMs = 10_000

/** The number of values with which Firestore compares a field. */
export const maxCompared = 30

const opened = new WeakMap<FirebaseApp, Firestore>()
const patiences = new WeakMap<Firestore, Patience>()

/** Opens Firestore, once for each app. This module loads Firestore's SDK, so import it on demand only. */
export function openFirestore(
  app: FirebaseApp,
  { emulators }: FirebaseConfig,
  patience: Patience,
): Firestore {
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
  patiences.set(db, patience)
  return db
}

export const patienceOf = (db: Firestore): Patience => patiences.get(db) ?? defaultPatience

/** Ends a connection on which the service is silent. The SDK opens another for all that it reads and listens to. */
export async function reconnect(db: Firestore): Promise<void> {
  try {
    await disableNetwork(db)
    await enableNetwork(db)
  } catch {
    // Firestore has been closed meanwhile.
  }
}

/**
 * Waits for a read of some documents. Rejects with a `ServiceError`. The SDK refuses all reads from one failed attempt to connect,
 * or 10 s without a response, until a later attempt succeeds; and on a connection that is lost without a sign it waits for ever.
 * So a read is repeated for a while. `timeoutMs`: how long a long one may take.
 */
export async function read<T>(db: Firestore, start: () => Promise<T>, timeoutMs?: number): Promise<T> {
  const { responseMs, connectionMs } = patienceOf(db)
  let endAt = performance.now() + (timeoutMs ?? responseMs)
  let isRepeated = false
  for (;;) {
    const startedAt = performance.now()
    try {
      return await withTimeout(Math.min(timeoutMs ?? silenceMs, endAt - startedAt), start())
    } catch (error) {
      const failedAt = performance.now()
      if (!isRepeated) endAt = Math.min(endAt, failedAt + connectionMs)
      isRepeated = true
      if (!isRepeatable(error) || failedAt + repeatMs > endAt) throwServiceError(error)
      // The SDK may have waited for longer than this read, and refuses at once what follows.
      if (failedAt - startedAt > silenceMs / 2) await reconnect(db)
      await new Promise((resolve) => setTimeout(resolve, repeatMs))
    }
  }
}

/** Whether a read has got no response, unless the browser knows that there is no network. */
const isRepeatable = (error: unknown) =>
  ['unavailable', 'offline'].includes(readFirebaseCode(error)) && globalThis.navigator?.onLine !== false

export type Documents = Map<string, DocumentData>

export async function readAll(all: Query): Promise<Documents> {
  const { docs } = await read(all.firestore, () => getDocsFromServer(all))
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
