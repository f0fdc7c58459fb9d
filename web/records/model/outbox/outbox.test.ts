import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { promisifyRequest } from 'idb-keyval'
import { describe, expect, test, vi } from 'vitest'
import {
  completeFields,
  type Employee,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  mapFields,
  mergeFields,
  pickFields,
} from '../../../../contract/employees.ts'
import { isNightly } from '../../../../tests/support/nightly.ts'
import { named, nameOf, ada as person, renamed } from '../../../../tests/support/people.ts'
import { ServiceError } from '../../../backends/ports.ts'
import type { Outcome } from '../book/book-slice.ts'
import {
  deleteMany,
  draftFromEmployee,
  emptyDraft,
  type Operation,
  operationFromDraft,
} from '../book/operation.ts'
import type { Store } from '../book/store.ts'
import { nullStore, openEncryptedStore } from './encrypted-store.ts'
import { Outbox, type OutboxOptions } from './outbox.ts'
import type { Tab } from './tab-lock.ts'
import { leaveOutbox, loadOutbox, openOutboxOf } from './use-outbox.ts'

const fields = named('Lost Soul', { password: 'never readable' })
const ada: Employee = { id: 'a', ...person }
const adaKing = renamed('Ada King', ada)
const add: Operation = { kind: 'add', fields, key: 'k' }
const update = { kind: 'update', employee: adaKing, before: ada } satisfies Operation
const remove = (employee = ada): Operation => ({ kind: 'remove', employee })

const offline = new ServiceError('offline', 'The server can’t be reached.')
const signedOut = new ServiceError('not-signed-in', 'Please sign in.')
const busy = new ServiceError('busy', 'The server is busy.')
const diskFull = new ServiceError('storage-full', 'The disk is full.')
const invalid = new ServiceError('invalid-request', 'The email is not well formed.')
const notFound = new ServiceError('not-found', 'This record no longer exists.')
const inUse = new ServiceError('id-in-use', 'This record is already in the register.')

const outcome = { type: 'removed', id: 'a' } as const

let userCount = 0
const onlyTab: Tab = { id: 'tab', getOtherTabIds: async () => new Set() }

/** Opens the outbox of a new user, whose `send` fails with `errors` first. `reopen` loads it as a reload of the page does. */
async function openOutbox(errors: ServiceError[] = [], book: Employee[] = [ada]) {
  userCount += 1
  const uid = `user-${userCount}`
  const send = vi.fn<OutboxOptions['send']>(async () => outcome)
  for (const error of errors) send.mockRejectedValueOnce(error)
  const open = async (tab = onlyTab, isSignedIn = () => true) =>
    new Outbox({
      encryptedStore: await openEncryptedStore(uid, tab, isSignedIn),
      send: (operation, options) => (options ? send(operation, options) : send(operation)),
      getBook: () => book,
    })
  async function reopen(tab = onlyTab) {
    const outbox = await open(tab)
    await outbox.load()
    return outbox
  }
  return { uid, send, open, reopen, outbox: await open() }
}

/** Opens an outbox with an operation that was refused with the first of these errors. */
async function openRefused(operation: Operation, errors: ServiceError[], book?: Employee[]) {
  const setup = await openOutbox(errors, book)
  await setup.outbox.submit(operation)
  return { ...setup, id: firstId(setup.outbox) }
}

const makeRecords = (count: number) => Array.from({ length: count }, (_, i) => ({ ...ada, id: `${i}` }))
const firstId = (outbox: Outbox) => outbox.entries()[0]?.id ?? ''
const states = (outbox: Outbox) => outbox.entries().map(({ state }) => state)

