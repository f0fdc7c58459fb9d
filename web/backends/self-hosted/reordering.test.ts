import { expect, test } from 'vitest'
import type { Batch } from '../../../contract/batches.ts'
import type { Change } from '../../../contract/protocol.ts'
import { provideBackend } from '../../../tests/contracts/documents-suite.ts'
import {
  connectSignedIn,
  listenerWith,
  newCredentials,
  recordChanges,
} from '../../../tests/support/backend-client.ts'
import { ada, alan, grace } from '../../../tests/support/people.ts'
import { startSelfHostedBackend } from '../../../tests/support/self-hosted-backend.ts'
import { anyPlace } from '../apply-changes.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'
import type { DocumentStore } from '../ports.ts'

// Responses and change events use separate connections. These tests delay one so that the other overtakes it.

const backend = provideBackend(startSelfHostedBackend)

async function connectFirstClient() {
  const mine = await connectSignedIn(backend)
  const holdList = () => mine.holdResponses((url, { method }) => method === 'GET' && url.endsWith('/books'))
  return { ...mine, holdList }
}

async function connectTwoClients() {
  const mine = await connectFirstClient()
  const theirs = await connectSignedIn(backend)
  const { received, stop } = await recordChanges(mine.documents)
  await expect.poll(() => received.connected).toBe(true)
  return { mine, theirs, received, stop }
}

test('live: a list contains a change that overtook its response', async () => {
  const { mine, theirs, received, stop } = await connectTwoClients()
  const release = mine.holdList()
  const list = mine.documents.list()
  await release.held
  const id = await theirs.documents.add(grace, 'k')
  await expect.poll(() => received.changes).toHaveLength(1)
  release()
  expect(await list).toContainEqual({ id, ...grace })
  stop()
})

test('a list that was requested before own writes contains them', async () => {
  const mine = await connectFirstClient()
  const { ids } = await mine.documents.writeBatch({ add: [grace, grace], update: [], remove: [] }, 'two')
  const [updated = '', removed = ''] = ids
  const release = mine.holdList()
  const list = mine.documents.list()
  await release.held
  await mine.documents.update(updated, ada)
  await mine.documents.remove(removed)
  const added = await mine.documents.add(ada, 'own')
  release()
  const written = (await list).filter(({ id }) => [...ids, added].includes(id))
  expect(written).toEqual([updated, added].map((id) => ({ id, ...ada })))
})

test('a list that was requested before an own batch contains what it wrote', async () => {
  const mine = await connectFirstClient()
  const write = (batch: Partial<Batch>, key: string) =>
    mine.documents.writeBatch({ add: [], update: [], remove: [], ...batch }, key)
  const { ids } = await write({ add: [grace, grace, ada, grace] }, 'four')
  const [updated = '', removed = '', restored = '', kept = ''] = ids
  await mine.documents.remove(restored)
  const release = mine.holdList()
  const list = mine.documents.list()
  await release.held
  const result = await write(
    {
      add: [ada, ada],
      update: [
        { seen: { id: updated, ...grace }, fields: ada },
        { seen: { id: kept, ...alan }, fields: ada },
      ],
      remove: [{ id: removed, ...grace }],
      restore: [{ id: restored, ...ada }],
    },
    'own',
  )
  expect(result.kept).toEqual([kept])
  release()
  const written = (await list).filter(({ id }) => [...ids, ...result.ids].includes(id))
  const existing = [updated, restored, kept, ...result.ids]
  expect(written).toEqual(existing.map((id) => ({ id, ...(id === kept ? grace : ada) })))
})

