import { afterEach, expect, test, vi } from 'vitest'
import { type ChangeEvent, changeEvents, revisionHeader } from '../../../contract/protocol.ts'
import { createDocumentStore } from './documents.ts'

// A change that comes in the very moment of an answer; no real line can be made to bring it just then.

const ada = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
const saved = (revision: number, eName: string): ChangeEvent => ({
  type: 'saved',
  revision,
  document: { id: 'a', ...ada, eName },
  after: null,
})
const removed = (revision: number): ChangeEvent => ({ type: 'removed', revision, id: 'a' })

/** A store whose line is in the test's hands, and what happened to it in order. */
async function createControlledStore() {
  const events: string[] = []
  const stream = new TransformStream<Uint8Array, Uint8Array>()
  const writer = stream.writable.getWriter()
  const answered = Promise.withResolvers<Response>()
  const documents = createDocumentStore(async (method, path) => {
    if (method !== 'GET') return answered.promise
    if (path.includes('?since=')) return new Response(stream.readable)
    return Response.json({ revision: 4, documents: [{ id: 'a', ...ada }] })
  })
  await documents.list()
  documents.subscribe({
    onChanges: (changes) => {
      for (const change of changes) events.push(change.type === 'saved' ? change.document.eName : 'removed')
    },
    onStale: () => {},
    onConnectionChange: () => {},
    onSessionEnded: () => {},
  })
  const sendChange = async (change: ChangeEvent) => {
    const before = events.length
    void writer.write(
      new TextEncoder().encode(`event: ${changeEvents.change}\ndata: ${JSON.stringify(change)}\n\n`),
    )
    await expect.poll(() => events.length).toBeGreaterThan(before)
  }
  return { documents, happened: events, tell: sendChange, answer: answered.resolve }
}

afterEach(() => {
  vi.useRealTimers()
})

test('live: what comes between our answer and what it has told again has the last say', async () => {
  const { documents, happened, tell, answer } = await createControlledStore()
  const updated = documents.update('a', { ...ada, eName: 'ours' })
  await tell(saved(5, 'ours'))
  await tell(saved(6, 'theirs'))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  answer(new Response(null, { headers: { [revisionHeader]: '5' } }))
  await updated
  await tell(saved(7, 'theirs again'))
  vi.runAllTimers()
  expect(happened.at(-1)).toBe('theirs again')
  expect(happened.lastIndexOf('theirs')).toBeGreaterThan(happened.indexOf('theirs'))
})

test('live: a later removal is told again only when the whole answer to a restore has come', async () => {
  const { documents, happened, tell, answer } = await createControlledStore()
  const restored = documents.restore({ id: 'a', ...ada }).then(() => happened.push('answered'))
  await tell(saved(5, 'ours'))
  await tell(removed(6))
  const body = new TransformStream<Uint8Array, Uint8Array>()
  answer(new Response(body.readable, { headers: { [revisionHeader]: '5' } }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  const writer = body.writable.getWriter()
  void writer.write(new TextEncoder().encode('{"after":null}'))
  void writer.close()
  await restored
  await expect.poll(() => happened).toEqual(['ours', 'removed', 'answered', 'removed'])
})
