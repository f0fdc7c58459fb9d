import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { type AppOptions, createApp } from '../../server/app.ts'
import { createLinks } from '../../server/auth/links/links.ts'
import type { HashCost } from '../../server/auth/password-hash.ts'
import { createPasswordPool } from '../../server/auth/password-pool.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { cleanUpAfterTest } from './cleanup.ts'
import { withClients } from './http-client.ts'
import { createTestStorage, type TestStorage } from './storage.ts'

/** The lowest cost that argon2id allows, because tests sign in often. */
export const cheapHashCost: HashCost = { memory: 64, passes: 1 }

/** The servers of a process share its threads, each of which takes a while to start. */
const passwordPool = { ...createPasswordPool(), close: async () => [] }

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

export type TestServerOptions = Partial<Omit<AppOptions, 'storage'>> & {
  maxWaiting?: number
  maxBytes?: number
  testStorage?: TestStorage
}

/** Starts the real server on a free port with its own database. It stops at the end of the test that has started it. */
export async function startTestServer(given: TestServerOptions = {}) {
  const { maxWaiting = 10_000, maxBytes, testStorage = await createTestStorage(), ...options } = given
  let running = await listen(0)
  const url = `http://127.0.0.1:${running.port}`

  async function listen(port: number) {
    const storage = await testStorage.open({ maxWaiting, ...(maxBytes === undefined ? {} : { maxBytes }) })
    const app = await createApp({
      storage,
      signUp: 'open',
      hashCost: cheapHashCost,
      passwordPool,
      localOnly: !options.trustProxy,
      ...options,
    })
    await listenOn(app, port)
    return { storage, app, port: (app.server.address() as AddressInfo).port }
  }

  async function shutDown() {
    await running.app.close()
    await running.storage.close()
  }

  function createOperatorLinks() {
    const { links: storage, accounts } = running.storage
    return createLinks(storage, accounts, options.now)
  }

  let stopping: Promise<void> | undefined
  /** Stops the server and deletes its database. */
  const stop = () => {
    stopping ??= shutDown().then(testStorage.remove)
    return stopping
  }
  cleanUpAfterTest(stop)

  return withClients({
    url,
    get storage(): Storage {
      return running.storage
    },
    testStorage,
    /** Makes links as the operator does. */
    get links() {
      return createOperatorLinks()
    },
    ...(options.signUp === 'invited' && {
      invite: async (email: string) => (await createOperatorLinks().invite(null, email)).token,
    }),
    /** Returns the number of open connections. */
    countConnections: () => promisify(running.app.server.getConnections.bind(running.app.server))(),
    /** Restarts with the same port and database. */
    async restart() {
      await shutDown()
      // The event loop polls between the two: `fetch` then knows that its connections were closed.
      for (let i = 0; i < 2; i++) await setImmediate()
      running = await listen(running.port)
    },
    stop,
  })
}

/** Tries again if another program has the port. With Node's backlog of 511, a busy machine refuses a thousand connections. */
async function listenOn(app: FastifyInstance, port: number, triesLeft = 400): Promise<void> {
  try {
    await app.listen({ port, host: '127.0.0.1', backlog: 4_096 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || triesLeft === 0) throw error
    await sleep(50)
    await listenOn(app, port, triesLeft - 1)
  }
}

/** A logger for a server. `text` returns everything that it has written, one JSON object per line. */
export function recordLog() {
  let text = ''
  const write = (line: string) => {
    text += line
  }
  return { logger: pino({ level: 'trace' }, { write }), text: () => text }
}