describe('a successful operation', () => {
  test('is stored before it is sent, and leaves no entry, also after a reload', async () => {
    const { outbox, send, reopen } = await openOutbox()
    send.mockImplementation(async () => {
      expect((await reopen()).entries()).toMatchObject([
        { state: 'refused', operation: add, refusal: { code: 'offline' } },
      ])
      return outcome
    })
    await outbox.submit(add)
    expect(send).toHaveBeenCalledExactlyOnceWith(add)
    for (const { entries } of [outbox, await reopen()]) expect(entries()).toEqual([])
  })

  test('has the same key in each attempt, also after a reload', async () => {
    const { uid, send } = await openOutbox([offline, offline])
    const keys = new Set<string | undefined>()
    async function open() {
      const outbox = new Outbox({
        encryptedStore: await openEncryptedStore(uid, onlyTab, () => true),
        send(operation, options, key) {
          keys.add(key)
          return send(operation, options)
        },
        getBook: () => [ada],
      })
      await outbox.load()
      return outbox
    }
    const first = await open()
    await first.submit(update)
    expect([...keys]).toEqual([firstId(first)])
    await first.resendWaiting()
    await (await open()).resendWaiting()
    expect([send.mock.calls.length, keys.size]).toEqual([3, 1])
  })

  test('is reported to onComplete when it succeeds, also after an automatic retry', async () => {
    const { outbox } = await openOutbox([offline])
    const onComplete = vi.fn()
    outbox.onComplete(onComplete)
    await outbox.submit(add)
    expect(onComplete).not.toHaveBeenCalled()
    await outbox.resendWaiting()
    expect(onComplete).toHaveBeenCalledExactlyOnceWith(add)
  })

  test('operations on one record are sent in order, and do not delay those on other records', async () => {
    const { outbox, send } = await openOutbox()
    const sent: string[] = []
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    send.mockImplementation(async (operation) => {
      const name = 'employee' in operation ? nameOf(operation.employee) : ''
      sent.push(name)
      if (name === 'first') await released
      return outcome
    })
    const updateTo = (name: string, id = 'a') =>
      outbox.submit({ ...update, employee: { ...renamed(name, ada), id } })
    const onOneRecord = [updateTo('first'), updateTo('second')]
    await updateTo('other', 'b')
    expect(sent).toEqual(['first', 'other'])
    release()
    await Promise.all(onOneRecord)
    expect(sent).toEqual(['first', 'other', 'second'])
  })

  test('leaves no queue, however many records were changed, also if a listener throws', async () => {
    const { outbox } = await openOutbox()
    outbox.onComplete(() => {
      throw new Error('failed')
    })
    const work = makeRecords(100).map((employee) => outbox.submit({ ...update, employee, before: employee }))
    expect(outbox.queues.size).toBe(100)
    await Promise.allSettled(work)
    expect(outbox.queues.size).toBe(0)
  })

  test('does not stop the queue if a listener throws', async () => {
    const { outbox, send } = await openOutbox()
    outbox.onComplete(() => {
      throw new Error('failed')
    })
    const [first, second] = [outbox.submit(update), outbox.submit(update)]
    await expect(first).rejects.toThrow('failed')
    await expect(second).rejects.toThrow('failed')
    expect(send).toHaveBeenCalledTimes(2)
  })
})

test.each(fieldNames.slice(1))(
  'an entry stored before there was the field %s does not say it',
  async (name) => {
    const { [name]: _, ...olderFields } = fields
    const olderAdd = { ...add, fields: olderFields as EmployeeFields }
    const { send, reopen } = await openRefused(olderAdd, [offline])
    const reopened = await reopen()
    await reopened.retry(firstId(reopened))
    expect(send.mock.lastCall).toStrictEqual([olderAdd])
  },
)

describe('a failed operation', () => {
  test('stays with the reason, also after a reload, and is retried with the same key', async () => {
    const { outbox, send, reopen } = await openRefused(add, [offline])
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: add, refusal: { message: offline.message } },
    ])
    const afterReload = await reopen()
    await afterReload.retry(firstId(afterReload))
    expect(send).toHaveBeenLastCalledWith(add)
    expect(afterReload.entries()).toEqual([])
  })

  test.each([
    [offline, true],
    [signedOut, true],
    [diskFull, true],
    [invalid, false],
  ])('an add that is edited keeps its key if it may have succeeded: %s', async (error, mayHave) => {
    const { outbox, id } = await openRefused(add, [error])
    outbox.takeForEditing(id)
    const sent = [{ ...fields, key: id }]
    expect(outbox.form()).toEqual({ fields, editing: null, ...(mayHave && { sentAs: 'k', sent }) })
    const again = mayHave ? { mayExist: true, sent } : { key: expect.not.stringMatching(/^k$/) }
    expect(operationFromDraft(outbox.form())).toEqual({ ...add, ...again })
    expect(outbox.entries()).toEqual([])
  })

  test('a restore asks first, and retains the typed fields, if somebody else has restored the record', async () => {
    const { outbox, send, id } = await openRefused(update, [notFound, inUse], [])
    await outbox.retry(id)
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: update, refusal: { code: 'conflict' } },
    ])
    await outbox.retry(id)
    expect(send).toHaveBeenLastCalledWith(update)
    expect(states(outbox)).toEqual(['updated'])
  })

  test('a restore with typed fields that is edited and cancelled becomes a draft', async () => {
    const { outbox, id } = await openRefused(update, [notFound, offline])
    await outbox.retry(id)
    outbox.takeForEditing(id)
    const draft = outbox.form()
    expect(draft).toEqual({
      fields: pickFields(adaKing),
      editing: ada,
      sent: [{ ...adaKing, key: id, names: fieldNames.slice(0, 1) }],
    })
    outbox.replaceForm(emptyDraft)
    expect(outbox.entries()).toMatchObject([{ state: 'draft', draft }])
  })

  test('a restore becomes an add if the service no longer has the record', async () => {
    const { outbox, id } = await openRefused(update, [notFound, notFound])
    await outbox.retry(id)
    expect(outbox.entries()).toMatchObject([
      { state: 'refused', operation: { kind: 'add', fields: pickFields(adaKing) } },
    ])
    await outbox.retry(id)
    expect(outbox.entries()).toEqual([])
  })

  test('an entry taken into the form is stored as the form before it is deleted as an entry', async () => {
    const { outbox, id, open } = await openRefused(add, [offline])
    const displaced = { fields: renamed('Half typed', fields), editing: null }
    outbox.setForm(displaced)
    outbox.takeForEditing(id)
    // Writes are serial, so this is stored after everything before it.
    await outbox.saveForm()
    const afterCrash = await open()
    await afterCrash.load()
    expect(afterCrash.form()).toEqual(outbox.form())
    expect(afterCrash.entries()).toMatchObject([{ state: 'draft', draft: displaced }])
  })
})

