import type { FirebaseApp } from 'firebase/app'
import {
  connectFirestoreEmulator,
  type Firestore,
  initializeFirestore,
  setLogLevel,
  type Timestamp,
} from 'firebase/firestore'
import type { FirebaseConfig } from '../../../contract/firebase.ts'
import { throwServiceError, withTimeout } from './errors.ts'

const readTimeoutMs = 15_000

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

/** The timestamp of a field; undefined if it has none. */
export function toIso(time: unknown): string | undefined {
  return (time as Timestamp | null | undefined)?.toDate().toISOString()
}
