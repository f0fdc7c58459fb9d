import type { Change } from '../../contract/protocol.ts'
import type { ChangeListener, DocumentStore, Services } from '../../web/backends/ports.ts'

/** A browser's worth of services, with a network that a test can take away. */
export interface TestClient extends Services {
  cutNetwork(): Promise<void>
  restoreNetwork(): Promise<void>
}

/** One running backend, with an empty register, as the contract suites of the ports want it. */
export interface TestBackend {
  /** A client of its own, like a second browser: not signed in. */
  connect(): Promise<TestClient>
  /** Ends every session of this account on the service, behind the client's back. */
  endSessions(email: string): Promise<void>
  stop(): Promise<void>
}

let credentialsCount = 0

/** Credentials that no other test of this run uses. */
export function newCredentials() {
  credentialsCount += 1
  return {
    email: `person-${credentialsCount}-${Date.now()}@example.com`,
    password: `long enough ${credentialsCount}`,
  }
}

/** A client that has signed up and in. */
export async function connectSignedIn(
  backend: TestBackend,
  credentials = newCredentials(),
): Promise<TestClient> {
  const client = await backend.connect()
  await client.identity.createAccount(credentials.email, credentials.password)
  await client.identity.signIn(credentials.email, credentials.password)
  return client
}

/** Lists once, then keeps whatever the store tells. */
export async function recordChanges(documents: DocumentStore) {
  await documents.list()
  const received = {
    changes: [] as Change[],
    stale: 0,
    connected: undefined as boolean | undefined,
    ended: false,
  }
  const listener: ChangeListener = {
    onChanges: (changes) => void received.changes.push(...changes),
    onStale: () => void received.stale++,
    onConnectionChange: (connected) => {
      received.connected = connected
    },
    onSessionEnded: () => {
      received.ended = true
    },
  }
  const stop = documents.subscribe(listener)
  return { told: received, stop }
}
