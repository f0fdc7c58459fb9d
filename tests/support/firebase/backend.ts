import { randomUUID } from 'node:crypto'
import { getApp } from 'firebase/app'
import { disableNetwork, enableNetwork, getFirestore } from 'firebase/firestore'
import { inject } from 'vitest'
import { createFirebaseBackend } from '../../../web/backends/firebase/backend.ts'
import { createFirebaseAdmin } from './admin.ts'
import { demoKey } from './emulators.ts'
import { startProxies } from './proxies.ts'

export type FirebaseBackend = Awaited<ReturnType<typeof startBackend>>
export type FirebaseClient = Awaited<ReturnType<FirebaseBackend['connect']>>

/** The emulators as a backend. Each client is the real adapter, behind proxies of its own. */
export async function startBackend({
  emailPrivacy = true,
  authPort = 0,
  sessionCheckIntervalMs = 500,
  streamCheckIntervalMs = 60_000,
  signUp = 'open',
} = {}) {
  const emulators = inject('emulators')
  const admin = createFirebaseAdmin(emulators)
  await admin.reset()
  await admin.setEmailPrivacy(emailPrivacy)
  if (emulators.firestore !== 0) await admin.setSignUp(signUp)
  const proxies = await startProxies()
  const closeCallbacks: (() => Promise<unknown>)[] = []

  async function connect() {
    const [auth, firestore] = await Promise.all([
      proxies.open(authPort || emulators.auth),
      proxies.open(emulators.firestore),
    ])
    const name = randomUUID()
    const { identity, documents, close } = createFirebaseBackend(
      {
        apiKey: demoKey,
        projectId: emulators.project,
        emulators: { auth: auth.address, firestore: firestore.address },
      },
      { name, sessionCheckIntervalMs, streamCheckIntervalMs },
    )
    closeCallbacks.push(close)
    return {
      identity,
      documents,
      async cutNetwork() {
        await Promise.all([auth.cut(), firestore.cut()])
      },
      /** Keeps the connections open without transferring data. */
      async stallNetwork() {
        await Promise.all([auth.stall(), firestore.stall()])
      },
      /** Stops Firestore's listener, but not transactions. */
      pauseListener: () => disableNetwork(getFirestore(getApp(name))),
      resumeListener: () => enableNetwork(getFirestore(getApp(name))),
      /** Stops reading with the account that opens a hand-over, but not its transactions. */
      pauseGuest: () => disableNetwork(getFirestore(getApp(`${name}-newcomers`))),
      resumeGuest: () => enableNetwork(getFirestore(getApp(`${name}-newcomers`))),
      async restoreNetwork() {
        await Promise.all([auth.restore(), firestore.restore()])
      },
    }
  }

  return {
    connect,
    admin,
    endSessions: admin.revokeTokens,
    removeAccount: admin.removeMember,
    async stop() {
      for (const close of closeCallbacks) await close()
      await proxies.stop()
    },
  }
}
