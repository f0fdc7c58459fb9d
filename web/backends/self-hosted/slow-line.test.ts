import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import { paths } from '../../../contract/protocol.ts'
import { newCredentials } from '../../../tests/support/backend-client.ts'
import {
  type InterferingProxy,
  type Relay,
  startInterferingProxy,
} from '../../../tests/support/interfering-proxy.ts'
import { ada, makeEmployees } from '../../../tests/support/people.ts'
import { createBrowser } from '../../../tests/support/self-hosted-backend.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'
import { createSelfHostedBackend } from './backend.ts'

// A line on which reading the list takes longer than the timeout. The timeout of the product is 30 s.

const idleTimeoutMs = 3000
const count = 2000
/** All pieces together take longer than the timeout. One takes much less, since a busy machine may be late. */
const [pieceCount, pieceMs] = [5, 900]

let server: TestServer
let proxy: InterferingProxy
beforeEach(async () => {
  server = await startTestServer()
  proxy = await startInterferingProxy(server.url, paths.books)
})
afterEach(async () => {
  proxy.close()
  await server.stop()
})

async function connect() {
  const { identity, documents } = createSelfHostedBackend({
    ...createBrowser(),
    base: proxy.url,
    idleTimeoutMs,
  })
  const { email, password } = newCredentials()
  await identity.createAccount(email, password)
  await identity.signIn(email, password)
  await documents.writeBatch({ add: makeEmployees(count), update: [], remove: [] }, newIdempotencyKey())
  return documents
}

/** Passes on a body in pieces. */
const relaySlowly: Relay = async (body, response) => {
  const bytes = Buffer.concat(await body.toArray())
  for (let piece = 0; piece < pieceCount; piece++) {
    const start = Math.floor((piece * bytes.length) / pieceCount)
    response.write(bytes.subarray(start, Math.floor(((piece + 1) * bytes.length) / pieceCount)))
    await sleep(pieceMs)
  }
  response.end()
}

test('a list that takes longer than the timeout is read, and what has arrived is passed on', async () => {
  const documents = await connect()
  proxy.setRelay(relaySlowly)
  const parts: Employee[][] = []
  const totals = new Set<number | undefined>()
  const list = await documents.list(async (part, total) => {
    parts.push(part)
    totals.add(total)
  })
  expect(list).toHaveLength(count)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.flat()).toEqual(list.slice(0, parts.flat().length))
  expect([...totals]).toEqual([count])
})

test('a list of which nothing more arrives is given up', async () => {
  const documents = await connect()
  proxy.setRelay(
    (body, response) => void body.once('data', (bytes) => response.write(bytes.subarray(0, 5000))),
  )
  await expect(documents.list()).rejects.toMatchObject({ code: 'offline' })
  proxy.setRelay(() => {})
  await expect(documents.list()).rejects.toMatchObject({ code: 'offline' })
  proxy.setRelay((body, response) => void body.pipe(response))
  expect(await documents.list()).toHaveLength(count)
})

test('the time in which the page paints the first records is not silence', async () => {
  const documents = await connect()
  const list = await documents.list(() => sleep(1.5 * idleTimeoutMs))
  expect(list).toHaveLength(count)
})

test('a list that was requested before an own write contains the write', async () => {
  const documents = await connect()
  const ids = (await documents.list()).map(({ id }) => id)
  const [updated = '', removed = ''] = ids
  proxy.setRelay(relaySlowly)
  const list = documents.list()
  await expect.poll(() => proxy.requestTimes.length).toBe(2)
  await sleep(1.5 * pieceMs)
  await documents.update(updated, ada)
  await documents.remove(removed)
  const added = await documents.add(ada, newIdempotencyKey())
  const result = await list
  expect(result.map(({ id }) => id)).toEqual([...ids.filter((id) => id !== removed), added])
  expect(result[0]).toEqual({ id: updated, ...ada })
  expect(result.at(-1)).toEqual({ id: added, ...ada })
})
