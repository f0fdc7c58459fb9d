import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { createFirebase } from '../../../web/backends/firebase/create.ts'
import type { BackendUnderTest, ClientUnderTest } from '../backend-client.ts'
import { adminOf } from './admin.ts'
import { demoKey } from './demo-key.ts'
import { startLines } from './proxies.ts'

interface FirebaseClient extends ClientUnderTest {
  /** The lines stand, and nothing comes through. */
  silenceNetwork(): Promise<void>
}

export interface FirebaseBackend extends BackendUnderTest {
  connect(): Promise<FirebaseClient>
}

/** The emulators as a backend: each client is the real adapter over lines of its own. */
export async function startBackend({ emailPrivacy = true, authPort = 0 } = {}): Promise<FirebaseBackend> {
  const emulators = inject('emulators')
  const admin = adminOf(emulators)
  await admin.reset()
  await admin.setEmailPrivacy(emailPrivacy)
  const lines = await startLines()
  const closing: (() => Promise<unknown>)[] = []

  async function connect(): Promise<FirebaseClient> {
    const [auth, firestore] = await Promise.all([
      lines.open(authPort || emulators.auth),
      lines.open(emulators.firestore),
    ])
    const { identity, documents, close } = createFirebase(
      {
        apiKey: demoKey,
        projectId: emulators.project,
        emulators: { auth: auth.address, firestore: firestore.address },
      },
      { name: randomUUID(), checkSessionEvery: 500 },
    )
    closing.push(close)
    return {
      identity,
      documents,
      async cutNetwork() {
        await Promise.all([auth.cut(), firestore.cut()])
      },
      async silenceNetwork() {
        await Promise.all([auth.silence(), firestore.silence()])
      },
      async mendNetwork() {
        await Promise.all([auth.mend(), firestore.mend()])
      },
    }
  }

  return {
    connect,
    endSessions: admin.revokeTokens,
    async stop() {
      for (const close of closing) await close()
      await lines.stop()
    },
  }
}
