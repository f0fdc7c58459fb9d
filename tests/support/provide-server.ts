import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { forward } from './forward.ts'
import type { TestClient } from './http-client.ts'
import { recordLog, startTestServer, type TestServer, type TestServerOptions } from './server.ts'

/** Starts a server before the tests of a group, or before each of them, and stops it afterwards. */
export function provideServer(options?: TestServerOptions, per: 'group' | 'test' = 'group'): TestServer {
  let server: TestServer
  const [before, after] = per === 'group' ? [beforeAll, afterAll] : [beforeEach, afterEach]
  before(async () => {
    server = await startTestServer(options)
  })
  after(() => server.stop())
  return forward(() => server)
}

/** The same with a client that is signed in as ada@example.com. */
export function provideSignedInServer(options?: TestServerOptions, per: 'group' | 'test' = 'group') {
  const server = provideServer(options, per)
  let client: TestClient
  const before = per === 'group' ? beforeAll : beforeEach
  before(async () => {
    client = await server.signIn()
  })
  return { server, client: forward(() => client) }
}

/** Before each test, a server with a stopped clock and a log, and Ada, who is signed in. */
export function provideScenario(options?: TestServerOptions) {
  const clock = { now: 0 }
  let readLog: () => string
  let server: TestServer
  let ada: TestClient
  beforeEach(async () => {
    clock.now = Date.now()
    const { logger, text } = recordLog()
    readLog = text
    server = await startTestServer({ now: () => clock.now, logger, ...options })
    ada = await server.signIn()
  })
  return { server: forward(() => server), ada: forward(() => ada), log: () => readLog(), clock }
}
