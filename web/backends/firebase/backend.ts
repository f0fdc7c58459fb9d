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
import { lazyService } from '../lazy-service.ts'
import type { DocumentStore, PreviousPasswordService, Services } from '../ports.ts'
import { createServiceError } from './errors.ts'
import { createIdentityService } from './identity.ts'
import { createSession } from './session.ts'

/** Defined and validated by the build (vite.config.ts). */
declare const __FIREBASE_CONFIG__: FirebaseConfig

/** `#backend` of a build for Firebase: a page that any static host can serve. */
export function createBackend(): Services {
  return createFirebaseBackend(__FIREBASE_CONFIG__)
}

interface Options {
  /** The name of the Firebase app; must be unique within the process. */
  name?: string
  /** How often to check that the session has not been revoked, in milliseconds. */
  sessionCheckIntervalMs?: number
  /** How much silence to wait for before checking that Firestore's stream is alive, in milliseconds. */
  streamCheckIntervalMs?: number
}

/** A client of Firebase Auth and Cloud Firestore. */
export function createFirebaseBackend(
  config: FirebaseConfig,
  { name = 'staffbook', sessionCheckIntervalMs = 60_000, streamCheckIntervalMs = 60_000 }: Options = {},
): Services & { close(): Promise<void> } {
  const app = initializeApp({ apiKey: config.apiKey, projectId: config.projectId }, name)
  const signUpApp = initializeApp(app.options, `${name}-newcomers`)
  // IndexedDB instead of local storage for the refresh token: backup tools and scripts look into local storage first.
  const auth = createAuth(app, config, indexedDBLocalPersistence)
  const signUpAuth = createAuth(signUpApp, config, inMemoryPersistence)
  const session = createSession(auth, sessionCheckIntervalMs)

  return {
    identity: createIdentityService(auth, signUpAuth),
    documents: createLazyDocuments(async () => {
      const { openDocuments } = await import('./documents.ts')
      return () => openDocuments(app, config, session, streamCheckIntervalMs)
    }),
    close: async () => void (await Promise.all([deleteApp(app), deleteApp(signUpApp)])),
  }
}

/** A document store that is opened when it is first used, because Firestore's SDK is large. */
export function createLazyDocuments(load: () => Promise<() => DocumentStore>): DocumentStore {
  let opened: DocumentStore | undefined

  async function openOnce() {
    const open = await load().catch((cause) => {
      throw createServiceError('offline', { cause })
    })
    opened ??= open()
    return opened
  }

  const { list, add, update, remove, restore, writeBatch } = lazyService(openOnce)
  return {
    ...{ list, add, update, remove, restore, writeBatch },
    previousPasswords: lazyService(
      async () => (await openOnce()).previousPasswords as PreviousPasswordService,
    ),
    /** Only who has listed the records subscribes to their changes. */
    subscribe: (listener) => opened?.subscribe(listener) ?? (() => {}),
  }
}

function createAuth(app: FirebaseApp, { emulators }: FirebaseConfig, persistence: Persistence): Auth {
  const auth = initializeAuth(app, { persistence })
  if (emulators) connectAuthEmulator(auth, `http://${emulators.auth}`, { disableWarnings: true })
  return auth
}
