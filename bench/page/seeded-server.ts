import type { EmployeeFields } from '../../contract/employees.ts'
import { idempotencyKeyHeader, paths } from '../../contract/protocol.ts'
import { startServer } from '../../tests/support/e2e/backend.ts'
import { createTestClient } from '../../tests/support/http-client.ts'

/** A running server with records, and the state of a signed-in browser. */
export interface SeededServer {
  url: string
  count: number
  user: unknown
  /** The session cookie, as `name=value`. */
  cookie: string
  stop(): Promise<void>
}

const email = 'bench@example.com'

/** `program`: the server of another checkout. */
export async function startSeededServer(
  count: number,
  program?: string,
  settings: Record<string, string> = {},
): Promise<SeededServer> {
  const { url, stop } = await startServer(settings, undefined, program)
  const client = createTestClient(url)
  await client.signUp(email)
  const { body: user } = await client.signIn(email)
  const batch = { add: Array.from({ length: count }, (_, i) => employeeAt(i)), update: [], remove: [] }
  const { status, body } = await client.call('POST', paths.batch, batch, { [idempotencyKeyHeader]: 'bench' })
  if (status !== 200) throw new Error(`Adding the records failed with ${status}: ${JSON.stringify(body)}`)
  return { url, count, user, cookie: client.cookie, stop }
}

const firstNames = ['Ada', 'Grace', 'Alan', 'Zoë', 'Łukasz', 'Øystein', 'José', 'Anna', 'Bernd', 'Chloé']
const lastNames = ['Lovelace', 'Hopper', 'Turing', 'Müller', 'Nowak', 'García', 'Smith']

export function employeeAt(index: number): EmployeeFields {
  const first = firstNames[index % firstNames.length]
  const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length]
  return {
    eName: `${first} ${last} ${index}`,
    email: `person.${index}@example.com`,
    password: `secret-${(index * 7919) % 1_000_003}`,
  }
}
