import 'fake-indexeddb/auto'
import { describe, expect, test, vi } from 'vitest'
import { type Employee, pickFields } from '../../../contract/employees.ts'
import { renamed } from '../../../tests/support/people.ts'
import { ServiceError } from '../../backends/ports.ts'
import type { Store } from '../../store.ts'
import { draftFromEmployee, emptyDraft } from './draft.ts'
import { openEncryptedStore } from './encrypted-store.ts'
import { withoutRestored } from './entry.ts'
import { type Operation, operationFromDraft } from './operation.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'
import type { Tab } from './tab-lock.ts'
import { loadOutbox } from './use-outbox.ts'

const fields = { eName: 'Lost Soul', email: 'lost@example.com', password: 'never readable' }
const ada: Employee = { id: 'a', eName: 'Ada', email: 'ada@example.com', password: 'engine' }
const add: Operation = { kind: 'add', fields, key: 'k' }
const update = { kind: 'update', employee: renamed(ada, 'Ada King'), before: ada } satisfies Operation

const offline = new ServiceError('offline', 'The server can’t be reached.')
const signedOut = new ServiceError('not-signed-in', 'Please sign in.')
const busy = new ServiceError('busy', 'The server is busy.')
const conflict = new ServiceError('conflict', 'Someone else changed the same field in the meantime.')
const notFound = new ServiceError('not-found', 'This record no longer exists.')
const inUse = new ServiceError('id-in-use', 'This record is already in the register.')

let userCount = 0
const onlyTab: Tab = { id: 'tab', getOtherTabIds: async () => new Set() }

/** A user with an encrypted store, and a `send` whose results the test sets. `open` opens the outbox as a reload does. */
function createTestOutbox(book: Employee[] = [ada]) {
  userCount += 1
  const uid = `user-${userCount}`
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

describe('a successful operation', () => {
  test('leaves no entry, also after a reload', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    await outbox.submit(add)
    expect(setup.send).toHaveBeenCalledExactlyOnceWith(add)
    expect(outbox.entries()).toEqual([])
    const afterReload = await setup.open()
    await afterReload.load()
    expect(afterReload.entries()).toEqual([])
  })

  test('is reported to onComplete when it succeeds, also after an automatic retry', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    const onComplete = vi.fn()
    outbox.onComplete(onComplete)
    setup.send.mockRejectedValueOnce(offline)
    await outbox.submit(add)
    expect(onComplete).not.toHaveBeenCalled()
    await outbox.resendWaiting()
    expect(onComplete).toHaveBeenCalledExactlyOnceWith(add)
  })

  test('is stored before it is sent', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    setup.send.mockImplementation(async () => {
      const secondOutbox = await setup.open()
      await secondOutbox.load()
      expect(secondOutbox.entries()).toMatchObject([
        { state: 'refused', operation: add, refusal: { code: 'offline' } },
      ])
    })
    await outbox.submit(add)
    expect(setup.send).toHaveBeenCalledOnce()
    expect(outbox.entries()).toEqual([])
  })

  test('operations on one record are sent in order, and do not delay those on other records', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    const sent: string[] = []
    let release = () => {}
    setup.send.mockImplementation(async (operation) => {
      const name = 'employee' in operation ? operation.employee.eName : operation.kind
      sent.push(name)
      if (name === 'first') await new Promise<void>((resolve) => (release = resolve))
      return undefined
    })
    const updateTo = (eName: string, id = 'a'): Operation =>
      ({ ...update, employee: { ...ada, id, eName } }) as Operation
    const first = outbox.submit(updateTo('first'))
    const second = outbox.submit(updateTo('second'))
    await outbox.submit(updateTo('other', 'b'))
    expect(sent).toEqual(['first', 'other'])
    release()
    await Promise.all([first, second])
    expect(sent).toEqual(['first', 'other', 'second'])
  })
})

