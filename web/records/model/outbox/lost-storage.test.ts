// The database is closed, deleted, replaced, refused or blocked while the outbox uses it.
import 'fake-indexeddb/auto'
import { promisifyRequest } from 'idb-keyval'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { named } from '../../../../tests/support/people.ts'
import { ServiceError } from '../../../backends/ports.ts'
import type { Outcome } from '../book/book-slice.ts'
import type { Operation } from '../book/operation.ts'
import { openEncryptedStore } from './encrypted-store.ts'
import { Outbox } from './outbox.ts'
import type { Tab } from './tab-lock.ts'

const fields = named('Lost Soul', { password: 'never readable' })
const add: Operation = { kind: 'add', fields, key: 'k' }
const draft = { fields: named('Half Typed'), editing: null }
const tab: Tab = { id: 'tab', getOtherTabIds: async () => new Set() }

let isSignedIn: boolean
/** The answer to all operations; undefined without a connection. */
let outcome: Outcome | undefined
/** The outboxes of all pages that are open. */
const opened = new Set<Outbox>()

beforeEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  isSignedIn = true
  outcome = undefined
  closePages()
  // Without the connections of other files.
  vi.stubGlobal('indexedDB', new IDBFactory())
})

afterAll(() => void vi.unstubAllGlobals())

function closePages() {
  for (const outbox of opened) outbox.end()
  opened.clear()
}

/** Opens the page. */
async function open() {
  const outbox = new Outbox({
    encryptedStore: await openEncryptedStore('me', tab, () => isSignedIn),
    send: async () => {
      if (outcome) return outcome
      throw new ServiceError('offline', 'The server can’t be reached.')
    },
    getBook: () => [{ id: 'a', ...fields }],
  })
  opened.add(outbox)
  await outbox.load()
  return outbox
}

/** An outbox with an unsaved record and a half-typed form, both stored. */
async function openUnsaved() {
  const outbox = await open()
  await outbox.submit(add)
  await outbox.saveForm(draft)
  return outbox
}

/** The number of rows of this user. */
async function readStored() {
  const database = await promisifyRequest(indexedDB.open('staffbook'))
  const isStored = database.objectStoreNames.contains('vault')
  const rows = isStored ? database.transaction('vault').objectStore('vault').getAllKeys() : undefined
  const names = rows ? ((await promisifyRequest(rows)) as string[]) : []
  database.close()
  return names.filter((name) => name.startsWith('me/row/')).length
}

const deleteDatabase = () =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase('staffbook')
    request.onsuccess = () => resolve()
    request.onblocked = () => reject(new Error('The page blocks the deletion.'))
  })

/** Makes this method of the database fail. Returns a function that repairs it. */
function refuse(name = 'QuotaExceededError', method: 'put' | 'get' | 'delete' = 'put') {
  const broken = vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
    throw new DOMException('refused', name)
  })
  return () => broken.mockRestore()
}

const isDurable = (outbox: Outbox, expected = true) => expect.poll(() => outbox.isDurable).toBe(expected)

async function expectReloaded() {
  closePages()
  const reloaded = await open()
  expect(reloaded.entries()).toMatchObject([{ state: 'refused', operation: add }])
  expect(reloaded.form()).toEqual(draft)
}

test('what is unsaved is stored again after another page has deleted the database, without a word', async () => {
  const outbox = await openUnsaved()
  const seen: boolean[] = []
  outbox.subscribe(() => seen.push(outbox.isDurable))
  await deleteDatabase()
  await expect.poll(readStored).toBe(2)
  expect(seen).not.toContain(false)
  await expectReloaded()
})

test('a newer version of the database is used as it is', async () => {
  const outbox = await openUnsaved()
  const request = indexedDB.open('staffbook', 9)
  request.onblocked = () => expect.unreachable('the page blocks the upgrade')
  const upgraded = await promisifyRequest(request)
  upgraded.close()
  await outbox.submit({ ...add, key: 'second' })
  await expect.poll(readStored).toBe(3)
  expect(outbox.isDurable).toBe(true)
})

test.each(['QuotaExceededError', 'InvalidStateError', 'UnknownError'])(
  'what was refused with %s is stored once the browser stores again, and until then the page knows',
  async (name) => {
    const outbox = await open()
    const repair = refuse(name)
    await outbox.submit(add)
    await outbox.saveForm(draft)
    expect(outbox.isDurable).toBe(false)
    expect(outbox.hasLostStorage).toBe(true)
    repair()
    await isDurable(outbox)
    await expectReloaded()
  },
)

test('a row that could not be deleted is deleted later', async () => {
  const outbox = await openUnsaved()
  const repair = refuse('UnknownError', 'delete')
  await outbox.discard(outbox.entries()[0]?.id ?? '')
  expect(outbox.isDurable).toBe(false)
  repair()
  await isDurable(outbox)
  expect((await open()).entries()).toEqual([])
})

