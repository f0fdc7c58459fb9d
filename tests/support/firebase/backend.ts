import { randomUUID } from 'node:crypto'
import { getApp } from 'firebase/app'
import { disableNetwork, doc, enableNetwork, getDocFromServer, getFirestore } from 'firebase/firestore'
import { expect, inject } from 'vitest'
import { createFirebaseBackend } from '../../../web/backends/firebase/backend.ts'
import { defaultPatience, type Patience } from '../../../web/backends/firebase/errors.ts'
import { createFirebaseAdmin } from './admin.ts'
import { demoKey } from './emulators.ts'
import { startProxies } from './proxies.ts'

export type FirebaseBackend = Awaited<ReturnType<typeof startBackend>>
export type FirebaseClient = Awaited<ReturnType<FirebaseBackend['connect']>>

/** An emulator on a busy machine may not answer in the time that a page waits. */
const longPatience: Patience = { responseMs: 60_000, connectionMs: 60_000, signInMs: 60_000 }

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
    const patience = { ...longPatience }
    const endPatience = () => Object.assign(patience, defaultPatience, { connectionMs: 0 })
    const beginPatience = () => Object.assign(patience, longPatience)
    const database = (app = name) => getFirestore(getApp(app))
    const { identity, documents, close } = createFirebaseBackend(
      {
        apiKey: demoKey,
        projectId: emulators.project,
        emulators: { auth: auth.address, firestore: firestore.address },
      },
      { name, sessionCheckIntervalMs, streamCheckIntervalMs, patience },
    )
    closeCallbacks.push(close)
    return {
      identity,
      documents,
      async cutNetwork() {
        endPatience()
        await Promise.all([auth.cut(), firestore.cut()])
      },
      /** Keeps the connections open without transferring data. */
      async stallNetwork() {
        endPatience()
        await Promise.all([auth.stall(), firestore.stall()])
      },
      /** Stops Firestore's listener and reads, but not transactions. */
      pauseListener: () => disableNetwork(database()),
      expectRefusal: () =>
        expect(getDocFromServer(doc(database(), 'books/refused'))).rejects.toMatchObject({
          code: 'unavailable',
        }),
      resumeListener: () => enableNetwork(database()),
      /** Stops reading with the account that opens a hand-over, but not its transactions. */
      async pauseGuest() {
        endPatience()
        await disableNetwork(database(`${name}-newcomers`))
      },
      async resumeGuest() {
        beginPatience()
        await enableNetwork(database(`${name}-newcomers`))
      },
      async restoreNetwork() {
        beginPatience()
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
