import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import { changeEvents, paths } from '../../../contract/protocol.ts'
import { listenerWith, newCredentials } from '../../../tests/support/backend-client.ts'
import { isNightly } from '../../../tests/support/nightly.ts'
import { ada, named } from '../../../tests/support/people.ts'
import { provideServer } from '../../../tests/support/provide-server.ts'
import { createBrowser } from '../../../tests/support/self-hosted-backend.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'
import type { DocumentStore } from '../ports.ts'
import { createSelfHostedBackend } from './backend.ts'
import { SharedStream } from './shared-stream.ts'

// Tabs of one browser that share an event stream: they have one cookie, and Web Locks and a BroadcastChannel in common.

const server = provideServer()

/** Signs in, and opens tabs that share their streams. */
async function openBrowser() {
  const { fetch, upload } = createBrowser()
  let uid: string | undefined
  let connection = new AbortController()
  let openStreams = 0

  const fetchFromTab: typeof fetch = async (input, init) => {
    if (!String(input).includes(paths.changes)) return fetch(input, init)
    const signal = AbortSignal.any([connection.signal, init?.signal ?? connection.signal])
    const response = await fetch(input, { ...init, signal })
    if (!response.ok) return response
    openStreams++
    signal.addEventListener('abort', () => openStreams--, { once: true })
    return response
  }

  const connectTab = () =>
    createSelfHostedBackend({
      fetch: fetchFromTab,
      upload,
      base: server.url,
      sharing: { getUid: () => uid, withSlot: (_kind, request) => request() },
    })
  const { identity } = connectTab()
  const { email, password } = newCredentials()
  await identity.createAccount(email, password)
  uid = (await identity.signIn(email, password)).uid
  return {
    identity,
    countStreams: () => openStreams,
    breakStreams() {
      connection.abort()
      connection = new AbortController()
    },
    openTab: () => openTab(connectTab().documents),
  }
}

type Tab = Awaited<ReturnType<typeof openTab>>

/** A tab that loads the list and then follows the changes. */
async function openTab(documents: DocumentStore) {
  const ids = (await documents.list()).map(({ id }) => id)
  const state = { stale: 0, ended: 0, connected: undefined as boolean | undefined }
  const close = documents.subscribe({
    onChanges(changes) {
      for (const change of changes) ids.push(change.type === 'saved' ? change.document.id : '')
    },
    onStale: () => void state.stale++,
    onConnectionChange: (connected) => void Object.assign(state, { connected }),
    onSessionEnded: () => void state.ended++,
  })
  return { documents, ids, state, close }
}

let added = 0
const add = ({ documents }: Pick<Tab, 'documents'>) => documents.add(named(`${added++}`), newIdempotencyKey())

const fetchIds = async ({ documents }: Tab) => (await documents.list()).map(({ id }: Employee) => id)

/** Deposes the leader, as a tab does that finds it silent. */
async function stealLeadership() {
  const { held = [] } = await navigator.locks.query()
  for (const { name } of held) if (name) await navigator.locks.request(name, { steal: true }, () => {})
}

test('live: tabs share one stream, and each receives each change once and in order, whatever happens to the others', async () => {
  const step = fc.constantFrom('open', 'close', 'add', 'add', 'break the stream', 'steal', 'settle')
  const run = async (steps: string[], choose: (count: number) => number) => {
    const browser = await openBrowser()
    const writer = await browser.openTab()
    const tabs = [await browser.openTab()]
    const writes: Promise<unknown>[] = []
    for (const step of steps) {
      if (step === 'open') tabs.push(await browser.openTab())
      if (step === 'close') tabs.splice(choose(tabs.length), 1)[0]?.close()
      if (step === 'add') writes.push(add(writer))
      if (step === 'break the stream') browser.breakStreams()
      if (step === 'steal') await stealLeadership()
      if (step === 'settle') await Promise.all(writes)
    }
    await Promise.all(writes)
    tabs.push(writer)
    const expected = await fetchIds(writer)
    for (const tab of tabs) {
      await expect.poll(() => tab.ids.length).toBeGreaterThanOrEqual(expected.length)
      expect(tab.ids).toEqual(expected)
      expect(tab.state).toMatchObject({ stale: 0, ended: 0 })
    }
    await expect.poll(browser.countStreams).toBe(1)
    for (const tab of tabs) tab.close()
    expect(browser.countStreams()).toBe(0)
  }
  let running: Promise<void> | undefined
  const anySteps = fc.array(step, { minLength: 10, maxLength: 40 })
  const property = fc.asyncProperty(anySteps, fc.infiniteStream(fc.nat()), (steps, numbers) => {
    running = run(steps, (count) => numbers.next().value % Math.max(1, count))
    return running
  })
  await fc.assert(property, { numRuns: isNightly ? 25 : 10, interruptAfterTimeLimit: 30_000 })
  // fast-check does not wait for the run that it interrupts, which would take the locks of the next test.
  await running
})

test('live: a tab that has missed a report opens the stream where it stopped', async () => {
  const requested: string[] = []
  const channel = new BroadcastChannel('a channel')
  // Another tab leads, and is further ahead than this one knows.
  const { promise: leading, resolve: endLeading } = Promise.withResolvers<void>()
  void navigator.locks.request('a channel', () => leading).catch(() => {})
  const received: unknown[] = []
  const send = async (_method: string, path: string) => {
    requested.push(path)
    const data = JSON.stringify({ type: 'removed', revision: 8, id: 'x' })
    const event = new TextEncoder().encode(`id: 8\nevent: ${changeEvents.change}\ndata: ${data}\n\n`)
    return new Response(new ReadableStream({ start: (body) => body.enqueue(event) }))
  }
  const onChanges = (changes: { revision: number }[]) =>
    void received.push(...changes.map(({ revision }) => revision))
  const stream = new SharedStream(send, 5, 'a channel', { ...listenerWith({}), onChanges })
  const report = (since: number, ...revisions: number[]) =>
    channel.postMessage({
      since,
      revision: revisions.at(-1) ?? since,
      changes: revisions.map((revision) => ({ type: 'removed', revision, id: 'x' })),
      isStale: false,
      isConnected: true,
    })
  report(4, 5, 6)
  await expect.poll(() => received).toEqual([6])
  expect(requested).toEqual([])
  report(7, 8)
  await expect.poll(() => received).toEqual([6, 8])
  expect(requested).toEqual([`${paths.changes}?since=6`])
  stream.close()
  channel.close()
  endLeading()
})

test('live: all tabs are told that the session has ended, and that changes are no longer available', async () => {
  const browser = await openBrowser()
  const tabs = await Promise.all(Array.from({ length: 3 }, browser.openTab))
  for (const tab of tabs) await expect.poll(() => tab.state.connected).toBe(true)
  const [first] = tabs as [Tab]
  const batch = { add: Array(1001).fill(ada), update: [], remove: [] }
  await first.documents.writeBatch(batch, newIdempotencyKey())
  for (const tab of tabs) await expect.poll(() => tab.state.stale).toBe(1)
  await browser.identity.signOut()
  for (const tab of tabs) await expect.poll(() => tab.state.ended).toBe(1)
  expect(browser.countStreams()).toBe(0)
})
