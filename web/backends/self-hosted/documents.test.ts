import { expect, test, vi } from 'vitest'
import type { Employee } from '../../../contract/employees.ts'
import {
  type Change,
  type ChangeEvent,
  changeEvents,
  countHeader,
  paths,
  revisionHeader,
} from '../../../contract/protocol.ts'
import { listenerWith } from '../../../tests/support/backend-client.ts'
import { ada, makeEmployees, nameOf, renamed } from '../../../tests/support/people.ts'
import { ServiceError } from '../ports.ts'
import { createSelfHostedBackend } from './backend.ts'
import { createSend, type Send } from './client.ts'
import { SelfHostedDocumentStore, type Sharing } from './documents.ts'
import type { Upload } from './upload.ts'

// Changes that arrive at the moment of a response; this timing cannot be produced with a real connection.

const saved = (revision: number, name: string): ChangeEvent => ({
  type: 'saved',
  revision,
  document: { id: 'a', ...renamed(name) },
  after: null,
})
const removed = (revision: number): ChangeEvent => ({ type: 'removed', revision, id: 'a' })

/** A store whose responses and events the test controls, and its notifications in order. */
async function createControlledStore() {
  const events: string[] = []
  const stream = new TransformStream<Uint8Array, Uint8Array>()
  const writer = stream.writable.getWriter()
  const response = Promise.withResolvers<Response>()
  const documents = new SelfHostedDocumentStore(async (method, path) => {
    if (method !== 'GET') return response.promise
    if (path.includes('?since=')) return new Response(stream.readable)
    return Response.json({ revision: 4, documents: [{ id: 'a', ...ada }] })
  })
  await documents.list()
  const nameChange = (change: Change) => (change.type === 'saved' ? nameOf(change.document) : 'removed')
  documents.subscribe(listenerWith({ onChanges: (changes) => void events.push(...changes.map(nameChange)) }))
  const sendChange = async (...changes: ChangeEvent[]) => {
    const before = events.length
    const toText = (change: ChangeEvent) =>
      `id: ${change.revision}\nevent: ${changeEvents.change}\ndata: ${JSON.stringify(change)}\n\n`
    void writer.write(new TextEncoder().encode(changes.map(toText).join('')))
    await expect.poll(() => events.length).toBeGreaterThan(before)
  }
  return { documents, events, sendChange, respond: response.resolve }
}

test('live: an event between a response and the repeated notification takes precedence', async () => {
  const { documents, events, sendChange, respond } = await createControlledStore()
  const updated = documents.update('a', renamed('ours'))
  await sendChange(saved(5, 'ours'))
  await sendChange(saved(6, 'theirs'))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  respond(new Response(null, { headers: { [revisionHeader]: '5' } }))
  await updated
  await sendChange(saved(7, 'theirs again'))
  vi.runAllTimers()
  expect(events).toEqual(['ours', 'theirs', 'theirs again', 'theirs again'])
})

/** The response to an update of record `a`, which a colleague has renamed at a revision. */
function conflictWith(name: string, revision: number): Response {
  const body = { code: 'conflict', message: 'No.', document: { id: 'a', ...renamed(name) }, after: null }
  return Response.json(body, { status: 409, headers: { [revisionHeader]: String(revision) } })
}

test('live: a conflict notifies of a record that the stream has not delivered, and ignores older events', async () => {
  const { documents, events, sendChange, respond } = await createControlledStore()
  const updated = documents.update('a', renamed('ours'), ada)
  respond(conflictWith('newest', 6))
  await expect(updated).rejects.toMatchObject({ code: 'conflict', message: 'No.' })
  expect(events).toEqual(['newest'])
  await sendChange(saved(5, 'older'), saved(7, 'later'))
  expect(events).toEqual(['newest', 'later'])
})

test('live: a conflict does not notify of a record that the stream has overtaken', async () => {
  const { documents, events, sendChange, respond } = await createControlledStore()
  const updated = documents.update('a', renamed('ours'), ada)
  await sendChange(saved(6, 'newest'))
  respond(conflictWith('older', 5))
  await expect(updated).rejects.toMatchObject({ code: 'conflict' })
  expect(events).toEqual(['newest'])
})

test('live: notifies again of a later removal only after the whole response to a restore has been read', async () => {
  const { documents, events, sendChange, respond } = await createControlledStore()
  const restored = documents.restore({ id: 'a', ...ada }).then(() => events.push('response'))
  await sendChange(saved(5, 'ours'))
  await sendChange(removed(6))
  const body = new TransformStream<Uint8Array, Uint8Array>()
  respond(new Response(body.readable, { headers: { [revisionHeader]: '5' } }))
  await new Promise((resolve) => setTimeout(resolve))
  const writer = body.writable.getWriter()
  void writer.write(new TextEncoder().encode('{"after":null}'))
  void writer.close()
  await restored
  await expect.poll(() => events).toEqual(['ours', 'removed', 'response', 'removed'])
})

test('live: notifies again of a restored record after a removal that has found none', async () => {
  const { documents, events, sendChange, respond } = await createControlledStore()
  const removing = documents.remove('a').then(() => events.push('response'))
  await sendChange(removed(5))
  await sendChange(saved(6, 'restored'))
  respond(Promise.reject(new ServiceError('not-found', 'No.')))
  await removing
  await expect.poll(() => events).toEqual(['removed', 'restored', 'response', 'restored'])
})