describe('a failed operation', () => {
  test('stays with the reason, also after a reload, and is retried with the same key', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    await outbox.submit(add)
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: add, refusal: { message: offline.message } },
    ])

    const afterReload = await setup.open()
    await afterReload.load()
    const [entry] = afterReload.entries()
    await afterReload.retry(entry?.id ?? '')
    expect(setup.send).toHaveBeenLastCalledWith(add)
    expect(afterReload.entries()).toEqual([])
  })

  test('an add that may have succeeded keeps its key when it is edited', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    await outbox.submit(add)
    const draft = outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)
    expect(draft).toEqual({ fields, editing: null, sentAs: 'k' })
    expect(operationFromDraft(draft ?? emptyDraft)).toEqual({ ...add, mayExist: true })
    expect(outbox.entries()).toEqual([])
  })

  test('an add that was rejected gets a new key when it is edited', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(new ServiceError('invalid-request', 'The email is not well formed.'))
    const outbox = await setup.open()
    await outbox.submit(add)
    const draft = outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)
    expect(draft).toEqual({ fields, editing: null })
    expect(operationFromDraft(draft ?? emptyDraft)).toMatchObject({
      kind: 'add',
      fields,
      key: expect.not.stringMatching(/^k$/),
    })
  })

  test('the retry of an update restores a deleted record with the new fields', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(notFound)
    const outbox = await setup.open()
    await outbox.submit(update)
    await outbox.retry(outbox.entries()[0]?.id ?? '')
    expect(setup.send).toHaveBeenLastCalledWith({ kind: 'restore', employee: update.employee, before: ada })
    expect(outbox.entries()).toEqual([])
  })

  test('an update in conflict stays, also after a reload, and is edited with what the user had seen', async () => {
    const setup = createTestOutbox([renamed(ada, 'Ada of others')])
    setup.send.mockRejectedValueOnce(conflict)
    await (await setup.open()).submit(update)
    const outbox = await setup.open()
    await outbox.load()
    await outbox.resendWaiting()
    expect(setup.send).toHaveBeenCalledOnce()
    expect(outbox.entries()).toMatchObject([{ operation: update, refusal: { code: 'conflict' } }])
    const draft = outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)
    expect(draft).toEqual({ fields: pickFields(update.employee), editing: ada })
  })

  test('a restore asks first, and retains the typed fields, if somebody else has restored the record', async () => {
    const setup = createTestOutbox([])
    setup.send.mockRejectedValueOnce(notFound).mockRejectedValueOnce(inUse)
    const outbox = await setup.open()
    await outbox.submit(update)
    const id = outbox.entries()[0]?.id ?? ''
    await outbox.retry(id)
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: update, refusal: { code: 'conflict' } },
    ])
    await outbox.retry(id)
    expect(setup.send).toHaveBeenLastCalledWith(update)
    expect(outbox.entries()).toEqual([])
  })

  test('a restore with typed fields that is edited and cancelled becomes a draft', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(notFound).mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    await outbox.submit(update)
    const id = outbox.entries()[0]?.id ?? ''
    await outbox.retry(id)
    const draft = outbox.takeForEditing(id, emptyDraft) ?? emptyDraft
    expect(draft).toEqual({ fields: { ...pickFields(ada), eName: 'Ada King' }, editing: ada })
    await outbox.stashDraft(draft)
    expect(outbox.entries()).toMatchObject([{ state: 'draft', draft }])
  })

  test('a restore becomes an add if the service no longer has the record', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(notFound).mockRejectedValueOnce(notFound)
    const outbox = await setup.open()
    await outbox.submit(update)
    const id = outbox.entries()[0]?.id ?? ''
    await outbox.retry(id)
    const { id: _, ...changed } = renamed(ada, 'Ada King')
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: { kind: 'add', fields: changed } },
    ])
    await outbox.retry(id)
    expect(outbox.entries()).toEqual([])
  })

  test('an entry taken into the form is stored as the form before it is deleted as an entry', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    await outbox.submit(add)
    const displaced = { fields: renamed(fields, 'Half typed'), editing: null }
    const draft = outbox.takeForEditing(outbox.entries()[0]?.id ?? '', displaced)
    // Writes are serial, so this is stored after everything before it.
    await outbox.saveForm(draft ?? emptyDraft)
    const afterCrash = await setup.open()
    expect(await afterCrash.load()).toEqual(draft)
    expect(afterCrash.entries()).toMatchObject([{ state: 'draft', draft: displaced }])
  })

  test('waitUntilIdle waits for operations that are being sent', async () => {
    const setup = createTestOutbox()
    let release = () => {}
    setup.send.mockImplementation(
      () =>
        new Promise((resolve) => {
          release = () => resolve(undefined)
        }),
    )
    const outbox = await setup.open()
    void outbox.submit(add)
    await expect.poll(() => setup.send).toHaveBeenCalledOnce()
    const settled = vi.fn()
    const waiting = outbox.waitUntilIdle(60_000).then(settled)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(settled).not.toHaveBeenCalled()
    release()
    await waiting
    expect(outbox.entries()).toEqual([])
    await outbox.waitUntilIdle(0)
  })

  test('discard removes it, also after a reload', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    await outbox.submit(add)
    await outbox.discard(outbox.entries()[0]?.id ?? '')
    const afterReload = await setup.open()
    await afterReload.load()
    expect([...outbox.entries(), ...afterReload.entries()]).toEqual([])
  })
})