test.each<[string, (id: string) => Partial<Batch>]>([
  ['changed', (id) => ({ update: [{ seen: { id, ...grace }, fields: ada }] })],
  ['deleted', (id) => ({ remove: [{ id, ...grace }] })],
  ['restored', (id) => ({ restore: [{ id, ...ada }] })],
])(
  'a list that was requested before an own batch shows a record as others have %s it, if the batch had to do nothing',
  async (kind, batchOf) => {
    const { mine, theirs, received, stop } = await connectTwoClients()
    const id = await mine.documents.add(kind === 'restored' ? ada : grace, newIdempotencyKey())
    if (kind === 'restored') await mine.documents.remove(id)
    const release = mine.holdList()
    const list = mine.documents.list()
    await release.held
    if (kind === 'changed') await theirs.documents.update(id, ada)
    else if (kind === 'deleted') await theirs.documents.remove(id)
    else await theirs.documents.restore({ id, ...ada })
    const last = await theirs.documents.add(alan, newIdempotencyKey())
    await expect.poll(() => received.changes.at(-1)).toMatchObject({ type: 'saved', document: { id: last } })
    const batch = { add: [], update: [], remove: [], ...batchOf(id) }
    expect(await mine.documents.writeBatch(batch, newIdempotencyKey())).toMatchObject({ kept: [] })
    release()
    expect((await list).find((employee) => employee.id === id)).toEqual(
      kind === 'deleted' ? undefined : { id, ...ada },
    )
    stop()
  },
)

test.each(['add', 'batch'])('a repeated %s of a record removed since reports a stale list', async (kind) => {
  const { mine, theirs, received, stop } = await connectTwoClients()
  const write = async () =>
    kind === 'add'
      ? [await mine.documents.add(ada, 'long-ago')]
      : (await mine.documents.writeBatch({ add: [ada, grace], update: [], remove: [] }, 'long-ago-too')).ids
  const ids = await write()
  const [id = ''] = ids
  await theirs.documents.remove(id)
  await expect.poll(() => received.changes.at(-1)).toEqual({ type: 'removed', id })
  expect(received.stale).toBe(0)
  expect(await write()).toEqual(ids)
  await expect.poll(() => received.stale).toBe(1)
  expect((await mine.documents.list()).map((employee) => employee.id)).not.toContain(id)
  stop()
})

test('a repeated add that the service has executed before another one reports a stale list: their order differs', async () => {
  const credentials = newCredentials()
  const mine = await connectSignedIn(backend, credentials)
  const twin = await backend.connect()
  await twin.identity.signIn(credentials.email, credentials.password)
  await mine.documents.list()
  const release = mine.holdResponses((url) => url.includes('/changes'))
  let stale = 0
  const stop = mine.documents.subscribe(listenerWith({ onStale: () => void stale++ }))
  // Its response was lost, and the other one was sent before it was repeated.
  const first = await twin.documents.add(ada, 'lost')
  await mine.documents.add(grace, 'next')
  expect(stale).toBe(0)
  expect(await mine.documents.add(ada, 'lost')).toBe(first)
  await expect.poll(() => stale).toBe(1)
  release()
  stop()
})

test('a repeated add reports a stale list if the removal arrives before the response', async () => {
  const mine = await connectFirstClient()
  const theirs = await connectSignedIn(backend)
  await mine.documents.list()
  const id = await mine.documents.add(ada, 'k')
  await theirs.documents.remove(id)
  const release = mine.holdResponses((_url, { method }) => method === 'POST')
  const repeated = mine.documents.add(ada, 'k')
  const received: unknown[] = []
  const stop = mine.documents.subscribe(
    listenerWith({
      onChanges: (changes) => void received.push(...changes),
      onStale: () => void received.push('stale'),
    }),
  )
  await expect.poll(() => received).toEqual([{ type: 'removed', id }])
  release()
  expect(await repeated).toBe(id)
  await expect.poll(() => received).toContain('stale')
  stop()
})

/** A client whose stream is late, and what it hears; another one of its account; and a colleague. */
async function connectWithLateStream() {
  const credentials = newCredentials()
  const mine = await connectSignedIn(backend, credentials)
  const twin = await backend.connect()
  await twin.identity.signIn(credentials.email, credentials.password)
  const theirs = await connectSignedIn(backend)
  await mine.documents.list()
  const release = mine.holdResponses((url) => url.includes('/changes'))
  const received = { changes: [] as Change[], stale: 0 }
  const stop = mine.documents.subscribe(
    listenerWith({
      onChanges: (changes) => void received.changes.push(...changes),
      onStale: () => void received.stale++,
    }),
  )
  return { mine, twin, theirs, release, received, stop }
}