test('what is typed while the browser refuses is stored as it was last', async () => {
  const outbox = await open()
  const repair = refuse()
  await outbox.saveForm({ ...draft, fields: named('First') })
  await outbox.submit(add)
  await outbox.saveForm(draft)
  repair()
  await isDurable(outbox)
  await expectReloaded()
})

test('a database that can’t be opened at first is opened later, and its rows are loaded', async () => {
  await openUnsaved()
  closePages()
  const broken = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    throw new DOMException('refused', 'UnknownError')
  })
  const outbox = await open()
  expect([outbox.isDurable, outbox.hasLostStorage, outbox.isFullyLoaded]).toEqual([false, false, true])
  broken.mockRestore()
  await isDurable(outbox)
  await expect.poll(() => outbox.form()).toEqual(draft)
  expect(outbox.entries()).toMatchObject([{ state: 'refused', operation: add }])
})

test('what is submitted and typed before the database can be opened is there once', async () => {
  const repair = refuse('UnknownError', 'get')
  const outbox = await open()
  await outbox.submit(add)
  await outbox.saveForm(draft)
  repair()
  await isDurable(outbox)
  await expect.poll(readStored).toBe(2)
  expect(outbox.entries()).toHaveLength(1)
  await expectReloaded()
})

test('a value that is written after a newer one was stored is the newer one', async () => {
  const store = await openEncryptedStore('me', tab, () => isSignedIn)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { subtle } = crypto
  const generateKey = subtle.generateKey.bind(subtle) as (...args: unknown[]) => Promise<CryptoKey>
  const making = vi
    .spyOn(subtle, 'generateKey')
    .mockImplementation((...args: unknown[]) => released.then(() => generateKey(...args)))
  // All that is unsaved has to be stored again, which hangs.
  await deleteDatabase()
  await expect.poll(() => making.mock.calls.length).toBeGreaterThan(0)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const late = store.put('entry', 'older')
  await vi.advanceTimersByTimeAsync(5_000)
  await late
  vi.useRealTimers()
  expect(store.isDurable).toBe(false)
  await store.put('entry', 'newer')
  release()
  // After all writes.
  expect(await store.loadOthers(new Set())).toEqual([{ id: 'entry', value: 'newer' }])
  store.end()
})

test('what follows a change that was saved while the storage hung stays stored', async () => {
  const store = await openEncryptedStore('me', tab, () => isSignedIn)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { subtle } = crypto
  const encrypt = subtle.encrypt.bind(subtle)
  vi.spyOn(subtle, 'encrypt').mockImplementationOnce((...args) => released.then(() => encrypt(...args)))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const hanging = store.put('entry', 'sent')
  await vi.advanceTimersByTimeAsync(5_000)
  await hanging
  vi.useRealTimers()
  const saved = store.put('entry', 'saved', true)
  await store.put('entry', 'undone')
  release()
  await saved
  // After all writes.
  expect(await store.loadOthers(new Set())).toEqual([{ id: 'entry', value: 'undone' }])
  store.end()
})

test('what is saved while the storage is full is not sent again after a reload', async () => {
  const outbox = await open()
  const before = { id: 'a', ...fields }
  const employee = { ...before, ...named('Found Soul') }
  await outbox.submit({ kind: 'update', employee, before })
  expect(await readStored()).toBe(1)
  const repair = refuse()
  outcome = { type: 'updated', document: employee }
  await outbox.resendWaiting()
  expect(outbox.entries()).toMatchObject([{ state: 'updated' }])
  expect(outbox.isDurable).toBe(false)
  closePages()
  repair()
  expect((await open()).entries()).toEqual([])
})

test('after a logout and a sign-in in another tab, what this one is given is stored', async () => {
  const outbox = await open()
  const other = await open()
  await other.wipe()
  await open()
  await outbox.submit(add)
  await outbox.saveForm(draft)
  await isDurable(outbox)
  await expect.poll(readStored).toBe(2)
  await expectReloaded()
})

test.each([
  [
    'the user has signed out elsewhere',
    () => {
      isSignedIn = false
    },
  ],
  ['the user has signed out here', (outbox: Outbox) => outbox.wipe()],
  ['the outbox has ended', (outbox: Outbox) => outbox.end()],
])('nothing is stored again after the database was deleted, if %s', async (_, leave) => {
  const outbox = await openUnsaved()
  await leave(outbox)
  await deleteDatabase()
  await outbox.saveForm({ ...draft, fields: named('Later') })
  expect(await readStored()).toBe(0)
})

test('a browser that does not answer delays sending by seconds once, and the page knows', async () => {
  const outbox = await open()
  const hanging: IDBRequest[] = []
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
    const request = {} as IDBRequest
    hanging.push(request)
    return request
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const submitted = outbox.submit(add)
  await vi.advanceTimersByTimeAsync(5_000)
  await submitted
  expect(outbox.isDurable).toBe(false)
  await outbox.submit({ ...add, key: 'second' })
  expect(outbox.entries()).toHaveLength(2)
  // The accesses of a page wait for one another, also those of the tests in other files.
  for (const request of hanging) request.onsuccess?.(new Event('success'))
})