describe('when the connection is restored', () => {
  test('operations that waited for it are sent in order; rejected ones are not', async () => {
    const { outbox, send } = await openOutbox([offline, invalid, offline])
    const second = { ...add, key: 'k2' }
    for (const operation of [add, { ...add, key: 'refused' }, second]) await outbox.submit(operation)
    send.mockClear()
    await outbox.resendWaiting()
    await expect.poll(() => states(outbox)).toEqual(['refused'])
    expect(send.mock.calls).toEqual([[add], [second]])
  })

  test.each([offline, signedOut, busy])('an update does not overtake an earlier one: %s', async (error) => {
    const { outbox, send } = await openRefused(update, [error])
    const later = { ...update, before: adaKing, employee: renamed('Ada Byron', ada) }
    await outbox.submit(later)
    await outbox.submit({ ...add, key: 'other' })
    expect(send.mock.calls).toEqual([[update], [{ ...add, key: 'other' }]])
    expect(outbox.entries()).toMatchObject([{ operation: update }, { operation: later, state: 'refused' }])
    send.mockClear()
    await outbox.resendWaiting()
    expect(send.mock.calls).toEqual([[update], [later]])
    expect(outbox.entries()).toMatchObject([{ state: 'updated', before: ada, employee: later.employee }])
  })

  test('a delete that had succeeded is not sent again, and can be undone', async () => {
    const { outbox, send } = await openRefused(remove(), [offline], [])
    await outbox.resendWaiting()
    expect(send).toHaveBeenCalledOnce()
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: ada }])
  })
})

