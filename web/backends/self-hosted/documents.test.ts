import { afterEach, expect, test, vi } from 'vitest'
import { type ChangeEvent, changeEvents, revisionHeader } from '../../../contract/protocol.ts'
import { ada, nameOf, renamed } from '../../../tests/support/people.ts'
import { SelfHostedDocumentStore } from './documents.ts'

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
  documents.subscribe({
    onChanges: (changes) => {
      for (const change of changes) events.push(change.type === 'saved' ? nameOf(change.document) : 'removed')
    },
    onStale: () => {},
    onConnectionChange: () => {},
    onSessionEnded: () => {},
  })
  const sendChange = async (...changes: ChangeEvent[]) => {
    const before = events.length
    const toText = (change: ChangeEvent) =>
      `id: ${change.revision}\nevent: ${changeEvents.change}\ndata: ${JSON.stringify(change)}\n\n`
    void writer.write(new TextEncoder().encode(changes.map(toText).join('')))
    await expect.poll(() => events.length).toBeGreaterThan(before)
  }
  return { documents, events, sendChange, respond: response.resolve }
}

afterEach(() => {
  vi.useRealTimers()
})

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
  expect(events.at(-1)).toBe('theirs again')
  expect(events.lastIndexOf('theirs')).toBeGreaterThan(events.indexOf('theirs'))
})

test('live: a conflict notifies of a record that the stream has not delivered, and ignores older events', async () => {
  const { documents, events, sendChange, respond } = await createControlledStore()
  const updated = documents.update('a', renamed('ours'), ada)
  const body = {
    code: 'conflict',
    message: 'No.',
    document: { id: 'a', ...renamed('newest') },
    after: null,
  }
  respond(Response.json(body, { status: 409, headers: { [revisionHeader]: '6' } }))
  await expect(updated).rejects.toMatchObject({ code: 'conflict', message: 'No.' })
  expect(events).toEqual(['newest'])
  await sendChange(saved(5, 'older'), saved(7, 'later'))
  expect(events).toEqual(['newest', 'later'])
})

test('live: a conflict does not notify of a record that the stream has overtaken', async () => {
  const { documents, events, sendChange, respond } = await createControlledStore()
  const updated = documents.update('a', renamed('ours'), ada)
  await sendChange(saved(6, 'newest'))
  const body = {
    code: 'conflict',
    message: 'No.',
    document: { id: 'a', ...renamed('older') },
    after: null,
  }
  respond(Response.json(body, { status: 409, headers: { [revisionHeader]: '5' } }))
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