describe('when the connection is restored', () => {
  test('operations that waited for it are sent in order; rejected ones are not', async () => {
    const setup = createTestOutbox()
    setup.send
      .mockRejectedValueOnce(offline)
      .mockRejectedValueOnce(new ServiceError('invalid-request', 'No.'))
      .mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    const second = { ...add, key: 'k2' }
    for (const operation of [add, { ...add, key: 'refused' }, second]) await outbox.submit(operation)
    setup.send.mockClear()
    await outbox.resendWaiting()
    await expect.poll(() => states(outbox)).toEqual(['refused'])
    expect(setup.send.mock.calls).toEqual([[add], [second]])
  })

  test('an update is sent again even if the record has changed, because the service merges it', async () => {
    const setup = createTestOutbox([{ ...ada, password: 'theirs' }])
    setup.send.mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    await outbox.submit(update)
    await outbox.resendWaiting()
    expect(setup.send.mock.calls).toEqual([[update], [update]])
    expect(outbox.entries()).toEqual([])
  })

  test.each([offline, signedOut, busy])('an update does not overtake an earlier one: %s', async (error) => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(error)
    const outbox = await setup.open()
    const later: Operation = { ...update, before: update.employee, employee: renamed(ada, 'Ada Byron') }
    await outbox.submit(update)
    await outbox.submit(later)
    await outbox.submit({ ...add, key: 'other' })
    expect(setup.send.mock.calls).toEqual([[update], [{ ...add, key: 'other' }]])
    expect(outbox.entries()).toMatchObject([{ operation: update }, { operation: later, state: 'refused' }])
    setup.send.mockClear()
    await outbox.resendWaiting()
    expect(setup.send.mock.calls).toEqual([[update], [later]])
    expect(outbox.entries()).toEqual([])
  })

  test('an add that may be sent again at any moment keeps its key when it is edited', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(new ServiceError('not-signed-in', 'Please sign in.'))
    const outbox = await setup.open()
    await outbox.submit(add)
    expect(outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)).toMatchObject({ sentAs: 'k' })
  })

  test('a delete that had succeeded is not sent again, and can be undone', async () => {
    const setup = createTestOutbox([])
    setup.send.mockRejectedValueOnce(offline)
    const outbox = await setup.open()
    await outbox.submit({ kind: 'remove', employee: ada })
    await outbox.resendWaiting()
    expect(setup.send).toHaveBeenCalledOnce()
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: ada }])
  })
})