test('a repeated add of a record that a colleague has restored reports a stale list: it stands before later ones', async () => {
  const { mine, twin, theirs, release, received, stop } = await connectWithLateStream()
  const id = await twin.documents.add(ada, 'lost')
  await mine.documents.add(grace, 'next')
  await theirs.documents.remove(id)
  await theirs.documents.restore({ id, ...ada })
  expect(received.stale).toBe(0)
  expect(await mine.documents.add(ada, 'lost')).toBe(id)
  await expect.poll(() => received.stale).toBe(1)
  release()
  stop()
})

test('a repeated add reports a stale list before the response to a restore of its record arrives', async () => {
  const { mine, release, received, stop } = await connectWithLateStream()
  const id = await mine.documents.add(ada, 'repeated')
  await mine.documents.add(grace, 'other')
  await mine.documents.remove(id)
  const releaseRestore = mine.holdResponses((_url, { method }) => method === 'PUT')
  const restored = mine.documents.restore({ id, ...ada })
  await releaseRestore.held
  expect(await mine.documents.add(ada, 'repeated')).toBe(id)
  await expect.poll(() => received.stale).toBe(1)
  releaseRestore()
  await restored
  release()
  stop()
})

test('a change of a record behind one that was removed since reports a stale list: its place is unknown', async () => {
  const { mine, theirs, release, received, stop } = await connectWithLateStream()
  await release.held
  const first = await mine.documents.add(ada, 'before-it')
  const id = await theirs.documents.add(grace, 'behind')
  await mine.documents.remove(first)
  expect(received).toEqual({ changes: [], stale: 0 })
  release()
  await expect.poll(() => received.stale).toBe(1)
  expect(received.changes).toContainEqual({ type: 'saved', document: { id, ...grace }, after: first })
  stop()
})

/** Three records; the response to `write`, which is about the last one, arrives after what `since` does. */
async function answerLate(
  write: (documents: DocumentStore, id: string) => Promise<unknown>,
  since: (documents: DocumentStore, ids: [string, string, string]) => Promise<unknown>,
) {
  const { mine, theirs, received, stop } = await connectTwoClients()
  const batch = { add: [ada, grace, alan], update: [], remove: [] }
  const [first = '', second = '', id = ''] = (await mine.documents.writeBatch(batch, 'three')).ids
  const release = mine.holdResponses((url) => url.endsWith(id))
  const written = write(mine.documents, id)
  await release.held
  await since(theirs.documents, [first, second, id])
  await expect.poll(() => received.changes.at(-1)).toEqual({ type: 'removed', id: first })
  expect(received.stale).toBe(0)
  received.changes = []
  release()
  await written
  await expect.poll(() => received.changes).not.toEqual([])
  return { id, received, stop }
}

test('a late response moves no other record, and not its own', async () => {
  const { id, received, stop } = await answerLate(
    (documents, id) => documents.update(id, ada),
    async (documents, [first, second, id]) => {
      await documents.update(id, grace)
      // They stand behind one that is not there any more.
      await documents.remove(second)
      await documents.restore({ id: second, ...grace })
      await documents.remove(first)
    },
  )
  expect(received.changes).toEqual([{ type: 'saved', document: { id, ...grace }, after: anyPlace }])
  expect(received.stale).toBe(0)
  stop()
})

test('a late response to the removal of a record that a colleague has restored since reports a stale list', async () => {
  const { id, received, stop } = await answerLate(
    (documents, id) => documents.remove(id),
    async (documents, [first, , id]) => {
      await documents.restore({ id, ...alan })
      await documents.remove(first)
    },
  )
  expect(received.changes).toEqual([{ type: 'saved', document: { id, ...alan }, after: anyPlace }])
  await expect.poll(() => received.stale).toBe(1)
  stop()
})

test('after a repeated batch, a change that a colleague has made since arrives', async () => {
  const { mine, twin, theirs, release, received, stop } = await connectWithLateStream()
  const batch = { add: [ada], update: [], remove: [] }
  const { ids } = await twin.documents.writeBatch(batch, 'lost')
  const [id = ''] = ids
  await theirs.documents.update(id, grace)
  await theirs.documents.add(alan, 'other')
  expect(await mine.documents.writeBatch(batch, 'lost')).toMatchObject({ ids })
  await expect.poll(() => received.stale).toBe(1)
  release()
  await expect
    .poll(() => received.changes)
    .toContainEqual(expect.objectContaining({ document: { id, ...grace } }))
  stop()
})
