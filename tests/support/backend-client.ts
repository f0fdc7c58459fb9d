import type { Change } from '../../contract/protocol.ts'
import type { DocumentStore, Observer, Services } from '../../web/backends/ports.ts'

/** A browser's worth of services, with a network that a test can take away. */
export interface ClientUnderTest extends Services {
  cutNetwork(): Promise<void>
  mendNetwork(): Promise<void>
}

/** One running backend, with an empty register, as the contract suites of the ports want it. */
export interface BackendUnderTest {
  /** A client of its own, like a second browser: not signed in. */
  connect(): Promise<ClientUnderTest>
  /** Ends every session of this account on the service, behind the client's back. */
  endSessions(email: string): Promise<void>
  stop(): Promise<void>
}

let people = 0

/** Credentials that no other test of this run uses. */
export function newPerson() {
  people += 1
  return { email: `person-${people}-${Date.now()}@example.com`, password: `long enough ${people}` }
}

/** A client that has signed up and in. */
export async function signedIn(backend: BackendUnderTest, person = newPerson()): Promise<ClientUnderTest> {
  const client = await backend.connect()
  await client.identity.createAccount(person.email, person.password)
  await client.identity.signIn(person.email, person.password)
  return client
}

/** Lists once, then keeps whatever the store tells. */
export async function listen(documents: DocumentStore) {
  await documents.list()
  const told = {
    changes: [] as Change[],
    stale: 0,
    connected: undefined as boolean | undefined,
    ended: false,
  }
  const observer: Observer = {
    changed: (changes) => void told.changes.push(...changes),
    stale: () => void told.stale++,
    connected: (connected) => {
      told.connected = connected
    },
    ended: () => {
      told.ended = true
    },
  }
  const stop = documents.watch(observer)
  return { told, stop }
}
