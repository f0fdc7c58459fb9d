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
import { lazyDocuments } from './lazy-documents.ts'
import { createSession } from './session.ts'

interface Options {
  /** The name of this client among those of the same program; in a browser there is one. */
  name?: string
  /** How often the service is asked whether the session still stands, in milliseconds. */
  checkSessionEvery?: number
}

/** Firebase Auth and Cloud Firestore as the backend. */
export function createFirebase(
  config: FirebaseConfig,
  { name = 'staffbook', checkSessionEvery = 60_000 }: Options = {},
): Services & { close(): Promise<void> } {
  const app = initializeApp({ apiKey: config.apiKey, projectId: config.projectId }, name)
  const sideDoor = initializeApp(app.options, `${name}-newcomers`)
  // The refresh token is kept out of local storage, where the page keeps the user and any backup tool looks first.
  const auth = openAuth(app, config, indexedDBLocalPersistence)
  const newcomers = openAuth(sideDoor, config, inMemoryPersistence)
  const session = createSession(auth, checkSessionEvery)

  return {
    identity: createIdentityService({ auth, newcomers }),
    documents: lazyDocuments(async () => {
      const { openDocuments } = await import('./open-documents.ts')
      return openDocuments(app, config, session)
    }),
    close: async () => void (await Promise.all([deleteApp(app), deleteApp(sideDoor)])),
  }
}

function openAuth(app: FirebaseApp, { emulators }: FirebaseConfig, persistence: Persistence): Auth {
  const auth = initializeAuth(app, { persistence })
  if (emulators) connectAuthEmulator(auth, `http://${emulators.auth}`, { disableWarnings: true })
  return auth
}
