import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSignedIn, newCredentials, recordChanges } from '../../../tests/support/backend-client.ts'
import { ada, grace, renamed } from '../../../tests/support/people.ts'
import {
  type SelfHostedTestBackend,
  startSelfHostedBackend,
} from '../../../tests/support/self-hosted-backend.ts'
import { addEmployee } from '../../records/sync/book-slice.ts'
import { syncEmployees } from '../../records/sync/sync-employees.ts'
import { makeStore } from '../../store.ts'

// Responses and change events use separate connections. These tests delay one so that the other overtakes it.

let backend: SelfHostedTestBackend
beforeAll(async () => {
  backend = await startSelfHostedBackend()
})
afterAll(() => backend.stop())

async function connectFirstClient() {
  const mine = await backend.connect()
  const person = newCredentials()
  await mine.identity.createAccount(person.email, person.password)
  await mine.identity.signIn(person.email, person.password)
  return mine
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
  const release = mine.holdResponses((url, { method }) => method === 'GET' && url.endsWith('/books'))
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
  const release = mine.holdResponses((url, { method }) => method === 'GET' && url.endsWith('/books'))
  const list = mine.documents.list()
  await release.held
  await mine.documents.update(updated, ada)
  await mine.documents.remove(removed)
  const added = await mine.documents.add(ada, 'own')
  release()
  const written = (await list).filter(({ id }) => [...ids, added].includes(id))
  expect(written).toEqual([updated, added].map((id) => ({ id, ...ada })))
})

test('live: another client\u2019s later change that overtook our response takes precedence', async () => {
  const { mine, theirs, received, stop } = await connectTwoClients()
  const id = await theirs.documents.add(ada, 'k')
  const release = mine.holdResponses((_url, { method }) => method === 'PATCH')
  const ours = mine.documents.update(id, renamed('ours'))
  await expect.poll(() => received.changes.at(-1)).toMatchObject({ document: renamed('ours') })
  await theirs.documents.update(id, renamed('theirs'))
  await expect.poll(() => received.changes.at(-1)).toMatchObject({ document: renamed('theirs') })
  const countBefore = received.changes.length
  release()
  await ours
  expect(received.changes).toHaveLength(countBefore)
  await expect.poll(() => received.changes).toHaveLength(countBefore + 1)
  expect(received.changes.at(-1)).toMatchObject({ document: { id, ...renamed('theirs') } })
  stop()
})

test('live: a record removed by another client before the response to our add does not stay on the page', async () => {
  const { mine, theirs, stop } = await connectTwoClients()
  stop()
  const store = makeStore(mine.documents)
  const book = () => store.getState().book
  const stopSync = syncEmployees({
    dispatch: store.dispatch,
    documents: mine.documents,
    onStatusChange: () => {},
  })
  const release = mine.holdResponses((url, { method }) => method === 'POST' && url.endsWith('/books'))
  const added = store.dispatch(addEmployee({ fields: ada, key: 'deleted-at-once' })).unwrap()
  const last = () => book().at(-1)
  await expect.poll(last).toMatchObject(ada)
  const id = String(last()?.id)
  await theirs.documents.remove(id)
  await expect.poll(book).not.toContainEqual({ id, ...ada })
  release()
  expect(await added).toEqual({ id, ...ada })
  await expect.poll(book).not.toContainEqual({ id, ...ada })
  stopSync()
})

test('a repeated add of a record removed since reports a stale list', async () => {
  const { mine, theirs, received, stop } = await connectTwoClients()
  const id = await mine.documents.add(ada, 'long-ago')
  await theirs.documents.remove(id)
  await expect.poll(() => received.changes.at(-1)).toEqual({ type: 'removed', id })
  expect(received.stale).toBe(0)
  expect(await mine.documents.add(ada, 'long-ago')).toBe(id)
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
  const stop = mine.documents.subscribe({
    onChanges: (changes) => void received.push(...changes),
    onStale: () => void received.push('stale'),
    onConnectionChange: () => {},
    onSessionEnded: () => {},
  })
  await expect.poll(() => received).toEqual([{ type: 'removed', id }])
  release()
  expect(await repeated).toBe(id)
  await expect.poll(() => received).toContain('stale')
  stop()
})

test('a repeated batch reports a stale list if one of its records has been removed since', async () => {
  const { mine, theirs, received, stop } = await connectTwoClients()
  const batch = { add: [ada, grace], update: [], remove: [] }
  const { ids } = await mine.documents.writeBatch(batch, 'long-ago-too')
  const [id = ''] = ids
  await theirs.documents.remove(id)
  await expect.poll(() => received.changes.at(-1)).toEqual({ type: 'removed', id })
  expect(received.stale).toBe(0)
  expect(await mine.documents.writeBatch(batch, 'long-ago-too')).toMatchObject({ ids })
  await expect.poll(() => received.stale).toBe(1)
  stop()
})
