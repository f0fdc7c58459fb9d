import { setTimeout } from 'node:timers/promises'
import type { Change } from '../../contract/protocol.ts'
import {
  type ChangeListener,
  type DocumentStore,
  ServiceError,
  type Services,
} from '../../web/backends/ports.ts'

/** The services of one client, whose network a test can cut. */
export interface TestClient extends Services {
  cutNetwork(): Promise<void>
  restoreNetwork(): Promise<void>
}

/** A running backend without records, for the contract suites of the ports. */
export interface TestBackend<Client extends TestClient = TestClient> {
  /** Creates a client that is not signed in; it shares no state with others, like another browser. */
  connect(): Promise<Client>
  /** Ends all sessions of an account on the service. */
  endSessions(email: string): Promise<void>
  stop(): Promise<void>
}

let credentialsCount = 0

/** Returns credentials that no other test uses. */
export function newCredentials() {
  credentialsCount += 1
  return {
    email: `person-${credentialsCount}-${Date.now()}@example.com`,
    password: `long enough ${credentialsCount}`,
  }
}

/** Creates an account and signs in. */
export async function signUpAndIn<Client extends Pick<Services, 'identity'>>(
  client: Client,
  { email, password } = newCredentials(),
): Promise<Client> {
  await client.identity.createAccount(email, password)
  await client.identity.signIn(email, password)
  return client
}

export const connectSignedIn = async <Client extends TestClient>(
  backend: TestBackend<Client>,
  credentials = newCredentials(),
): Promise<Client> => signUpAndIn(await backend.connect(), credentials)

/** Repeats a call, as the page does, while an emulator on a busy machine does not answer in time. */
export async function whenReachable<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'offline')) throw error
      await setTimeout(1_000)
    }
  }
}

/** A listener that ignores what it is not given a function for. */
export const listenerWith = (calls: Partial<ChangeListener>): ChangeListener => ({
  onChanges: () => {},
  onStale: () => {},
  onConnectionChange: () => {},
  onSessionEnded: () => {},
  ...calls,
})

/** Lists the records, then records all notifications. */
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
  return { received, stop }
}