describe('undo', () => {
  test('a delete can be undone, also after a reload', async () => {
    const setup = createTestOutbox()
    await (await setup.open()).submit({ kind: 'remove', employee: ada })
    const outbox = await setup.open()
    await outbox.load()
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: ada }])
    await outbox.undo(outbox.entries()[0]?.id ?? '')
    expect(setup.send).toHaveBeenLastCalledWith({ kind: 'restore', employee: ada })
    expect(outbox.entries()).toEqual([])
  })

  test('is complete if somebody else has restored the record', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    await outbox.submit({ kind: 'remove', employee: ada })
    setup.send.mockRejectedValueOnce(inUse)
    await outbox.undo(outbox.entries()[0]?.id ?? '')
    expect(outbox.entries()).toEqual([])
  })

  test('that failed is offered again after its record has been edited in the form', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    await outbox.submit({ kind: 'remove', employee: ada })
    setup.send.mockRejectedValueOnce(new ServiceError('storage-full', 'The disk is full.'))
    const id = outbox.entries()[0]?.id ?? ''
    await outbox.undo(id)
    expect(states(outbox)).toEqual(['refused'])
    expect(outbox.takeForEditing(id, emptyDraft)).toEqual(draftFromEmployee(ada))
    await outbox.saveForm(emptyDraft)
    const afterReload = await setup.open()
    await afterReload.load()
    for (const { entries } of [outbox, afterReload]) {
      expect(entries()).toMatchObject([{ state: 'deleted', employee: ada }])
    }
  })

  test('is not offered while the record exists again', async () => {
    const outbox = await createTestOutbox().open()
    const other = { ...ada, id: 'b' }
    await outbox.submit({ kind: 'remove', employee: ada })
    await outbox.submit({ kind: 'remove', employee: other })
    const [deleted, otherDeleted] = outbox.entries()
    expect(withoutRestored(outbox.entries(), [renamed(ada, 'Ada King')])).toEqual([otherDeleted])
    // For example, the list came from a server that did not have the delete yet.
    expect(withoutRestored(outbox.entries(), [])).toEqual([deleted, otherDeleted])
  })

  test('a repeated delete of a record replaces the undo of the earlier one', async () => {
    const outbox = await createTestOutbox().open()
    const changed = renamed(ada, 'Ada King')
    for (const employee of [ada, changed]) await outbox.submit({ kind: 'remove', employee })
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: changed }])
  })

  test('all deletes of this page and of earlier ones can be undone, in any order', async () => {
    const setup = createTestOutbox()
    const employees = Array.from({ length: 60 }, (_, i) => ({ ...ada, id: `${i}` }))
    const outbox = await setup.open()
    for (const employee of employees.slice(0, 30)) await outbox.submit({ kind: 'remove', employee })
    const afterReload = await setup.open()
    await afterReload.load()
    for (const employee of employees.slice(30)) await afterReload.submit({ kind: 'remove', employee })
    expect(afterReload.entries()).toHaveLength(60)
    for (const { id } of afterReload.entries()) await afterReload.undo(id)
    const restored = setup.send.mock.calls.flatMap(([op]) => (op.kind === 'restore' ? [op.employee.id] : []))
    expect(restored.sort()).toEqual(employees.map(({ id }) => id).sort())
    expect(afterReload.entries()).toEqual([])
  })

  test('the oldest of more than 1,000 deletes can no longer be undone, also after a reload', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    for (let i = 0; i <= 1_000; i++) {
      await outbox.submit({ kind: 'remove', employee: { ...ada, id: `${i}` } })
    }
    expect(outbox.entries()).toHaveLength(1_000)
    expect(outbox.entries()[0]).toMatchObject({ employee: { id: '1' } })
    const afterReload = await setup.open()
    await afterReload.load()
    expect(afterReload.entries()).toHaveLength(1_000)
  })

  test('can be dismissed for all entries at once, also after a reload', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    for (const id of ['1', '2']) await outbox.submit({ kind: 'remove', employee: { ...ada, id } })
    setup.send.mockRejectedValueOnce(offline)
    await outbox.submit(add)
    await outbox.dismissDone()
    const afterReload = await setup.open()
    await afterReload.load()
    for (const { entries } of [outbox, afterReload]) expect(entries()).toMatchObject([{ state: 'refused' }])
  })
})

