import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changedNames,
  type Employee,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  pickFields,
  pickNamed,
} from '../../../../contract/employees.ts'
import { connectSignedIn } from '../../../../tests/support/backend-client.ts'
import { createMemoryBackend } from '../../../../tests/support/memory-services.ts'
import { isNightly } from '../../../../tests/support/nightly.ts'
import { fieldsWith } from '../../../../tests/support/people.ts'
import { ServiceError } from '../../../backends/ports.ts'
import { fetchBooks, sendOperation } from '../book/book-slice.ts'
import { draftFromEmployee, emptyDraft, operationFromDraft } from '../book/operation.ts'
import { makeStore } from '../book/store.ts'
import { mergeDraft, typeIntoDraft } from '../editing/merge-draft.ts'
import { nullStore } from './encrypted-store.ts'
import { applyPendingUpdates, canUndo, type Entry } from './entry.ts'
import { Outbox } from './outbox.ts'

type Network = 'online' | 'offline' | 'loses answers'

const offline = new ServiceError('offline', 'The server can’t be reached.')
const [nameField, emailField] = fieldNames as [FieldName, FieldName]

/** A page with one record, which nobody else changes but `changeAsColleague`. */
async function openPage() {
  const backend = createMemoryBackend()
  const { documents } = await connectSignedIn(backend)
  const colleague = await connectSignedIn(backend)
  const id = await documents.add(fieldsWith('0'), 'key')
  const store = makeStore(documents)
  /** The store of a page that learns nothing. */
  const noStore = makeStore(documents)
  let network: Network = 'online'
  const getBook = () => store.getState().book
  const outbox = new Outbox({
    encryptedStore: nullStore,
    getBook,
    async send(operation, options, key) {
      if (network === 'offline') throw offline
      const isAnswered = network === 'online'
      const outcome = await (isAnswered ? store : noStore)
        .dispatch(sendOperation({ operation, options, key }))
        .unwrap()
      if (!isAnswered) throw offline
      return outcome
    },
  })
  const connection = new AbortController()
  outbox.keepSending(connection.signal)
  const load = () => store.dispatch(fetchBooks())
  await load()
  /** The changes that were submitted and not taken back, in order. */
  const changes = new Map<string, Partial<EmployeeFields>>()
  let textCount = 0
  const makeTexts = (names: readonly FieldName[]) => {
    textCount += 1
    const texts = fieldsWith(`${textCount}`)
    return pickNamed(names, texts)
  }
  const getRecord = () => getBook()[0] as Employee
  const getShown = () => applyPendingUpdates(getRecord(), outbox.entries())

  async function submit(draft = emptyDraft) {
    const operation = operationFromDraft(draft)
    if (operation.kind !== 'update') throw new Error(operation.kind)
    const { before, employee } = operation
    const done = outbox.submit(operation)
    const texts = pickNamed(changedNames(before, employee), employee)
    changes.set(outbox.entries().at(-1)?.id ?? '', texts)
    await done
    return texts
  }

  return {
    outbox,
    changes,
    load,
    getShown,
    setNetwork: (next: Network) => {
      network = next
    },
    /** Changes fields of the record as the service has it. The page does not learn it. */
    async changeAsColleague(names: readonly FieldName[]) {
      const texts = makeTexts(names)
      await colleague.documents.update(id, { ...((await documents.list())[0] as Employee), ...texts })
      return texts
    },
    /** Changes fields of the record as it is shown. Returns the entry. */
    async edit(names: readonly FieldName[]) {
      const draft = draftFromEmployee(getShown())
      outbox.replaceForm({ ...draft, fields: { ...draft.fields, ...makeTexts(names) } })
      const submitting = submit(outbox.form())
      void outbox.saveForm(emptyDraft)
      await submitting
      return outbox.entries().at(-1)?.id ?? ''
    },
    open(names: readonly FieldName[]) {
      const draft = draftFromEmployee(getShown())
      outbox.replaceForm({ ...draft, fields: { ...draft.fields, ...makeTexts(names) } })
    },
    type(names: readonly FieldName[]) {
      const { draft } = mergeDraft(outbox.form(), getShown())
      outbox.setForm(typeIntoDraft(outbox.form(), draft, { ...draft.fields, ...makeTexts(names) }))
    },
    /** What the form shows. */
    getForm: () => mergeDraft(outbox.form(), getShown()),
    async submitForm() {
      const { draft, conflicts } = mergeDraft(outbox.form(), getShown())
      expect(conflicts).toEqual([])
      const submitting = submit(draft)
      void outbox.saveForm(emptyDraft)
      return submitting
    },
    async discard(id: string) {
      changes.delete(id)
      await outbox.discard(id)
    },
    takeForEditing(id: string) {
      changes.delete(id)
      return outbox.takeForEditing(id)
    },
    async undo(id: string) {
      changes.delete(id)
      await outbox.undo(id)
    },
    remove: () => outbox.submit({ kind: 'remove', employee: getRecord() }),
    /** Sends what waits. Returns the records of the service. */
    async reconnect() {
      network = 'online'
      await load()
      for (let isWaiting = true; isWaiting; ) {
        await outbox.resendWaiting()
        isWaiting = outbox.entries().some(({ state }) => state === 'sending')
      }
      connection.abort()
      await outbox.saveForm(emptyDraft)
      return documents.list()
    },
    expected: () => ({ ...fieldsWith('0'), ...Object.assign({}, ...changes.values()) }),
  }
}

