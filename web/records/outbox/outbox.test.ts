import 'fake-indexeddb/auto'
import { describe, expect, test, vi } from 'vitest'
import { type Employee, pickFields } from '../../../contract/employees.ts'
import { ServiceError } from '../../backends/ports.ts'
import type { Store } from '../../store.ts'
import { draftFromEmployee, emptyDraft } from './draft.ts'
import { openEncryptedStore } from './encrypted-store.ts'
import { type Operation, operationFromDraft } from './operation.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'
import type { Tab } from './tab-lock.ts'
import { loadOutbox } from './use-outbox.ts'

const fields = { eName: 'Lost Soul', email: 'lost@example.com', password: 'never readable' }
const ada: Employee = { id: 'a', eName: 'Ada', email: 'ada@example.com', password: 'engine' }
const add: Operation = { kind: 'add', fields, key: 'k' }
const update: Operation = { kind: 'update', employee: { ...ada, eName: 'Ada King' }, before: ada }

const offline = new ServiceError('offline', 'The server can’t be reached.')
const notFound = new ServiceError('not-found', 'There is no such record.')
const inUse = new ServiceError('id-in-use', 'This record is in the register already.')

let users = 0
const onlyTab: Tab = { id: 'tab', getOtherTabIds: async () => new Set() }

/** A desk of its own: a user, a vault, and a service whose answers the test gives. */
function createTestOutbox(book: Employee[] = [ada]) {
  users += 1
  const uid = `user-${users}`
  const send = vi.fn<OutboxOptions['send']>(async () => undefined)
  const open = async (tab = onlyTab) =>
    new Outbox({
      encryptedStore: await openEncryptedStore(uid, tab),
      send: (operation, options) => (options ? send(operation, options) : send(operation)),
      getBook: () => book,
    })
  return { uid, send, open, book }
}

const states = (outbox: Outbox) => outbox.entries().map(({ state }) => state)

describe('what is done', () => {
  test('an operation that is carried out leaves nothing behind, here or after a reload', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    await outbox.submit(add)
    expect(desk.send).toHaveBeenCalledExactlyOnceWith(add)
    expect(outbox.entries()).toEqual([])
    const afterReload = await desk.open()
    await afterReload.load()
    expect(afterReload.entries()).toEqual([])
  })

  test('it is told when it is done, not when it waits, and also when it was sent again by itself', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    const done = vi.fn()
    outbox.onComplete(done)
    desk.send.mockRejectedValueOnce(offline)
    await outbox.submit(add)
    expect(done).not.toHaveBeenCalled()
    await outbox.resendWaiting()
    expect(done).toHaveBeenCalledExactlyOnceWith(add)
  })

  test('it is in the vault before it is sent', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    desk.send.mockImplementation(async () => {
      const meanwhile = await desk.open()
      await meanwhile.load()
      expect(meanwhile.entries()).toMatchObject([
        { state: 'refused', operation: add, refusal: { code: 'offline' } },
      ])
    })
    await outbox.submit(add)
    expect(desk.send).toHaveBeenCalledOnce()
    expect(outbox.entries()).toEqual([])
  })

  test('work on one record is sent in order; work on another does not wait for it', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    const sent: string[] = []
    let letGo = () => {}
    desk.send.mockImplementation(async (operation) => {
      const name = 'employee' in operation ? operation.employee.eName : operation.kind
      sent.push(name)
      if (name === 'first') await new Promise<void>((resolve) => (letGo = resolve))
      return undefined
    })
    const updateTo = (eName: string, id = 'a'): Operation =>
      ({ ...update, employee: { ...ada, id, eName } }) as Operation
    const first = outbox.submit(updateTo('first'))
    const second = outbox.submit(updateTo('second'))
    await outbox.submit(updateTo('other', 'b'))
    expect(sent).toEqual(['first', 'other'])
    letGo()
    await Promise.all([first, second])
    expect(sent).toEqual(['first', 'other', 'second'])
  })
})