describe('undo', () => {
  test('is complete if somebody else has restored the record', async () => {
    const { outbox, send } = await openOutbox()
    await outbox.submit(remove())
    send.mockRejectedValueOnce(inUse)
    await outbox.undo(firstId(outbox))
    expect(outbox.entries()).toEqual([])
  })

  test('that failed is offered again after its record has been edited in the form', async () => {
    const { outbox, send, reopen } = await openOutbox()
    await outbox.submit(remove())
    send.mockRejectedValueOnce(diskFull)
    const id = firstId(outbox)
    await outbox.undo(id)
    expect(states(outbox)).toEqual(['refused'])
    outbox.takeForEditing(id)
    expect(outbox.form()).toMatchObject(draftFromEmployee(ada))
    await outbox.saveForm(emptyDraft)
    for (const { entries } of [outbox, await reopen()])
      expect(entries()).toMatchObject([{ state: 'deleted', employee: ada }])
  })

  test('a delete right after an update that is still being sent is undone with what was updated', async () => {
    const { outbox, send } = await openOutbox()
    void outbox.submit(update)
    await outbox.submit(remove())
    expect(send).toHaveBeenLastCalledWith(remove(adaKing))
    await outbox.undo(outbox.entries().at(-1)?.id ?? '')
    expect(send).toHaveBeenLastCalledWith({ kind: 'restore', employee: adaKing })
  })

  describe('before the operation was sent', () => {
    const undone = [
      ['a delete', remove(), { kind: 'restore', employee: ada }],
      ['an update', update, { kind: 'update', employee: ada, before: adaKing, isUndo: true }],
      ['a delete of several', deleteMany([ada]), { kind: 'restore-many', batch: { restore: [ada] } }],
    ] as const

    test.each(undone)('%s: waits for it, also across a reload', async (_, operation, undo) => {
      const { outbox, send, reopen } = await openOutbox()
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      send.mockImplementation(async (operation) => {
        await released
        return 'batch' in operation
          ? { type: 'batch', batch: operation.batch, ids: [], kept: [], restored: [] }
          : outcome
      })
      const sending = outbox.submit(operation)
      const waiting = outbox.undo(firstId(outbox))
      expect(outbox.entries()).toMatchObject([{ state: 'sending', operation, isToBeUndone: true }])
      await expect.poll(async () => (await reopen()).entries()).toMatchObject([{ operation: undo }])
      release()
      await Promise.all([sending, waiting])
      expect(send.mock.calls).toMatchObject([[operation], [undo]])
    })

    test.each(undone)('%s: takes it back while it waits for the connection', async (_, operation) => {
      const { outbox, send, id } = await openRefused(operation, [offline])
      send.mockClear()
      await outbox.undo(id)
      await outbox.resendWaiting()
      expect(send).not.toHaveBeenCalled()
      expect(states(outbox)).toEqual(operation.kind === 'update' ? ['discarded'] : [])
    })

    test.each(undone)('%s: is sent after it if its answer was lost', async (_, operation, undo) => {
      const { outbox, send } = await openOutbox()
      const controller = new AbortController()
      outbox.keepSending(controller.signal)
      send.mockRejectedValue(offline)
      await outbox.submit(operation)
      controller.abort()
      expect(outbox.entries()).toMatchObject([{ operation, mayBeDone: true }])
      await outbox.undo(firstId(outbox))
      expect(outbox.entries()).toMatchObject([{ state: 'refused', operation: undo, mayBeDone: true }])
    })
  })

  test('a repeated delete of a record replaces the undo of the earlier one', async () => {
    const { outbox } = await openOutbox()
    for (const employee of [ada, adaKing]) await outbox.submit(remove(employee))
    expect(outbox.entries()).toMatchObject([{ state: 'deleted', employee: adaKing }])
  })

  test('all deletes of this page and of earlier ones can be undone, and keep the order in which they were made', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    const { outbox, send, reopen } = await openOutbox()
    const employees = makeRecords(60)
    for (const employee of employees.slice(0, 30)) await outbox.submit(remove(employee))
    const afterReload = await reopen()
    for (const employee of employees.slice(30)) await afterReload.submit(remove(employee))
    expect(afterReload.entries()).toMatchObject(employees.map((employee) => ({ state: 'deleted', employee })))
    for (const { id } of afterReload.entries()) await afterReload.undo(id)
    for (const employee of employees) expect(send).toHaveBeenCalledWith({ kind: 'restore', employee })
    expect(send).toHaveBeenCalledTimes(120)
    expect(afterReload.entries()).toEqual([])
  })

  describe('of many deletes', () => {
    // A restore names every field of a record.
    const records = makeRecords(3).map((record) => ({ ...record, ...completeFields(record) }))
    const restored = (count: number) => records.slice(0, count).map(({ id }) => ({ id, after: null }))
    const done = (kept: string[] = [], count = records.length): Outcome => ({
      ...{ type: 'batch', ids: [], kept, restored: restored(count) },
      batch: { add: [], update: [], remove: [], restore: records },
    })
    const restoring = expect.objectContaining({
      kind: 'restore-many',
      batch: { add: [], update: [], remove: [], restore: records },
    })

    /** Opens an outbox in which the records have been deleted together. */
    async function openDeleted() {
      const setup = await openOutbox()
      const batch = { add: [], update: [], remove: records }
      setup.send.mockResolvedValueOnce({ type: 'batch', batch, ids: [], kept: [] })
      await setup.outbox.submit(deleteMany(records))
      setup.send.mockClear()
      return { ...setup, id: firstId(setup.outbox) }
    }

    test('is one batch, sent again with its key after a failure, also after a reload', async () => {
      const { outbox, send, reopen, id } = await openDeleted()
      send.mockRejectedValueOnce(offline).mockResolvedValue(done())
      await outbox.undo(id)
      expect(outbox.entries()).toMatchObject([{ state: 'refused', operation: restoring }])
      const afterReload = await reopen()
      await afterReload.resendWaiting()
      expect(send.mock.calls).toEqual([[restoring], [restoring]])
      expect(send.mock.calls[1]).toEqual(send.mock.calls[0])
      for (const { entries } of [afterReload, await reopen()]) expect(entries()).toEqual([])
    })

    test('is one batch for deletes that were made one by one, also after a reload', async () => {
      const { outbox, send, reopen } = await openOutbox()
      for (const employee of records) await outbox.submit(remove(employee))
      const afterReload = await reopen()
      send.mockClear()
      send.mockRejectedValueOnce(offline).mockResolvedValue(done())
      await afterReload.undoDeletes(new Set(afterReload.entries().map(({ id }) => id)))
      expect(send.mock.calls).toEqual([[restoring]])
      for (const each of [afterReload, await reopen()])
        expect(each.entries()).toMatchObject([{ state: 'refused', operation: restoring }])
      await afterReload.resendWaiting()
      expect(afterReload.entries()).toEqual([])
    })

    test('is not sent while the deletion itself waits: discarding that keeps the records', async () => {
      const { outbox, send, id } = await openRefused(deleteMany(records), [offline], records)
      expect(states(outbox)).toEqual(['refused'])
      await outbox.discard(id)
      await outbox.resendWaiting()
      expect(send).toHaveBeenCalledOnce()
    })

    test('tells how many records others have restored and changed', async () => {
      const { outbox, send, id } = await openDeleted()
      send.mockResolvedValueOnce(done(['2'], 2))
      await outbox.undo(id)
      expect(outbox.entries()).toMatchObject([{ state: 'undone', kept: 1, restored: 2 }])
    })

    test('offers to add those that the service no longer knows', async () => {
      const { outbox, send, id } = await openDeleted()
      send.mockResolvedValueOnce(done([], 1))
      const onComplete = vi.fn()
      outbox.onComplete(onComplete)
      await outbox.undo(id)
      const add = { kind: 'add', fields: pickFields(ada) }
      const refused = { state: 'refused', operation: add, refusal: { code: 'not-found' } }
      expect(outbox.entries()).toMatchObject([refused, refused])
      expect(onComplete.mock.calls).toMatchObject([[{ batch: { restore: [{ id: '0' }] } }]])
    })

    test('restores the others of a record that the service refuses, which becomes an entry of its own', async () => {
      const { outbox, send, id } = await openDeleted()
      const { message } = invalid
      const error = new ServiceError('invalid-request', message, { field: 'restore/1/email' })
      send.mockRejectedValueOnce(error).mockResolvedValueOnce(done([], 3))
      await outbox.undo(id)
      expect(send.mock.lastCall).toMatchObject([{ batch: { restore: [{ id: '0' }, { id: '2' }] } }])
      expect(outbox.entries()).toMatchObject([
        { state: 'refused', operation: { kind: 'restore', employee: { id: '1' } }, refusal: { message } },
      ])
    })

    test('that an earlier version has stored is sent as one of this version', async () => {
      const batch = { add: [], update: [], remove: records }
      const { send, reopen } = await openRefused({ kind: 'restore-many', batch, key: 'k' }, [offline])
      send.mockClear()
      send.mockResolvedValueOnce(done())
      await (await reopen()).resendWaiting()
      const upgraded = { ...batch, remove: [], restore: records }
      expect(send.mock.calls).toEqual([[{ kind: 'restore-many', batch: upgraded, key: 'k' }]])
    })
  })

  test('the oldest of more than 1,000 deletes can no longer be undone, also after a reload', {
    tags: 'large',
  }, async () => {
    const { outbox, reopen } = await openOutbox()
    for (let i = 0; i <= 1_000; i++) await outbox.submit(remove({ ...ada, id: `${i}` }))
    expect(outbox.entries()).toHaveLength(1_000)
    expect(outbox.entries()[0]).toMatchObject({ employee: { id: '1' } })
    expect((await reopen()).entries()).toHaveLength(1_000)
  })

  describe('of updates', () => {
    const changeTo = (employee: Employee, before: Employee) => ({ ...update, employee, before })

    test('takes back all updates of a record at once, also across a reload, unless somebody else has changed it in between', async () => {
      const { outbox, reopen } = await openOutbox()
      const second = renamed('Ada Byron', ada)
      await outbox.submit(update)
      const afterReload = await reopen()
      await afterReload.submit(changeTo(second, adaKing))
      expect(afterReload.entries()).toMatchObject([{ state: 'updated', employee: second, before: ada }])
      const seen = { ...second, email: 'changed@by.someone' }
      await afterReload.submit(changeTo(renamed('Countess', seen), seen))
      expect((await reopen()).entries()).toMatchObject([{ before: ada }, { before: seen }])
    })

    test('is not offered if the updates together change nothing', async () => {
      const { outbox } = await openOutbox()
      for (const operation of [changeTo(ada, ada), update, changeTo(ada, adaKing)])
        await outbox.submit(operation)
      expect(outbox.entries()).toEqual([])
    })

    test('in reverse order, after any edits by two people, restores what only one has touched, and nothing else', async () => {
      const property = fc.asyncProperty(arbitraryEdits, fc.boolean(), async (edits, isUndoneByBoth) => {
        const start = ['0', '1'].map((id): Employee => ({ id, ...person }))
        const records = [...start]
        const people = [createEditor(records), createEditor(records)] as const
        const undos: [person: number, undo: () => Promise<void>][] = []
        for (const edit of edits) undos.push([edit.person, await people[edit.person].edit(edit)])
        const foreign = people[1].written.map((fields) => ({ ...fields }))
        for (const [person, undo] of undos.toReversed()) if (isUndoneByBoth || person === 0) await undo()
        expect(records).toEqual(isUndoneByBoth ? start : start.map((it, i) => ({ ...it, ...foreign[i] })))
      })
      await fc.assert(property, { numRuns: isNightly ? 10_000 : 100 })
    })
  })

  test('can be dismissed for all entries at once, also after a reload', async () => {
    const { outbox, send, reopen } = await openOutbox()
    for (const id of ['1', '2']) await outbox.submit(remove({ ...ada, id }))
    send.mockRejectedValueOnce(offline)
    await outbox.submit(add)
    await outbox.dismissDone()
    for (const { entries } of [outbox, await reopen()])
      expect(entries()).toMatchObject([{ state: 'refused' }])
  })
})