const states = (outbox: Outbox) => outbox.entries().map(({ state }) => state)

describe.each<Network>(['offline', 'loses answers'])(
  'while the page %s, of two edits of one field',
  (network) => {
    async function openEdited() {
      const page = await openPage()
      page.setNetwork(network)
      const ids = [await page.edit([nameField, emailField]), await page.edit([nameField])] as const
      expect(states(page.outbox)).toEqual(['refused', 'refused'])
      return { page, first: ids[0], second: ids[1] }
    }

    test('the second is saved after the first was discarded', async () => {
      const { page, first } = await openEdited()
      await page.discard(first)
      const [record] = await page.reconnect()
      expect(record?.[nameField]).toBe(fieldOf(fieldsWith('2'), nameField))
      expect(states(page.outbox)).not.toContain('refused')
    })

    test('the second is saved after the first was undone, which can be taken into the form again', async () => {
      const { page, first } = await openEdited()
      await page.undo(first)
      if (network === 'offline') {
        expect(page.takeForEditing(first)).toBe(true)
        await page.submitForm()
      }
      await page.reconnect()
      expect(states(page.outbox)).not.toContain('refused')
    })

    test('the first, edited and submitted again, is saved after the second', async () => {
      const { page, first } = await openEdited()
      expect(page.takeForEditing(first)).toBe(true)
      const { draft, conflicts } = page.getForm()
      expect(draft.fields).toMatchObject(pickNamed([nameField, emailField], fieldsWith('1')))
      expect(conflicts).toEqual([])
      page.type([nameField])
      await page.submitForm()
      const [record] = await page.reconnect()
      expect(pickFields(record as Employee)).toEqual(page.expected())
      expect(record?.[nameField]).toBe(fieldOf(fieldsWith('3'), nameField))
      expect(states(page.outbox)).not.toContain('refused')
    })

    test('a deletion that follows is done after both were discarded', async () => {
      const { page, first, second } = await openEdited()
      await page.remove()
      await page.discard(first)
      await page.discard(second)
      expect(await page.reconnect()).toEqual([])
      expect(states(page.outbox)).toEqual(['discarded', 'discarded', 'deleted'])
    })

    test('the form and a stashed edit follow', async () => {
      const { page, first, second } = await openEdited()
      page.open([emailField])
      page.open([nameField])
      await page.discard(first)
      await page.discard(second)
      await page.submitForm()
      const stashed = page.outbox.entries().find(({ state }) => state === 'draft')
      expect(page.takeForEditing(stashed?.id ?? '')).toBe(true)
      await page.submitForm()
      await page.reconnect()
      expect(states(page.outbox)).not.toContain('refused')
    })
  },
)

test('an edit that waits is saved after an earlier one, which was saved, was undone', async () => {
  const page = await openPage()
  const saved = await page.edit([nameField, emailField])
  page.setNetwork('offline')
  await page.edit([nameField])
  await page.undo(saved)
  const [record] = await page.reconnect()
  expect(pickFields(record as Employee)).toEqual(page.expected())
  expect(states(page.outbox)).not.toContain('refused')
})

test('an edit whose answer was lost is saved after an earlier one, which was saved, was undone', async () => {
  const page = await openPage()
  const saved = await page.edit([nameField, emailField])
  page.setNetwork('loses answers')
  await page.edit([nameField])
  page.setNetwork('offline')
  await page.edit([emailField])
  await page.undo(saved)
  const [record] = await page.reconnect()
  expect(pickFields(record as Employee)).toEqual(page.expected())
  expect(states(page.outbox)).not.toContain('refused')
})

test('of two edits, of which the answer to the later was lost, both are undone', async () => {
  const page = await openPage()
  const saved = await page.edit([nameField])
  page.setNetwork('loses answers')
  const later = await page.edit([nameField])
  page.setNetwork('offline')
  await page.undo(saved)
  await page.outbox.resendWaiting()
  await page.undo(later)
  const [record] = await page.reconnect()
  expect(pickFields(record as Employee)).toEqual(fieldsWith('0'))
  expect(states(page.outbox)).not.toContain('refused')
})