describe('what fails', () => {
  test('it waits with the reason, also after a reload, and a retry sends the same key', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(offline)
    const outbox = await desk.open()
    await outbox.submit(add)
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: add, refusal: { message: offline.message } },
    ])

    const afterReload = await desk.open()
    await afterReload.load()
    const [entry] = afterReload.entries()
    await afterReload.retry(entry?.id ?? '')
    expect(desk.send).toHaveBeenLastCalledWith(add)
    expect(afterReload.entries()).toEqual([])
  })

  test('an add that may have got through keeps its key when it is edited', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(offline)
    const outbox = await desk.open()
    await outbox.submit(add)
    const draft = outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)
    expect(draft).toEqual({ fields, editing: null, sentAs: 'k' })
    expect(operationFromDraft(draft ?? emptyDraft)).toEqual({ ...add, mayExist: true })
    expect(outbox.entries()).toEqual([])
  })

  test('an add that was refused gets a new key when it is edited', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(new ServiceError('invalid-request', 'The email is not well formed.'))
    const outbox = await desk.open()
    await outbox.submit(add)
    const draft = outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)
    expect(draft).toEqual({ fields, editing: null })
    expect(operationFromDraft(draft ?? emptyDraft)).toMatchObject({
      kind: 'add',
      fields,
      key: expect.not.stringMatching(/^k$/),
    })
  })

  test('the retry of an update whose record was deleted puts the record back with what was typed', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(notFound)
    const outbox = await desk.open()
    await outbox.submit(update)
    await outbox.retry(outbox.entries()[0]?.id ?? '')
    expect(desk.send).toHaveBeenLastCalledWith({ kind: 'restore', employee: update.employee, before: ada })
    expect(outbox.entries()).toEqual([])
  })

  test('the retry of an update asks first where a colleague has changed the record since', async () => {
    const desk = createTestOutbox([{ ...ada, eName: 'Ada of others' }])
    desk.send.mockRejectedValueOnce(new ServiceError('storage-full', 'The disk is full.'))
    const outbox = await desk.open()
    await outbox.submit(update)
    const id = outbox.entries()[0]?.id ?? ''
    await outbox.retry(id)
    expect(desk.send).toHaveBeenCalledOnce()
    expect(outbox.entries()).toMatchObject([{ refusal: { code: 'changed-meanwhile' } }])
    await outbox.retry(id)
    expect(desk.send).toHaveBeenCalledTimes(2)
    expect(outbox.entries()).toEqual([])
  })

  test('what is put back over what somebody else put back asks first, and keeps what was typed', async () => {
    const desk = createTestOutbox([])
    desk.send.mockRejectedValueOnce(notFound).mockRejectedValueOnce(inUse)
    const outbox = await desk.open()
    await outbox.submit(update)
    const id = outbox.entries()[0]?.id ?? ''
    await outbox.retry(id)
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: update, refusal: { code: 'changed-meanwhile' } },
    ])
    await outbox.retry(id)
    expect(desk.send).toHaveBeenLastCalledWith(update)
    expect(outbox.entries()).toEqual([])
  })

  test('what can be put back nowhere becomes an add, so that it can be saved', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(notFound).mockRejectedValueOnce(notFound)
    const outbox = await desk.open()
    await outbox.submit(update)
    const id = outbox.entries()[0]?.id ?? ''
    await outbox.retry(id)
    const { id: _, ...changed } = { ...ada, eName: 'Ada King' }
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: { kind: 'add', fields: changed } },
    ])
    await outbox.retry(id)
    expect(outbox.entries()).toEqual([])
  })

  test('what is taken into the form is kept as the form before it is forgotten as an entry', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(offline)
    const outbox = await desk.open()
    await outbox.submit(add)
    const displaced = { fields: { ...fields, eName: 'Half typed' }, editing: null }
    const draft = outbox.takeForEditing(outbox.entries()[0]?.id ?? '', displaced)
    // The vault does what is asked in order, so this is kept when all before it is.
    await outbox.saveForm(draft ?? emptyDraft)
    const afterCrash = await desk.open()
    expect(await afterCrash.load()).toEqual(draft)
    expect(afterCrash.entries()).toMatchObject([{ state: 'draft', draft: displaced }])
  })

  test('logging out can wait for what is on its way', async () => {
    const desk = createTestOutbox()
    let letGo = () => {}
    desk.send.mockImplementation(
      () =>
        new Promise((resolve) => {
          letGo = () => resolve(undefined)
        }),
    )
    const outbox = await desk.open()
    void outbox.submit(add)
    await expect.poll(() => desk.send).toHaveBeenCalledOnce()
    const settled = vi.fn()
    const waiting = outbox.waitUntilIdle(60_000).then(settled)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(settled).not.toHaveBeenCalled()
    letGo()
    await waiting
    expect(outbox.entries()).toEqual([])
    await outbox.waitUntilIdle(0)
  })

  test('discard forgets it, here and after a reload', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(offline)
    const outbox = await desk.open()
    await outbox.submit(add)
    await outbox.discard(outbox.entries()[0]?.id ?? '')
    const afterReload = await desk.open()
    await afterReload.load()
    expect([...outbox.entries(), ...afterReload.entries()]).toEqual([])
  })
})