test('a form without input is neither stored nor stashed', async () => {
  const { outbox, reopen } = await openOutbox()
  await outbox.saveForm({ fields, editing: null })
  await outbox.saveForm(draftFromEmployee(ada))
  await outbox.stashDraft(draftFromEmployee(ada))
  expect(outbox.entries()).toEqual([])
  expect((await reopen()).form()).toEqual(emptyDraft)
})

describe('the count of unsaved changes', () => {
  test('includes entries and half-typed forms of all tabs, and nothing that is saved', async () => {
    const { open, send } = await openOutbox()
    const getOtherTabIds = async () => new Set(['first', 'second'])
    const mine = await open({ id: 'first', getOtherTabIds })
    const theirs = await open({ id: 'second', getOtherTabIds })
    const countAll = async (outbox: Outbox) => outbox.countUnsaved() + (await outbox.countUnsavedElsewhere())
    const count = async () => [await countAll(mine), await countAll(theirs)]
    await mine.submit(remove())
    expect(await count()).toEqual([0, 0])
    send.mockRejectedValue(offline)
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
    await theirs.discard(firstId(theirs))
    expect(await count()).toEqual([3, 3])
  })

  test('includes rows that were not loaded, as far as they can be read', async () => {
    const { open } = await openRefused(add, [offline, offline])
    const notLoaded = await open()
    await notLoaded.submit(add)
    expect([notLoaded.countUnsaved(), await notLoaded.countUnsavedElsewhere()]).toEqual([1, 1])
    breakStorage('getAllKeys')
    expect([notLoaded.countUnsaved(), await notLoaded.countUnsavedElsewhere()]).toEqual([1, 0])
  })
})