describe('the form', () => {
  test('is restored after a reload', async () => {
    const setup = createTestOutbox()
    const draft = { fields, editing: ada }
    await (await setup.open()).saveForm(draft)
    expect(await (await setup.open()).load()).toEqual(draft)
    expect(await (await setup.open()).load()).toEqual(draft)
  })

  test('is not stored without input', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    await outbox.saveForm({ fields, editing: null })
    await outbox.saveForm(draftFromEmployee(ada))
    await outbox.stashDraft(draftFromEmployee(ada))
    expect(outbox.entries()).toEqual([])
    expect(await (await setup.open()).load()).toBeNull()
  })

  test('a stashed draft becomes an entry that can be edited', async () => {
    const outbox = await createTestOutbox().open()
    const draft = { fields, editing: ada }
    await outbox.stashDraft(draft)
    expect(states(outbox)).toEqual(['draft'])
    expect(outbox.takeForEditing(outbox.entries()[0]?.id ?? '', emptyDraft)).toEqual(draft)
    expect(outbox.entries()).toEqual([])
  })
})

describe('the count of unsaved changes', () => {
  const unload = async () => new Set(['first', 'second'])

  test('includes entries and half-typed forms of all tabs, and nothing that is saved', async () => {
    const setup = createTestOutbox()
    const [mine, theirs] = [
      await setup.open({ id: 'first', getOtherTabIds: unload }),
      await setup.open({ id: 'second', getOtherTabIds: unload }),
    ]
    const countAll = async (outbox: Outbox) => outbox.countUnsaved() + (await outbox.countUnsavedElsewhere())
    const count = async () => [await countAll(mine), await countAll(theirs)]
    await mine.submit({ kind: 'remove', employee: ada })
    expect(await count()).toEqual([0, 0])
    setup.send.mockRejectedValue(offline)
    await mine.submit(add)
    await theirs.submit(add)
    await theirs.stashDraft({ fields, editing: ada })
    expect(await count()).toEqual([3, 3])
    mine.setForm({ fields, editing: ada })
    expect(await countAll(mine)).toBe(4)
    await mine.saveForm({ fields, editing: ada })
    await theirs.saveForm({ fields, editing: null })
    expect(await count()).toEqual([5, 5])
    expect(await mine.countUnsavedElsewhere()).toBe(3)
    await mine.saveForm(emptyDraft)
    await theirs.discard(theirs.entries()[0]?.id ?? '')
    expect(await count()).toEqual([3, 3])
  })

  test('includes rows that were not loaded, as far as they can be read', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValue(offline)
    await (await setup.open()).submit(add)
    const notLoaded = await setup.open()
    await notLoaded.submit(add)
    expect([notLoaded.countUnsaved(), await notLoaded.countUnsavedElsewhere()]).toEqual([1, 1])
    vi.spyOn(IDBObjectStore.prototype, 'getAllKeys').mockImplementation(() => {
      throw new DOMException('unreadable', 'UnknownError')
    })
    expect([notLoaded.countUnsaved(), await notLoaded.countUnsavedElsewhere()]).toEqual([1, 0])
  })
})

