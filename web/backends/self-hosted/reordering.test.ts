import { expect, test } from 'vitest'
import { provideBackend } from '../../../tests/contracts/documents-suite.ts'
import { connectSignedIn, listenerWith, recordChanges } from '../../../tests/support/backend-client.ts'
import { ada, grace } from '../../../tests/support/people.ts'
import { startSelfHostedBackend } from '../../../tests/support/self-hosted-backend.ts'

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