describe('when the line is back', () => {
  test('what waited only for the line is sent by itself, in order; what was refused is not', async () => {
    const desk = createTestOutbox()
    desk.send
      .mockRejectedValueOnce(offline)
      .mockRejectedValueOnce(new ServiceError('invalid-request', 'No.'))
      .mockRejectedValueOnce(offline)
    const outbox = await desk.open()
    const second = { ...add, key: 'k2' }
    for (const operation of [add, { ...add, key: 'refused' }, second]) await outbox.submit(operation)
    desk.send.mockClear()
    await outbox.resendWaiting()
    await expect.poll(() => states(outbox)).toEqual(['refused'])
    expect(desk.send.mock.calls).toEqual([[add], [second]])
  })

  test.each([
    [
      'a colleague’s change in between is not overwritten without asking',
      { ...ada, eName: 'Ada of others' },
      0,
      'changed-meanwhile',
    ],
    ['an update that had got through is not sent again', update.employee, 0, undefined],
    ['an update to a record as it was is sent', ada, 1, undefined],
  ])('%s', async (_name, present, timesSent, code) => {
    const desk = createTestOutbox([present])
    desk.send.mockRejectedValueOnce(offline)
    const outbox = await desk.open()
    await outbox.submit(update)
    desk.send.mockClear()
    await outbox.resendWaiting()
    await expect.poll(() => desk.send).toHaveBeenCalledTimes(timesSent)
    const codes = outbox
      .entries()
      .map((entry) => (entry.state === 'refused' ? entry.refusal.code : entry.state))
    await expect.poll(() => outbox.entries()).toHaveLength(code ? 1 : 0)
    if (code) expect(codes).toEqual([code])
  })

  test('an add that may be sent again at any moment keeps its key when it is edited', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(new ServiceError('not-signed-in', 'Please sign in.'))
    const outbox = await desk.open()
    await outbox.submit(add)
    expect(outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)).toMatchObject({ sentAs: 'k' })
  })

  test('a delete that had got through is not sent again, and can be undone', async () => {
    const desk = createTestOutbox([])
    desk.send.mockRejectedValueOnce(offline)
    const outbox = await desk.open()
    await outbox.submit({ kind: 'remove', employee: ada })
    await outbox.resendWaiting()
    expect(desk.send).toHaveBeenCalledOnce()
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: ada }])
  })
})

describe('undo', () => {
  test('a delete leaves its undo, also after a reload, and undo restores the record', async () => {
    const desk = createTestOutbox()
    await (await desk.open()).submit({ kind: 'remove', employee: ada })
    const outbox = await desk.open()
    await outbox.load()
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: ada }])
    await outbox.undo(outbox.entries()[0]?.id ?? '')
    expect(desk.send).toHaveBeenLastCalledWith({ kind: 'restore', employee: ada })
    expect(outbox.entries()).toEqual([])
  })

  test('of a record that is there again is done, whoever has put it back', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    await outbox.submit({ kind: 'remove', employee: ada })
    desk.send.mockRejectedValueOnce(inUse)
    await outbox.undo(outbox.entries()[0]?.id ?? '')
    expect(outbox.entries()).toEqual([])
  })

  test('is no longer offered where the record is in the register again', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    const other = { ...ada, id: 'b' }
    await outbox.submit({ kind: 'remove', employee: ada })
    await outbox.submit({ kind: 'remove', employee: other })
    await outbox.dropRestoredDeletes([{ ...ada, eName: 'Ada King' }])
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: other }])
    const afterReload = await desk.open()
    await afterReload.load()
    expect(afterReload.entries()).toMatchObject([{ state: 'deleted', employee: other }])
  })

  test('the last five deletes can be undone', async () => {
    const outbox = await createTestOutbox().open()
    for (const id of ['1', '2', '3', '4', '5', '6']) {
      await outbox.submit({ kind: 'remove', employee: { ...ada, id } })
    }
    const ids = outbox.entries().map((entry) => (entry.state === 'deleted' ? entry.employee.id : entry.state))
    expect(ids).toEqual(['2', '3', '4', '5', '6'])
  })
})

describe('the form', () => {
  test('what stands in it comes back after a reload', async () => {
    const desk = createTestOutbox()
    const draft = { fields, editing: ada }
    await (await desk.open()).saveForm(draft)
    expect(await (await desk.open()).load()).toEqual(draft)
    expect(await (await desk.open()).load()).toEqual(draft)
  })

  test('an untouched form is not kept', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    await outbox.saveForm({ fields, editing: null })
    await outbox.saveForm(draftFromEmployee(ada))
    await outbox.stashDraft(draftFromEmployee(ada))
    expect(outbox.entries()).toEqual([])
    expect(await (await desk.open()).load()).toBeNull()
  })

  test('what something else displaces is put aside, and can be taken out again', async () => {
    const outbox = await createTestOutbox().open()
    const draft = { fields, editing: ada }
    await outbox.stashDraft(draft)
    expect(states(outbox)).toEqual(['draft'])
    expect(outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)).toEqual(draft)
    expect(outbox.entries()).toEqual([])
  })
})