describe('the encrypted store', () => {
  test('contains no readable input, and its key cannot be exported', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValue(offline)
    const outbox = await setup.open()
    await outbox.submit(add)
    await outbox.saveForm({ fields, editing: ada })
    const stored = await readAllRows()
    const storedKey = stored.find((value): value is { key: CryptoKey } =>
      Object.hasOwn(value as object, 'key'),
    )
    expect(storedKey?.key).toBeInstanceOf(CryptoKey)
    expect(storedKey?.key.extractable).toBe(false)
    expect(stored.length).toBeGreaterThan(2)
    for (const secret of [fields.password, fields.email, fields.eName, ada.password]) {
      expect(toText(stored)).not.toContain(secret)
    }
  })

  test('a logout wipes the rows of this user only', async () => {
    const [leavingUser, otherUser] = [createTestOutbox(), createTestOutbox()]
    for (const setup of [leavingUser, otherUser]) {
      setup.send.mockRejectedValue(offline)
      await (await setup.open()).submit(add)
    }
    const [outbox, otherTabOutbox] = [
      await leavingUser.open(),
      await leavingUser.open({ ...onlyTab, id: 'another' }),
    ]
    await outbox.load()
    await outbox.wipe()
    expect(outbox.entries()).toEqual([])
    for (const openOutbox of [outbox, otherTabOutbox]) await openOutbox.saveForm({ fields, editing: null })
    expect((await readRowNames()).filter((name) => name.startsWith(`${leavingUser.uid}/`))).toEqual([])
    const [newOutbox, otherUserOutbox] = [await leavingUser.open(), await otherUser.open()]
    await newOutbox.load()
    await otherUserOutbox.load()
    expect(newOutbox.entries()).toEqual([])
    expect(otherUserOutbox.entries()).toHaveLength(1)
  })

  test('a tab takes over the rows of closed tabs, not those of open tabs', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValue(offline)
    await (await setup.open({ ...onlyTab, id: 'first' })).submit(add)
    const second = await setup.open({ id: 'second', getOtherTabIds: async () => new Set(['first']) })
    await second.load()
    expect(second.entries()).toEqual([])
    const successor = await setup.open({ id: 'second', getOtherTabIds: async () => new Set() })
    await successor.load()
    expect(successor.entries()).toHaveLength(1)
    const third = await setup.open({ id: 'third', getOtherTabIds: async () => new Set(['second']) })
    await third.load()
    expect(third.entries()).toEqual([])
  })

  test('one of two tabs that open at once takes over a row', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValue(offline)
    await (await setup.open({ ...onlyTab, id: 'closed' })).submit(add)
    const openTabs = { getOtherTabIds: async () => new Set(['first', 'second']) }
    const tabs = [
      await setup.open({ id: 'first', ...openTabs }),
      await setup.open({ id: 'second', ...openTabs }),
    ]
    await Promise.all(tabs.map((outbox) => outbox.load()))
    expect(tabs.flatMap((outbox) => outbox.entries())).toHaveLength(1)
  })

  test('a full database does not prevent sending, and isDurable becomes false', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await outbox.submit(add)
    expect(setup.send).toHaveBeenCalledOnce()
    expect(outbox.isDurable).toBe(false)
  })

  test('an unreadable database does not prevent working, and its rows are loaded the next time', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(offline)
    await (await setup.open()).submit(add)
    const brokenRead = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
      throw new DOMException('unreadable', 'UnknownError')
    })
    const store = { dispatch: vi.fn(() => ({ unwrap: async () => ({}) })) } as unknown as Store
    const { outbox, initialDraft, isFullyLoaded } = await loadOutbox(
      setup.uid,
      store,
      Promise.resolve(onlyTab),
    )
    expect({ initialDraft, isFullyLoaded, isDurable: outbox.isDurable }).toEqual({
      initialDraft: emptyDraft,
      isFullyLoaded: false,
      isDurable: false,
    })
    await outbox.submit(add)
    expect(store.dispatch).toHaveBeenCalledOnce()
    brokenRead.mockRestore()
    const reloaded = await loadOutbox(setup.uid, store, Promise.resolve(onlyTab))
    expect(reloaded.isFullyLoaded).toBe(true)
    expect(reloaded.outbox.entries()).toMatchObject([{ state: 'refused', operation: add }])
  })

  test('a tab without an id can work in memory', async () => {
    const { outbox } = await loadOutbox(
      createTestOutbox().uid,
      {} as Store,
      Promise.reject(new Error('no tab')),
    )
    expect(outbox.isDurable).toBe(false)
  })

  test('stores nothing in a browser without WebCrypto', async () => {
    const { crypto } = globalThis
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    const setup = createTestOutbox()
    setup.send.mockRejectedValue(offline)
    const outbox = await setup.open()
    await outbox.submit(add)
    vi.unstubAllGlobals()
    expect(outbox.isDurable).toBe(false)
    expect(outbox.entries()).toHaveLength(1)
    expect((await readRowNames()).filter((name) => name.startsWith(`${setup.uid}/`))).toEqual([])
  })
})

