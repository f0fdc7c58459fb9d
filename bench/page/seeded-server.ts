import type { EmployeeFields } from '../../contract/employees.ts'
import { paths } from '../../contract/protocol.ts'
import { startServer } from '../../tests/support/e2e/backend.ts'

/** A running server with so many records, and what a browser needs to be signed in to it. */
export interface SeededServer {
  url: string
  count: number
  user: unknown
  /** The session cookie, as `name=value`. */
  cookie: string
  stop(): Promise<void>
}

const account = { email: 'keeper@example.com', password: 'a register of one’s own' }

export async function startSeededServer(count: number): Promise<SeededServer> {
  const { url, stop } = await startServer()
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  await post(paths.accounts, account)
  const answer = await post(paths.session, account)
  const user = await answer.json()
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const add = Array.from({ length: count }, (_, index) => employeeAt(index))
  const imported = await post(
    paths.batch,
    { add, update: [], remove: [] },
    { cookie, 'idempotency-key': 'bench' },
  )
  if (!imported.ok)
    throw new Error(`The register was not filled: ${imported.status} ${await imported.text()}`)
  return { url, count, user, cookie, stop }
}

const firstNames = ['Ada', 'Grace', 'Alan', 'Zoë', 'Łukasz', 'Øystein', 'José', 'Anna', 'Bernd', 'Chloé']
const lastNames = ['Lovelace', 'Hopper', 'Turing', 'Müller', 'Nowak', 'García', 'Smith']

/** A record like any other; always the same one for an index. */
export function employeeAt(index: number): EmployeeFields {
  const first = firstNames[index % firstNames.length]
  const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length]
  return {
    eName: `${first} ${last} ${index}`,
    email: `person.${index}@example.com`,
    password: `secret-${(index * 7919) % 1_000_003}`,
  }
}
