import type { FirebaseConfig } from '../../../contract/firebase.ts'
import type { Services } from '../ports.ts'
import { createFirebaseBackend } from './create.ts'

/** Put in by the build, which has checked it. */
declare const __FIREBASE_CONFIG__: FirebaseConfig

/** The backend of the page that any static host serves. */
export function createBackend(): Services {
  return createFirebaseBackend(__FIREBASE_CONFIG__)
}