describe('an import', () => {
  const batch = {
    add: [fields],
    update: [{ seen: ada, fields: renamed(fields, 'Ada King') }],
    remove: [],
  }
  const result = { ids: ['new'], kept: [] }

  test('reports its progress, and can be undone, also after a reload', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    const options = { onProgress: () => {} }
    setup.send.mockResolvedValueOnce(result)
    expect(await outbox.importBatch(batch, options)).toMatchObject({ state: 'imported', batch, result })
    expect(setup.send).toHaveBeenLastCalledWith(expect.objectContaining({ kind: 'import', batch }), options)
    const afterReload = await setup.open()
    await afterReload.load()
    expect(states(afterReload)).toEqual(['imported'])
    setup.send.mockResolvedValueOnce({ ids: [], kept: [] })
    await afterReload.undo(afterReload.entries()[0]?.id ?? '')
    expect(setup.send).toHaveBeenLastCalledWith({
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

  test('reports the conflicts of its undo', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    setup.send.mockResolvedValueOnce(result).mockResolvedValueOnce({ ids: [], kept: ['a'] })
    const entry = await outbox.importBatch(batch, {})
    await outbox.undo(entry?.id ?? '')
    expect(outbox.entries()).toMatchObject([{ state: 'undone', kept: 1 }])
  })

  test('leaves no entry if it is cancelled', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    setup.send.mockRejectedValueOnce(new ServiceError('cancelled', 'Cancelled.'))
    expect(await outbox.importBatch(batch, {})).toBeUndefined()
    expect(outbox.entries()).toEqual([])
  })

  test('is retried with the same key', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    setup.send.mockRejectedValueOnce(offline).mockResolvedValueOnce(result)
    const refused = await outbox.importBatch(batch, {})
    expect(refused).toMatchObject({ state: 'refused', refusal: { code: 'offline' } })
    expect(await outbox.retry(refused?.id ?? '', {})).toMatchObject({ state: 'imported' })
    const keys = setup.send.mock.calls.map(([operation]) => 'key' in operation && operation.key)
    expect(new Set(keys).size).toBe(1)
  })

  test('is not sent again automatically if it was interrupted; its undo is', async () => {
    const setup = createTestOutbox()
    setup.send.mockRejectedValueOnce(offline)
    await (await setup.open()).importBatch(batch, {})
    const afterReload = await setup.open()
    await afterReload.load()
    await afterReload.resendWaiting()
    expect(setup.send).toHaveBeenCalledOnce()
    expect(afterReload.entries()).toMatchObject([{ state: 'refused', refusal: { code: 'unfinished' } }])
    expect(afterReload.takeForEditing(afterReload.entries()[0]?.id ?? '', emptyDraft)).toBeNull()

    setup.send.mockResolvedValueOnce(result).mockRejectedValueOnce(offline)
    const id = afterReload.entries()[0]?.id ?? ''
    await afterReload.retry(id)
    await afterReload.undo(id)
    expect(states(afterReload)).toEqual(['refused'])
    setup.send.mockResolvedValueOnce({ ids: [], kept: [] })
    await afterReload.resendWaiting()
    await expect.poll(() => afterReload.entries()).toEqual([])
  })

  test('can be undone until the later ones are too large, but always if it is the last', async () => {
    const setup = createTestOutbox()
    const outbox = await setup.open()
    setup.send.mockResolvedValue(result)
    const largeFields = { ...fields, eName: 'x'.repeat(10_000) }
    const large = { ...batch, add: Array(4_000).fill(largeFields) }
    await outbox.importBatch(large, {})
    for (let count = 0; count < 4; count++) await outbox.importBatch(batch, {})
    expect(states(outbox)).toEqual(Array(5).fill('imported'))
    const last = await outbox.importBatch({ ...batch, add: Array(7_000).fill(largeFields) }, {})
    expect(outbox.entries()).toEqual([last])
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

const readAllRows = () => readStore<unknown[]>((store) => store.getAll())
const readRowNames = () => readStore<string[]>((store) => store.getAllKeys())

/** Converts values to text, and bytes to Latin-1 characters. */
function toText(values: unknown[]): string {
  const decoder = new TextDecoder('latin1')
  return JSON.stringify(values, (_, value) =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? decoder.decode(value as ArrayBuffer) : value,
  )
}
