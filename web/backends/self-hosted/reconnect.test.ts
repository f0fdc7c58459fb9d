import { afterEach, beforeEach, expect, test } from 'vitest'
import { paths } from '../../../contract/protocol.ts'
import { newCredentials, recordChanges } from '../../../tests/support/backend-client.ts'
import {
  type InterferingProxy,
  type Relay,
  startInterferingProxy,
} from '../../../tests/support/interfering-proxy.ts'
import { ada } from '../../../tests/support/people.ts'
import { createBrowser } from '../../../tests/support/self-hosted-backend.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { createSelfHostedBackend } from './backend.ts'

// A proxy between the page and the server that interferes with the event stream only.

let server: TestServer
let proxy: InterferingProxy
beforeEach(async () => {
  server = await startTestServer()
  proxy = await startInterferingProxy(server.url, paths.changes)
})
afterEach(async () => {
  proxy.close()
  await server.stop()
})

async function connect() {
  const { identity, documents } = createSelfHostedBackend({ ...createBrowser(), base: proxy.url })
  const { email, password } = newCredentials()
  await identity.createAccount(email, password)
  await identity.signIn(email, password)
  return documents
}

const relays: [string, Relay][] = [
  ['before the first byte', (_stream, response) => void response.end()],
  ['after the first bytes', (stream, response) => stream.once('data', (bytes) => response.end(bytes))],
  [
    'with an error after the first bytes',
    (stream, response) => stream.once('data', (bytes) => response.write(bytes, () => response.destroy())),
  ],
]

test.each(relays)('waits longer each time if a proxy ends every stream %s', async (_, relay) => {
  proxy.setRelay(relay)
  const documents = await connect()
  const { stop } = await recordChanges(documents)
  await expect.poll(() => proxy.requestTimes.length).toBe(5)
  stop()
  const [, , , fourth = 0, fifth = 0] = proxy.requestTimes
  // The fourth delay is 1 to 2 s; the first ones are at most 250 ms.
  expect(fifth - fourth).toBeGreaterThan(900)
})

test('changes arrive and the connection counts as live although a proxy ends every stream', async () => {
  proxy.setRelay((stream, response) => void stream.once('data', (bytes) => response.end(bytes)))
  const documents = await connect()
  const statuses: boolean[] = []
  await documents.list()
  const received: unknown[] = []
  const stop = documents.subscribe({
    onChanges: (changes) => void received.push(...changes),
    onStale: () => {},
    onConnectionChange: (connected) => void statuses.push(connected),
    onSessionEnded: () => {},
  })
  await expect.poll(() => proxy.requestTimes.length).toBe(2)
  await documents.add(ada, 'k')
  await expect.poll(() => received).toMatchObject([{ document: ada }])
  stop()
  expect(statuses).not.toContain(false)
})