describe('the encrypted store', () => {
  test('has a key that cannot be exported', async () => {
    await openRefused(add, [offline])
    const stored = await accessVault<object[]>((store) => store.getAll())
    const key = stored.flatMap((value) => ('key' in value ? [value.key as CryptoKey] : [])).at(0)
    expect(key).toBeInstanceOf(CryptoKey)
    expect(key?.extractable).toBe(false)
  })

  test('reads and continues with the bare key of the first versions, also in two tabs at once', async () => {
    const { uid, open, reopen, send } = await openRefused(add, [offline])
    const name = `${uid}/key`
    const { key } = await accessVault<{ key: CryptoKey }>((store) => store.get(name))
    await accessVault((store) => store.put(key, name))
    const [outbox, other] = await Promise.all([reopen(), open({ ...onlyTab, id: 'another' })])
    await other.saveForm({ fields, editing: null })
    await outbox.submit(update)
    send.mockRejectedValue(offline)
    await outbox.submit(update)
    expect((await reopen()).entries()).toMatchObject([
      { operation: add },
      { state: 'updated' },
      { operation: update },
    ])
    expect(await readRowNames(uid)).toHaveLength(5)
  })

  test('keeps what it can not decrypt until the logout', async () => {
    const { uid, reopen, outbox } = await openRefused(add, [offline])
    const name = `${uid}/key`
    const stored = await accessVault((store) => store.get(name))
    await accessVault((store) => store.delete(name))
    expect((await reopen()).entries()).toEqual([])
    await accessVault((store) => store.put(stored, name))
    expect((await reopen()).entries()).toMatchObject([{ operation: add }])
    await outbox.wipe()
    expect(await readRowNames(uid)).toEqual([])
  })

  test('a logout wipes the rows of this user only', async () => {
    const leaving = await openRefused(add, [offline])
    const other = await openRefused(add, [offline])
    const outbox = await leaving.reopen()
    let isSignedIn = true
    const otherTab = await leaving.open({ ...onlyTab, id: 'another' }, () => isSignedIn)
    isSignedIn = false
    await outbox.wipe()
    expect(outbox.entries()).toEqual([])
    for (const tab of [outbox, otherTab]) await tab.saveForm({ fields, editing: null })
    expect(await readRowNames(leaving.uid)).toEqual([])
    otherTab.end()
    expect((await leaving.reopen()).entries()).toEqual([])
    expect((await other.reopen()).entries()).toHaveLength(1)
  })

  test('a tab takes over the rows of closed tabs, not those of open tabs', async () => {
    const { open, reopen, send } = await openOutbox()
    send.mockRejectedValue(offline)
    await (await open({ ...onlyTab, id: 'first' })).submit(add)
    const countIn = async (id: string, ...others: string[]) =>
      (await reopen({ id, getOtherTabIds: async () => new Set(others) })).entries().length
    expect(await countIn('second', 'first')).toBe(0)
    expect(await countIn('second')).toBe(1)
    expect(await countIn('third', 'second')).toBe(0)
  })

  test('one of two tabs that open at once takes over a row', async () => {
    const { open, send } = await openOutbox()
    send.mockRejectedValue(offline)
    await (await open({ ...onlyTab, id: 'closed' })).submit(add)
    const getOtherTabIds = async () => new Set(['first', 'second'])
    const tabs = await Promise.all(['first', 'second'].map((id) => open({ id, getOtherTabIds })))
    await Promise.all(tabs.map((outbox) => outbox.load()))
    expect(tabs.flatMap((outbox) => outbox.entries())).toHaveLength(1)
  })

  test('a full database does not prevent sending, and isDurable becomes false', async () => {
    const { outbox, send } = await openOutbox()
    breakStorage('put')
    await outbox.submit(add)
    expect(send).toHaveBeenCalledOnce()
    expect(outbox.isDurable).toBe(false)
  })

  test('an operation is not sent while another account is signed in', async () => {
    const dispatch = vi.fn()
    const store = { dispatch, getState: () => ({ book: [ada] }) } as unknown as Store
    vi.stubGlobal('localStorage', {
      getItem: () => JSON.stringify({ uid: 'other', email: 'other@example.com' }),
    })
    const outbox = await loadOutbox('mine', store, Promise.resolve(onlyTab))
    await outbox.submit(update)
    expect(dispatch).not.toHaveBeenCalled()
    expect(outbox.entries()).toMatchObject([{ state: 'refused', refusal: { code: 'not-signed-in' } }])
    outbox.end()
    vi.unstubAllGlobals()
  })

  test('an unreadable database does not prevent working, and its rows are loaded the next time', async () => {
    const { uid } = await openRefused(add, [offline])
    vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ uid, email: 'me@example.com' }) })
    const broken = breakStorage('getAllKeys')
    const store = { dispatch: vi.fn(() => ({ unwrap: async () => ({}) })) } as unknown as Store
    const outbox = await loadOutbox(uid, store, Promise.resolve(onlyTab))
    expect([outbox.form(), outbox.isFullyLoaded, outbox.isDurable]).toEqual([emptyDraft, false, false])
    await outbox.submit(add)
    expect(store.dispatch).toHaveBeenCalledOnce()
    broken.mockRestore()
    const reloaded = await loadOutbox(uid, store, Promise.resolve(onlyTab))
    expect(reloaded.isFullyLoaded).toBe(true)
    expect(reloaded.entries()).toMatchObject([{ state: 'refused', operation: add }])
  })

  test('what was being sent when the session ended is not stored as failed after it was sent again', async () => {
    const uid = crypto.randomUUID()
    vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ uid, email: 'me@example.com' }) })
    const answers = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()] as const
    const unwrap = vi.fn(() => answers[unwrap.mock.calls.length === 1 ? 0 : 1].promise)
    const getState = () => ({ book: [ada] })
    const store = { dispatch: vi.fn(() => ({ unwrap })), getState } as unknown as Store
    const open = () => openOutboxOf(uid, store, Promise.resolve(onlyTab))
    const first = await open()
    const removing = first.submit(remove())
    await expect.poll(() => unwrap.mock.calls.length).toBe(1)
    first.setForm({ fields, editing: null })
    const second = await open()
    const resent = second.resendWaiting()
    answers[1].resolve(outcome)
    await resent
    answers[0].reject(offline)
    await removing
    const reloaded = await loadOutbox(uid, store, Promise.resolve(onlyTab))
    expect(reloaded.entries()).toMatchObject([{ state: 'deleted', employee: ada }])
    expect(reloaded.form().fields).toEqual(fields)
    expect(unwrap).toHaveBeenCalledTimes(2)
  })

  test('what was saved and could not be deleted is not sent again after a sign-in in this page', async () => {
    const uid = crypto.randomUUID()
    vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ uid, email: 'me@example.com' }) })
    const dispatch = vi.fn(() => ({ unwrap: async () => outcome }))
    const store = { dispatch, getState: () => ({ book: [ada] }) } as unknown as Store
    const open = () => openOutboxOf(uid, store, Promise.resolve(onlyTab))
    const first = await open()
    const broken = breakStorage('delete')
    await first.submit(add)
    expect(first.isDurable).toBe(false)
    const second = await open()
    expect(second.entries()).toEqual([])
    broken.mockRestore()
    await expect.poll(() => second.isDurable, { timeout: 10_000 }).toBe(true)
    expect((await loadOutbox(uid, store, Promise.resolve(onlyTab))).entries()).toEqual([])
  })

  test('what only this page has stays in it while another account is signed in, and is there when its user comes back', async () => {
    const uid = crypto.randomUUID()
    let signedIn: string = uid
    vi.stubGlobal('localStorage', {
      getItem: () => JSON.stringify({ uid: signedIn, email: 'me@example.com' }),
    })
    const answer = Promise.withResolvers<Outcome>()
    answer.promise.catch(() => {})
    const noTab = Promise.reject(new Error('no tab'))
    noTab.catch(() => {})
    const store = { dispatch: () => ({ unwrap: () => answer.promise }), getState: () => ({ book: [ada] }) }
    const open = () => openOutboxOf(uid, store as unknown as Store, noTab)
    const opening = open()
    const outbox = await opening
    const adding = outbox.submit(add)
    signedIn = 'another'
    leaveOutbox(uid, opening)
    answer.reject(offline)
    await adding
    signedIn = uid
    expect((await open()).entries()).toMatchObject([{ state: 'refused', operation: add }])
    await outbox.discard(firstId(outbox))
    signedIn = 'another'
    leaveOutbox(uid, opening)
    await expect.poll(() => outbox.isEnded).toBe(true)
  })

  test('a tab without an id can work in memory', async () => {
    const outbox = await loadOutbox('anyone', {} as Store, Promise.reject(new Error('no tab')))
    expect(outbox.isDurable).toBe(false)
  })

  test('stores nothing in a browser without WebCrypto', async () => {
    const { crypto } = globalThis
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    const { outbox, uid } = await openRefused(add, [offline])
    vi.unstubAllGlobals()
    expect(outbox.isDurable).toBe(false)
    expect(outbox.entries()).toHaveLength(1)
    expect(await readRowNames(uid)).toEqual([])
  })
})

