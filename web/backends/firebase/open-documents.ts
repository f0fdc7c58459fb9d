import type { FirebaseApp } from 'firebase/app'
import { connectFirestoreEmulator, initializeFirestore, setLogLevel } from 'firebase/firestore'
import type { FirebaseConfig } from '../../../contract/firebase.ts'
import type { DocumentStore } from '../ports.ts'
import { createDocumentStore } from './documents.ts'
import type { Session } from './session.ts'

/** Opens Firestore. The only file, with those it imports, that brings its SDK: it is loaded when records are wanted. */
export function openDocuments(
  app: FirebaseApp,
  { emulators }: FirebaseConfig,
  session: Session,
): DocumentStore {
  // What the SDK has to say reaches the page as errors of our own; its log would repeat it, with requests in it.
  setLogLevel('silent')
  const db = initializeFirestore(app, {})
  if (emulators) {
    const { hostname, port } = new URL(`http://${emulators.firestore}`)
    connectFirestoreEmulator(db, hostname, Number(port))
  }
  return createDocumentStore(db, session)
}