describe('the vault', () => {
  test('nothing that was typed is readable in the browser’s storage, and the key cannot be taken out', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValue(offline)
    const outbox = await desk.open()
    await outbox.submit(add)
    await outbox.saveForm({ fields, editing: ada })
    const stored = await everythingStored()
    const lock = stored.find((value): value is { key: CryptoKey } => Object.hasOwn(value as object, 'key'))
    expect(lock?.key).toBeInstanceOf(CryptoKey)
    expect(lock?.key.extractable).toBe(false)
    expect(stored.length).toBeGreaterThan(2)
    for (const secret of [fields.password, fields.email, fields.eName, ada.password]) {
      expect(readable(stored)).not.toContain(secret)
    }
  })

  test('logging out wipes everything of this user, and nothing of another', async () => {
    const [leaving, staying] = [createTestOutbox(), createTestOutbox()]
    for (const desk of [leaving, staying]) {
      desk.send.mockRejectedValue(offline)
      await (await desk.open()).submit(add)
    }
    const [outbox, inAnotherTab] = [await leaving.open(), await leaving.open({ ...onlyTab, id: 'another' })]
    await outbox.load()
    await outbox.wipe()
    expect(outbox.entries()).toEqual([])
    for (const late of [outbox, inAnotherTab]) await late.saveForm({ fields, editing: null })
    expect((await namesStored()).filter((name) => name.startsWith(`${leaving.uid}/`))).toEqual([])
    const [afterwards, theirs] = [await leaving.open(), await staying.open()]
    await afterwards.load()
    await theirs.load()
    expect(afterwards.entries()).toEqual([])
    expect(theirs.entries()).toHaveLength(1)
  })

  test('what an open tab works on is left to it; what a closed tab left is taken over', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValue(offline)
    await (await desk.open({ ...onlyTab, id: 'first' })).submit(add)
    const beside = await desk.open({ id: 'second', getOtherTabIds: async () => new Set(['first']) })
    await beside.load()
    expect(beside.entries()).toEqual([])
    const after = await desk.open({ id: 'second', getOtherTabIds: async () => new Set() })
    await after.load()
    expect(after.entries()).toHaveLength(1)
  })

  test('a database that is full stops nothing: what is done is sent, and leaving the page will ask', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await outbox.submit(add)
    expect(desk.send).toHaveBeenCalledOnce()
    expect(outbox.isDurable).toBe(false)
  })

  test('a database that can’t be read leaves a page to work on; what it holds is there the next time', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(offline)
    await (await desk.open()).submit(add)
    const broken = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
      throw new DOMException('unreadable', 'UnknownError')
    })
    const store = { dispatch: vi.fn(() => ({ unwrap: async () => ({}) })) } as unknown as Store
    const { outbox, initialDraft, isFullyLoaded } = await loadOutbox(
      desk.uid,
      store,
      Promise.resolve(onlyTab),
    )
    expect({ typedBefore: initialDraft, isWhole: isFullyLoaded, lasting: outbox.isDurable }).toEqual({
      typedBefore: emptyDraft,
      isWhole: false,
      lasting: false,
    })
    await outbox.submit(add)
    expect(store.dispatch).toHaveBeenCalledOnce()
    broken.mockRestore()
    const nextTime = await loadOutbox(desk.uid, store, Promise.resolve(onlyTab))
    expect(nextTime.isFullyLoaded).toBe(true)
    expect(nextTime.outbox.entries()).toMatchObject([{ state: 'refused', operation: add }])
  })

  test('a tab that can’t be claimed leaves a page to work on', async () => {
    const { outbox } = await loadOutbox(
      createTestOutbox().uid,
      {} as Store,
      Promise.reject(new Error('no tab')),
    )
    expect(outbox.isDurable).toBe(false)
  })

  test('where the browser has no WebCrypto, nothing is kept', async () => {
    const { crypto } = globalThis
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    const desk = createTestOutbox()
    desk.send.mockRejectedValue(offline)
    const outbox = await desk.open()
    await outbox.submit(add)
    vi.unstubAllGlobals()
    expect(outbox.isDurable).toBe(false)
    expect(outbox.entries()).toHaveLength(1)
    expect((await namesStored()).filter((name) => name.startsWith(`${desk.uid}/`))).toEqual([])
  })
})

