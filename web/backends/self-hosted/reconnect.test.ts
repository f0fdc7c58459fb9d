import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { paths } from '../../../contract/protocol.ts'
import { newCredentials, recordChanges } from '../../../tests/support/backend-client.ts'
import { createBrowser } from '../../../tests/support/self-hosted-backend.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { createSelfHostedBackend } from './backend.ts'

// A proxy between the page and the server that interferes with the event stream only.

type Interfere = (stream: IncomingMessage, response: ServerResponse) => void

let server: TestServer
let proxy: ReturnType<typeof createServer>
/** When each stream was requested, in ms. */
let requestedAt: number[]
let interfere: Interfere

beforeEach(async () => {
  requestedAt = []
  server = await startTestServer()
  proxy = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming
    const isStream = url.startsWith(paths.changes)
    if (isStream) requestedAt.push(performance.now())
    const forwarded = request(server.url + url, { method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers)
      if (isStream) interfere(upstream, response)
      else upstream.pipe(response)
    })
    incoming.pipe(forwarded)
    response.on('close', () => forwarded.destroy())
    forwarded.on('error', () => response.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})
afterEach(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await server.stop()
})

async function connect() {
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const { identity, documents } = createSelfHostedBackend({ ...createBrowser(), base })
  const { email, password } = newCredentials()
  await identity.createAccount(email, password)
  await identity.signIn(email, password)
  return documents
}

const interferences: [string, Interfere][] = [
  ['before the first byte', (_stream, response) => response.end()],
  ['after the first bytes', (stream, response) => stream.once('data', (bytes) => response.end(bytes))],
  [
    'with an error after the first bytes',
    (stream, response) => stream.once('data', (bytes) => response.write(bytes, () => response.destroy())),
  ],
]

test.each(interferences)('waits longer each time if a proxy ends every stream %s', async (_, how) => {
  interfere = how
  const documents = await connect()
  const { stop } = await recordChanges(documents)
  await expect.poll(() => requestedAt.length).toBe(5)
  stop()
  const [, , , fourth = 0, fifth = 0] = requestedAt
  // The fourth delay is 1 to 2 s; the first ones are at most 250 ms.
  expect(fifth - fourth).toBeGreaterThan(900)
})

test('changes arrive and the connection counts as live although a proxy ends every stream', async () => {
  interfere = (stream, response) => stream.once('data', (bytes) => response.end(bytes))
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
  await expect.poll(() => requestedAt.length).toBe(2)
  await documents.add({ eName: 'Ada', email: 'ada@example.com', password: 'p' }, 'k')
  await expect.poll(() => received).toMatchObject([{ document: { eName: 'Ada' } }])
  stop()
  expect(statuses).not.toContain(false)
})