test('live: a call that the server refuses ends the session in all tabs', async () => {
  const fetch: typeof globalThis.fetch = async (input) => {
    const path = String(input)
    if (path === paths.books) return Response.json({ revision: 4, documents: [] })
    if (path !== paths.sessions) return new Response(new ReadableStream())
    return Response.json({ code: 'not-signed-in', message: 'No.' }, { status: 401 })
  }
  const sharing: Sharing = { getUid: () => 'one', withSlot: (_kind, request) => request() }
  const onSessionEnded = vi.fn()
  const tabs = [1, 2].map(() => createSelfHostedBackend({ fetch, upload: fetch as Upload, sharing }))
  for (const { documents } of tabs) {
    await documents.list()
    documents.subscribe(listenerWith({ onSessionEnded }))
  }
  await expect(tabs[0]?.identity.sessions?.list()).rejects.toMatchObject({ code: 'not-signed-in' })
  await expect.poll(() => onSessionEnded).toHaveBeenCalledTimes(2)
})

test('a change that waits for a connection is not sent once another account has signed in', async () => {
  let uid = 'one'
  const slot = Promise.withResolvers<void>()
  const sharing: Sharing = { getUid: () => uid, withSlot: (_kind, request) => slot.promise.then(request) }
  const send = vi.fn<Send>()
  const removing = new SelfHostedDocumentStore(send, sharing).remove('a')
  uid = 'two'
  slot.resolve()
  await expect(removing).rejects.toMatchObject({ code: 'offline' })
  expect(send).not.toHaveBeenCalled()
})

const slowList = makeEmployees(500).map((fields, i) => ({ id: `${i}`, ...fields }))

/** A store whose list takes these times: until it responds, and for each of five pieces. The product gives up after 30 s. */
function createSlowStore({ responseMs = 0, pieceMs = 0 }) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const lines = slowList.map((employee) => JSON.stringify(employee)).join(',\n')
  const bytes = new TextEncoder().encode(`{"revision":4,"documents":[\n${lines}\n]}`)
  const size = Math.ceil(bytes.length / 5)
  let at = 0
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const pass = async (ms: number) => {
      // The caller sets its timeout.
      await null
      vi.advanceTimersByTime(ms)
      init?.signal?.throwIfAborted()
    }
    const pull = async (controller: ReadableStreamDefaultController) => {
      await pass(pieceMs)
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
      else controller.close()
      at += size
    }
    await pass(responseMs)
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    return new Response(body, { headers: { [countHeader]: `${slowList.length}` } })
  }
  return new SelfHostedDocumentStore(createSend(fetch, fetch, ''))
}

test('a list that takes longer than the timeout is read, and what has arrived is passed on', async () => {
  const parts: unknown[] = []
  const totals = new Set<number | undefined>()
  const list = await createSlowStore({ responseMs: 25_000, pieceMs: 25_000 }).list(async (part, total) => {
    parts.push(...part)
    totals.add(total)
  })
  expect(list).toEqual(slowList)
  expect(parts.length).toBeGreaterThan(100)
  expect(parts).toEqual(slowList.slice(0, parts.length))
  expect([...totals]).toEqual([slowList.length])
})

test.each([{ responseMs: 30_000 }, { pieceMs: 30_000 }])('a silent list is given up: %o', async (times) => {
  await expect(createSlowStore(times).list()).rejects.toMatchObject({ code: 'offline' })
})

test('the time in which the page paints the first records is not silence', async () => {
  const list = await createSlowStore({}).list(async () => vi.advanceTimersByTime(60_000))
  expect(list).toEqual(slowList)
})

const firstOf = (documents: Employee[], total: number) =>
  Response.json({ revision: 4, documents }, { headers: { [countHeader]: `${total}` } })

test('the first records are passed on before the list arrives, once', async () => {
  const withId = makeEmployees(3).map((fields, i): Employee => ({ id: `id-${i}`, ...fields }))
  const [first, changed, other] = withId as [Employee, Employee, Employee]
  const list = Promise.withResolvers<Response>()
  const sharing: Sharing = {
    getUid: () => undefined,
    withSlot: (_kind, request) => request(),
    takeFirst: async () => firstOf([first, changed], 3),
  }
  const documents = new SelfHostedDocumentStore(() => list.promise, sharing)
  const onPart = vi.fn(async () => {})
  const listed = documents.list(onPart)
  await expect.poll(() => onPart.mock.calls).toEqual([[[first, changed], 3]])
  const newer = { ...changed, ...renamed('Changed since') }
  list.resolve(Response.json({ revision: 4, documents: [first, newer, other] }))
  expect(await listed).toEqual([first, newer, other])
  expect(onPart).toHaveBeenCalledOnce()
})

test('the first records are dropped if they arrive after the list', async () => {
  const first = Promise.withResolvers<Response>()
  const sharing: Sharing = {
    getUid: () => undefined,
    withSlot: (_kind, request) => request(),
    takeFirst: () => first.promise,
  }
  const send = async () => Response.json({ revision: 4, documents: [] })
  const onPart = vi.fn(async () => {})
  expect(await new SelfHostedDocumentStore(send, sharing).list(onPart)).toEqual([])
  first.resolve(firstOf([{ id: 'a', ...ada }], 1))
  await new Promise((resolve) => setTimeout(resolve))
  expect(onPart).not.toHaveBeenCalled()
})