describe('an import', () => {
  const batch = {
    add: [fields],
    update: [{ seen: ada, fields: { ...fields, eName: 'Ada King' } }],
    remove: [],
  }
  const result = { ids: ['new'], kept: [] }

  test('is told its progress, and leaves an entry from which it can be undone, also after a reload', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    const options = { onProgress: () => {} }
    desk.send.mockResolvedValueOnce(result)
    expect(await outbox.importBatch(batch, options)).toMatchObject({ state: 'imported', batch, result })
    expect(desk.send).toHaveBeenLastCalledWith(expect.objectContaining({ kind: 'import', batch }), options)
    const afterReload = await desk.open()
    await afterReload.load()
    expect(states(afterReload)).toEqual(['imported'])
    desk.send.mockResolvedValueOnce({ ids: [], kept: [] })
    await afterReload.undo(afterReload.entries()[0]?.id ?? '')
    expect(desk.send).toHaveBeenLastCalledWith({
      kind: 'undo-import',
      key: expect.any(String),
      batch: {
        add: [],
        update: [{ seen: { ...fields, id: 'a', eName: 'Ada King' }, fields: pickFields(ada) }],
        remove: [{ id: 'new', ...fields }],
      },
    })
    expect(afterReload.entries()).toEqual([])
  })

  test('says what its undo has left alone', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    desk.send.mockResolvedValueOnce(result).mockResolvedValueOnce({ ids: [], kept: ['a'] })
    const entry = await outbox.importBatch(batch, {})
    await outbox.undo(entry?.id ?? '')
    expect(outbox.entries()).toMatchObject([{ state: 'undone', kept: 1 }])
  })

  test('that was cancelled leaves nothing behind', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    desk.send.mockRejectedValueOnce(new ServiceError('cancelled', 'Cancelled.'))
    expect(await outbox.importBatch(batch, {})).toBeUndefined()
    expect(outbox.entries()).toEqual([])
  })

  test('that was refused is sent again under the same key', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    desk.send.mockRejectedValueOnce(offline).mockResolvedValueOnce(result)
    const refused = await outbox.importBatch(batch, {})
    expect(refused).toMatchObject({ state: 'refused', refusal: { code: 'offline' } })
    expect(await outbox.retry(refused?.id ?? '', {})).toMatchObject({ state: 'imported' })
    const keys = desk.send.mock.calls.map(([operation]) => 'key' in operation && operation.key)
    expect(new Set(keys).size).toBe(1)
  })

  test('that was cut off is never sent behind a person\u2019s back; its undo is', async () => {
    const desk = createTestOutbox()
    desk.send.mockRejectedValueOnce(offline)
    await (await desk.open()).importBatch(batch, {})
    const afterReload = await desk.open()
    await afterReload.load()
    await afterReload.resendWaiting()
    expect(desk.send).toHaveBeenCalledOnce()
    expect(afterReload.entries()).toMatchObject([{ state: 'refused', refusal: { code: 'unfinished' } }])
    expect(afterReload.takeForEditing(afterReload.entries()[0]?.id ?? '', emptyDraft)).toBeNull()

    desk.send.mockResolvedValueOnce(result).mockRejectedValueOnce(offline)
    const id = afterReload.entries()[0]?.id ?? ''
    await afterReload.retry(id)
    await afterReload.undo(id)
    expect(states(afterReload)).toEqual(['refused'])
    desk.send.mockResolvedValueOnce({ ids: [], kept: [] })
    await afterReload.resendWaiting()
    await expect.poll(() => afterReload.entries()).toEqual([])
  })

  test('the undo of the last three is remembered, not of all', async () => {
    const desk = createTestOutbox()
    const outbox = await desk.open()
    desk.send.mockResolvedValue(result)
    for (let count = 0; count < 4; count++) await outbox.importBatch(batch, {})
    expect(states(outbox)).toEqual(['imported', 'imported', 'imported'])
  })
})

function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('staffbook')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function readStore<T>(read: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const request = read((await database()).transaction('vault').objectStore('vault'))
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result as T)
  })
}

const everythingStored = () => readStore<unknown[]>((store) => store.getAll())
const namesStored = () => readStore<string[]>((store) => store.getAllKeys())

/** Everything as text, bytes as the characters they would be. */
function readable(values: unknown[]): string {
  const decoder = new TextDecoder('latin1')
  return JSON.stringify(values, (_, value) =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? decoder.decode(value as ArrayBuffer) : value,
  )
}