describe('an edit of a field, of which an earlier edit was saved without an answer, is saved', () => {
  type Page = Awaited<ReturnType<typeof openPage>>

  async function openSaved() {
    const page = await openPage()
    page.setNetwork('loses answers')
    const saved = await page.edit([nameField])
    page.setNetwork('offline')
    return { page, saved }
  }

  async function expectSaved(page: Page) {
    await page.edit([nameField])
    const [record] = await page.reconnect()
    expect(record).toEqual({ ...record, ...page.expected() })
    expect(states(page.outbox)).not.toContain('refused')
  }

  test.each<[string, (page: Page, saved: string) => unknown]>([
    ['it was discarded', (page, saved) => page.discard(saved)],
    ['it was taken into the form, and left there', (page, saved) => page.takeForEditing(saved)],
    [
      'it was taken into the form, and discarded there',
      (page, saved) => {
        page.takeForEditing(saved)
        page.outbox.replaceForm(emptyDraft, 'discarded')
      },
    ],
    [
      'it was taken into the form, and discarded as an unfinished edit',
      (page, saved) => {
        page.takeForEditing(saved)
        page.outbox.replaceForm(emptyDraft)
        return page.discard(page.outbox.entries()[0]?.id ?? '')
      },
    ],
  ])('after %s', async (_, act) => {
    const { page, saved } = await openSaved()
    await act(page, saved)
    await expectSaved(page)
  })

  test('and can be undone, if it is that one, edited', async () => {
    const { page, saved } = await openSaved()
    page.takeForEditing(saved)
    page.type([nameField])
    await page.submitForm()
    await page.undo(page.outbox.entries()[0]?.id ?? '')
    const [record] = await page.reconnect()
    expect(record).toMatchObject(fieldsWith('0'))
    expect(states(page.outbox)).not.toContain('refused')
  })

  test('the record can be deleted, after it was discarded', async () => {
    const { page, saved } = await openSaved()
    await page.discard(saved)
    await page.remove()
    expect(await page.reconnect()).toEqual([])
  })
})

const conflictsOf = ({ outbox }: Awaited<ReturnType<typeof openPage>>) =>
  outbox.entries().flatMap((entry) => (entry.state === 'refused' ? [entry.refusal.code] : []))

describe('an edit that was saved without an answer, and that a colleague has replaced, is no conflict', () => {
  test('after it was taken into the form above a later one, and submitted as it was', async () => {
    const page = await openPage()
    page.setNetwork('loses answers')
    const saved = await page.edit([nameField])
    page.setNetwork('offline')
    await page.edit([emailField])
    const theirs = await page.changeAsColleague([nameField])
    expect(page.takeForEditing(saved)).toBe(true)
    await page.submitForm()
    const [record] = await page.reconnect()
    expect(conflictsOf(page)).toEqual([])
    expect(record).toMatchObject({ ...theirs, ...pickNamed([emailField], fieldsWith('2')) })
  })

  test('after an earlier one, on which it is based, was undone', async () => {
    const page = await openPage()
    const earlier = await page.edit([emailField])
    page.setNetwork('loses answers')
    await page.edit([nameField])
    page.setNetwork('offline')
    const theirs = await page.changeAsColleague([nameField])
    await page.undo(earlier)
    const [record] = await page.reconnect()
    expect(conflictsOf(page)).toEqual([])
    expect(record).toMatchObject({ ...fieldsWith('0'), ...theirs })
  })
})

const arbitraryActions = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'edit',
      'edit',
      'open',
      'type',
      'submit',
      'load',
      'network',
      'discard',
      'take',
      'undo',
    ),
    network: fc.constantFrom<Network>('online', 'offline', 'offline', 'loses answers', 'loses answers'),
    names: fc.subarray([...fieldNames], { minLength: 1 }),
    pick: fc.nat(),
  } as const),
  { maxLength: 14 },
)

test('nobody has a conflict with themselves, whatever they take out of the outbox', async () => {
  const property = fc.asyncProperty(arbitraryActions, fc.boolean(), async (actions, isRemoved) => {
    const page = await openPage()
    const { outbox } = page
    page.setNetwork('offline')
    const isEditing = () => outbox.form().editing !== null
    /** What the undo of something saved takes back is not counted here. */
    let isExpected = !isRemoved
    for (const { kind, network, names, pick } of actions) {
      const choose = (isWanted: (entry: Entry) => boolean) => {
        const wanted = outbox.entries().filter(isWanted)
        return wanted[pick % wanted.length]?.id
      }
      const refused = choose(({ state }) => state === 'refused')
      if (kind === 'edit') await page.edit(names)
      if (kind === 'open') page.open(names)
      if (kind === 'type' && isEditing()) page.type(names)
      if (kind === 'submit' && isEditing()) await page.submitForm()
      if (kind === 'load') await page.load()
      if (kind === 'network') page.setNetwork(network)
      // What is taken out may be saved.
      if (kind === 'network' && network === 'loses answers') isExpected = false
      if (kind === 'discard' && refused) await page.discard(refused)
      if (kind === 'take' && refused) page.takeForEditing(refused)
      const undoable = choose((entry) => canUndo(entry) && entry.state !== 'discarded')
      if (kind === 'undo' && undoable) {
        if (outbox.entries().some(({ id, state }) => id === undoable && state === 'updated'))
          isExpected = false
        await page.undo(undoable)
      }
    }
    if (isRemoved) {
      await page.remove()
      for (const { id, state } of outbox.entries()) if (state === 'refused') await page.discard(id)
    }
    const records = await page.reconnect()
    expect(outbox.entries().filter(({ state }) => state === 'refused')).toEqual([])
    if (isExpected) expect(records.map(pickFields)).toEqual([page.expected()])
  })
  await fc.assert(property, { numRuns: isNightly ? 10_000 : 200 })
})