describe('an import', () => {
  const batch = { add: [fields], update: [{ seen: ada, fields: renamed('Ada King', fields) }], remove: [] }
  const result = { ids: ['new'], kept: [] }
  const imported = { type: 'batch', batch, ...result } as const
  const undone = { ...imported, ids: [] }

  test('is retried with the same key', async () => {
    const { outbox, send } = await openOutbox([offline])
    send.mockResolvedValueOnce(imported)
    const refused = await outbox.importBatch(batch, {})
    expect(refused).toMatchObject({ state: 'refused', refusal: { code: 'offline' } })
    expect(await outbox.retry(refused?.id ?? '', {})).toMatchObject({ state: 'imported' })
    const keys = send.mock.calls.map(([operation]) => 'key' in operation && operation.key)
    expect(new Set(keys).size).toBe(1)
  })

  test('is not sent again automatically if it was interrupted; its undo is', async () => {
    const { outbox, send, reopen } = await openOutbox([offline])
    await outbox.importBatch(batch, {})
    const afterReload = await reopen()
    await afterReload.resendWaiting()
    expect(send).toHaveBeenCalledOnce()
    expect(afterReload.entries()).toMatchObject([{ state: 'refused', refusal: { code: 'unfinished' } }])
    const id = firstId(afterReload)
    expect(afterReload.takeForEditing(id)).toBe(false)

    send.mockResolvedValueOnce(imported).mockRejectedValueOnce(offline)
    await afterReload.retry(id)
    await afterReload.undo(id)
    expect(states(afterReload)).toEqual(['refused'])
    send.mockResolvedValueOnce(undone)
    await afterReload.resendWaiting()
    await expect.poll(() => afterReload.entries()).toEqual([])
  })

  test('can be undone until the later ones are too large, but always if it is the last', {
    tags: 'large',
  }, async () => {
    const { outbox, send } = await openOutbox()
    send.mockResolvedValue(imported)
    const large = renamed('x'.repeat(10_000), fields)
    await outbox.importBatch({ ...batch, add: Array(4_000).fill(large) }, {})
    for (let count = 0; count < 4; count++) await outbox.importBatch(batch, {})
    expect(states(outbox)).toEqual(Array(5).fill('imported'))
    const last = await outbox.importBatch({ ...batch, add: Array(7_000).fill(large) }, {})
    expect(outbox.entries()).toEqual([last])
  })
})

