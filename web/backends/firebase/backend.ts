import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  inMemoryPersistence,
  type Persistence,
} from 'firebase/auth'
import type { IdentityPolicy } from '../../../contract/accounts.ts'
import type { FirebaseConfig } from '../../../contract/firebase.ts'
import { lazyService } from '../lazy-service.ts'
import type { DocumentStore, HistoryService, PreviousPasswordService, Services } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import { defaultPatience, type Patience, withTimeout } from './errors.ts'
import { createIdentityService, type Membership } from './identity.ts'
import { createSession, type Session } from './session.ts'
import type { Guests } from './team/guests.ts'

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
  patience?: Patience
}

/** A client of Firebase Auth and Cloud Firestore. */
export function createFirebaseBackend(
  config: FirebaseConfig,
  {
    name = 'staffbook',
    sessionCheckIntervalMs = 60_000,
    streamCheckIntervalMs = 60_000,
    patience = defaultPatience,
  }: Options = {},
): Services & { close(): Promise<void> } {
  const app = initializeApp({ apiKey: config.apiKey, projectId: config.projectId }, name)
  const signUpApp = initializeApp(app.options, `${name}-newcomers`)
  // IndexedDB instead of local storage for the refresh token: backup tools and scripts look into local storage first.
  const auth = createAuth(app, config, indexedDBLocalPersistence)
  const signUpAuth = createAuth(signUpApp, config, inMemoryPersistence)
  const session = createSession(auth, sessionCheckIntervalMs)

  return {
    identity: createIdentityService(
      auth,
      signUpAuth,
      createMembership([auth, signUpAuth], config, session, patience),
    ),
    documents: createLazyDocuments(async () => {
      const [{ openDocuments }, { openFirestore }] = await Promise.all([
        import('./documents.ts'),
        import('./firestore.ts'),
      ])
      return () => openDocuments(openFirestore(app, config, patience), session, streamCheckIntervalMs)
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
    history: lazyService(async () => (await openOnce()).history as HistoryService),
    /** Only who has listed the records subscribes to their changes. */
    subscribe: (listener) => opened?.subscribe(listener) ?? (() => {}),
  }
}

/** The members in Firestore, whose code is loaded on demand. */
function createMembership(
  [auth, signUpAuth]: [Auth, Auth],
  config: FirebaseConfig,
  session: Session,
  patience: Patience,
): Membership {
  const load = async () => {
    const parts = [
      import('./firestore.ts'),
      import('./team/members.ts'),
      import('./team/guests.ts'),
      import('./team/team.ts'),
      import('./transactions.ts'),
    ] as const
    const [firestore, members, guests, team, transactions] = await Promise.all(parts).catch((cause) => {
      throw createServiceError('offline', { cause })
    })
    const open = ({ app }: Auth) => firestore.openFirestore(app, config, patience)
    return { ...members, ...guests, ...team, ...transactions, open }
  }
  let guests: Guests | undefined
  return {
    team: lazyService(async () => {
      const { createTeamService, createGuests, open } = await load()
      guests ??= createGuests(signUpAuth, open(signUpAuth))
      return createTeamService(open(auth), auth, session, guests)
    }),
    enter(user) {
      const entering = session.enter(user, async () => {
        const { enter, open } = await load()
        return enter(open(auth), user, true)
      })
      return withTimeout(patience.signInMs, entering)
    },
    async logPassword(user) {
      const { logOwn, createTransactions, open } = await load()
      const db = open(auth)
      await createTransactions(db)((transaction) => logOwn(db, transaction, user, 'change-password'))
    },
    async join(user, invitation) {
      const { join, open } = await load()
      await join(open(signUpAuth), user, invitation)
    },
    readPolicy: () => readPolicy(config),
  }
}

/** Finds out what `signUp()` of the rules is, from whether they let anyone list an empty collection. Without Firestore's SDK. */
async function readPolicy({ apiKey, projectId, emulators }: FirebaseConfig): Promise<IdentityPolicy> {
  const origin = emulators ? `http://${emulators.firestore}` : 'https://firestore.googleapis.com'
  const documents = `${origin}/v1/projects/${projectId}/databases/(default)/documents`
  for (const signUp of ['open', 'invited', 'closed'] as const) {
    const response = await fetch(`${documents}/policy/${signUp}/probe?key=${apiKey}`).catch((cause) => {
      throw createServiceError('offline', { cause })
    })
    if (response.ok) return { signUp }
    if (response.status !== 403) throw createServiceError('offline', { cause: response.status })
  }
  // The rules are of an earlier version.
  throw createServiceError('not-allowed')
}

function createAuth(app: FirebaseApp, { emulators }: FirebaseConfig, persistence: Persistence): Auth {
  const auth = initializeAuth(app, { persistence })
  if (emulators) connectAuthEmulator(auth, `http://${emulators.auth}`, { disableWarnings: true })
  return auth
}
