import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  inMemoryPersistence,
  type Persistence,
} from 'firebase/auth'
import type { FirebaseConfig } from '../../../contract/firebase.ts'
import type { Services } from '../ports.ts'
import { createIdentityService } from './identity.ts'
import { createLazyDocuments } from './lazy-documents.ts'
import { createSession } from './session.ts'

interface Options {
  /** The name of this client among those of the same program; in a browser there is one. */
  name?: string
  /** How often the service is asked whether the session still stands, in milliseconds. */
  sessionCheckIntervalMs?: number
}

/** Firebase Auth and Cloud Firestore as the backend. */
export function createFirebaseBackend(
  config: FirebaseConfig,
  { name = 'staffbook', sessionCheckIntervalMs = 60_000 }: Options = {},
): Services & { close(): Promise<void> } {
  const app = initializeApp({ apiKey: config.apiKey, projectId: config.projectId }, name)
  const signUpApp = initializeApp(app.options, `${name}-newcomers`)
  // The refresh token is kept out of local storage, where the page keeps the user and any backup tool looks first.
  const auth = createAuth(app, config, indexedDBLocalPersistence)
  const signUpAuth = createAuth(signUpApp, config, inMemoryPersistence)
  const session = createSession(auth, sessionCheckIntervalMs)

  return {
    identity: createIdentityService({ auth, signUpAuth }),
    documents: createLazyDocuments(async () => {
      const { openDocuments } = await import('./open-documents.ts')
      return openDocuments(app, config, session)
    }),
    close: async () => void (await Promise.all([deleteApp(app), deleteApp(signUpApp)])),
  }
}

function createAuth(app: FirebaseApp, { emulators }: FirebaseConfig, persistence: Persistence): Auth {
  const auth = initializeAuth(app, { persistence })
  if (emulators) connectAuthEmulator(auth, `http://${emulators.auth}`, { disableWarnings: true })
  return auth
}