/** An edit of some fields, to new values. */
const arbitraryEdits = fc.array(
  fc.record({
    person: fc.constantFrom(0 as const, 1 as const),
    /** The person has not seen what the other has done since their own last edit. */
    isStale: fc.boolean(),
    target: fc.nat({ max: 1 }),
    names: fc.subarray([...fieldNames], { minLength: 1 }),
  }),
  { maxLength: 12 },
)

type Edit = typeof arbitraryEdits extends fc.Arbitrary<(infer T)[]> ? T : never

let valueCount = 0

function createEditor(records: Employee[]) {
  let seen = [...records]
  /** What this person has last written into the fields of each record. */
  const written: Partial<EmployeeFields>[] = records.map(() => ({}))
  const outbox = new Outbox({
    encryptedStore: nullStore,
    getBook: () => records,
    async send(operation) {
      if (operation.kind !== 'update') throw new Error(operation.kind)
      const { employee, before } = operation
      const index = Number(employee.id)
      const current = records[index] as Employee
      const { fields, conflicts } = mergeFields(current, before, employee)
      // Where an undo asks, the other person's value is chosen.
      if (conflicts.length > 0 && !operation.isUndo) throw new ServiceError('conflict', 'Changed.')
      for (const name of fieldNames)
        if (fieldOf(fields, name) !== fieldOf(current, name))
          Object.assign(written[index] ?? {}, { [name]: fields[name] })
      records[index] = { id: employee.id, ...fields }
      return { type: 'updated', document: records[index] }
    },
  })

  return {
    written,
    /** Returns how to undo the edit. An edit in conflict with the other person's is discarded. */
    async edit({ isStale, target, names }: Edit) {
      if (!isStale) seen = [...records]
      const before = seen[target] as Employee
      valueCount += 1
      const type = (name: FieldName) =>
        names.includes(name) ? `${name} ${valueCount}` : fieldOf(before, name)
      const employee = { ...before, ...mapFields(type) }
      const known = new Set(outbox.entries())
      await outbox.submit({ kind: 'update', employee, before })
      const entry = outbox.entries().find((entry) => !known.has(entry))
      if (entry?.state === 'refused') await outbox.discard(entry.id)
      else seen[target] = employee
      return async () => entry && outbox.undo(entry.id)
    },
  }
}

/** Makes a method of the database fail until `mockRestore`. */
const breakStorage = (method: 'put' | 'delete' | 'getAllKeys') =>
  vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
    throw new DOMException('unreadable or full', 'UnknownError')
  })

async function accessVault<T>(access: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await promisifyRequest(indexedDB.open('staffbook'))
  return promisifyRequest(access(database.transaction('vault', 'readwrite').objectStore('vault')))
}

/** Returns the names of the stored rows of a user. */
const readRowNames = async (uid: string) =>
  (await accessVault<string[]>((store) => store.getAllKeys())).filter((name) => name.startsWith(`${uid}/`))
