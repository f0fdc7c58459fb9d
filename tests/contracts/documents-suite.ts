import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Employee,
  type EmployeeFields,
  fieldNames,
  optionalFieldNames,
  pickFields,
} from '../../contract/employees.ts'
import { applyChanges } from '../../web/backends/apply-changes.ts'
import { applyBatch } from '../../web/backends/batch.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import type { PreviousPasswordService } from '../../web/backends/ports.ts'
import { addEdited, updateEdited } from '../../web/records/model/book/edited-operations.ts'
import {
  connectSignedIn,
  newCredentials,
  recordChanges,
  type TestBackend,
  type TestClient,
  whenReachable,
} from '../support/backend-client.ts'
import { forward } from '../support/forward.ts'
import { ada, alan, fieldsWith, grace, makeEmployees, without } from '../support/people.ts'

const addAda = { add: [ada], update: [], remove: [] }

/** The contract of `DocumentStore`, beside documents-model.ts. Every adapter runs it against its real backend. */
export function documentsSuite(name: string, start: () => Promise<TestBackend>) {
  describe(`document store: ${name}`, () => {
    const backend = provideBackend(start)
    const { mine, theirs, me, them } = provideTwoClients(backend)

    beforeEach(() =>
      whenReachable(async () => {
        for (const { id } of await mine.documents.list()) await mine.documents.remove(id)
      }),
    )

    test('every field is stored, merged, restored and reported to other clients', async () => {
      let current = fieldsWith('first')
      const id = await mine.documents.add(current, key())
      const before = await theirs.documents.list()
      expect(before).toEqual([{ id, ...current }])
      const { received } = await listen(theirs)
      for (const name of fieldNames) {
        const changed = { ...current, [name]: fieldsWith('second')[name] }
        expect(await mine.documents.update(id, changed, current), name).toEqual(changed)
        const other = mine.documents.update(id, { ...current, [name]: fieldsWith('other')[name] }, current)
        await expect(other, name).rejects.toMatchObject({ code: 'conflict' })
        current = changed
      }
      await expect.poll(() => applyChanges(before, received.changes)).toEqual([{ id, ...current }])
      await mine.documents.remove(id)
      await mine.documents.restore({ id, ...current })
      expect(await mine.documents.list()).toEqual([{ id, ...current }])
    })

    test.each(optionalFieldNames)('%s stays as it is if a page does not know it', async (name) => {
      const keep = (text: string): EmployeeFields => ({ ...fieldsWith(text), [name]: fieldsWith('1')[name] })
      const id = await theirs.documents.add(fieldsWith('1'), key())
      const before = await theirs.documents.list()
      const { received } = await listen(theirs)
      const known = (text: string) => without(name, keep(text))
      expect(await mine.documents.update(id, known('2'), known('1'))).toEqual(keep('2'))
      await mine.documents.update(id, known('3'))
      const update = [{ seen: { id, ...known('3') }, fields: known('4') }]
      expect(await mine.documents.writeBatch({ add: [], update, remove: [] }, key())).toMatchObject({
        kept: [],
      })
      await expect.poll(() => applyChanges(before, received.changes)).toEqual([{ id, ...keep('4') }])
      const removal = { add: [], update: [], remove: [{ id, ...known('4') }] }
      for (const isBatch of [false, true]) {
        expect(await mine.documents.writeBatch(removal, key())).toMatchObject({ kept: [] })
        const restored = { id, ...known('4') }
        if (isBatch)
          await mine.documents.writeBatch({ add: [], update: [], remove: [], restore: [restored] }, key())
        else await mine.documents.restore(restored)
        expect(await theirs.documents.list()).toEqual([{ id, ...keep('4') }])
      }
      await mine.documents.update(id, { ...keep('4'), [name]: '' }, keep('4'))
      expect(await theirs.documents.list()).toEqual([{ id, ...known('4') }])
    })

    test('keeps the passwords that a change, an import or a restore replaces, of which each is read alone', async () => {
      const [my, their] = [mine.documents, theirs.documents]
      const id = await my.add({ ...ada, password: '1' }, key())
      await their.update(id, { ...grace, password: '2' }, { ...ada, password: '1' })
      await my.update(id, { ...ada, password: '2' })
      const seen = { id, ...ada, password: '2' }
      await my.writeBatch(
        { add: [], update: [{ seen, fields: { ...ada, password: '3' } }], remove: [] },
        key(),
      )
      const service = their.previousPasswords as PreviousPasswordService
      const listed = await service.list(id)
      expect(listed.map(({ replacedBy }) => replacedBy)).toEqual([me.email, them.email])
      const read = ({ key }: { key: string }) => service.read(id, key)
      expect(await Promise.all(listed.map(read))).toEqual([{ password: '2' }, { password: '1' }])
      await expect(read({ key: 'unknown' })).rejects.toMatchObject({ code: 'no-longer-kept' })
      expect(await service.list(await my.add(ada, key()))).toEqual([])
    })

    test('one of two concurrent updates of the same field passes', async () => {
      const id = await mine.documents.add(ada, key())
      const update = ({ documents }: TestClient, eName: string) =>
        documents.update(id, { ...ada, eName }, ada).catch(({ code }) => code)
      const outcomes = await Promise.all([update(mine, 'Ada King'), update(theirs, 'Ada Byron')])
      expect(outcomes).toContain('conflict')
      const [stored] = await mine.documents.list()
      expect(outcomes).toContainEqual(pickFields(stored ?? ada))
    })

    test('the same key from another account creates another record', async () => {
      const repeatedKey = key()
      await mine.documents.add(ada, repeatedKey)
      await theirs.documents.add(grace, repeatedKey)
      const book = (await mine.documents.list()).map(pickFields)
      // If ids carry the order, two records with the same key have no defined order.
      expect(book.sort((a, b) => a.eName.localeCompare(b.eName))).toEqual([ada, grace])
    })

    test('stores any text unchanged: scripts, emoji, quotes, line breaks, long values (§3)', async () => {
      const unusual = {
        eName: 'عائشة 👩‍💻 "O\'Brien"\n<script>\u2028',
        email: "o'brien+x@example.com",
        password: `${'ü'.repeat(4000)}\t=1+1`,
      }
      const id = await mine.documents.add(unusual, key())
      expect(await theirs.documents.list()).toEqual([{ id, ...unusual }])
    })

    test.each([
      ['eName', ''],
      ['email', ''],
      ['password', ''],
      ['password', 'x'.repeat(10_001)],
    ])('rejects an invalid %s, names the field, and writes nothing (§5)', async (field, value) => {
      const adding = mine.documents.add({ ...ada, [field]: value }, key())
      await expect(adding).rejects.toMatchObject({ code: 'invalid-request', field })
      expect(await mine.documents.list()).toEqual([])
    })

    test('without a network every call rejects with offline', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.cutNetwork()
      const expectedError = { code: 'offline' }
      await expect(mine.documents.list()).rejects.toMatchObject(expectedError)
      await expect(mine.documents.add(grace, key())).rejects.toMatchObject(expectedError)
      await expect(mine.documents.update(id, grace)).rejects.toMatchObject(expectedError)
      await expect(mine.documents.remove(id)).rejects.toMatchObject(expectedError)
      await expect(mine.documents.restore({ id, ...ada })).rejects.toMatchObject(expectedError)
      await expect(mine.documents.writeBatch(addAda, key())).rejects.toMatchObject(expectedError)
      await mine.restoreNetwork()
      await expect.poll(() => mine.documents.list()).toEqual([{ id, ...ada }])
    })

    test('a batch that is cancelled writes nothing', async () => {
      const cancelled = mine.documents.writeBatch(addAda, key(), { signal: AbortSignal.abort() })
      await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
      expect(await mine.documents.list()).toEqual([])
    })

    test('live: notifies of another client\u2019s batch, or that the list is stale', async () => {
      const { received } = await listen(mine)
      const { ids } = await theirs.documents.writeBatch({ add: [ada, grace], update: [], remove: [] }, key())
      await expect.poll(() => received.changes.length === 2 || received.stale > 0).toBe(true)
      if (received.stale === 0) {
        expect(applyChanges([], received.changes).map(({ id }) => id)).toEqual(ids)
      }
    })

    test('a batch restores records in their places for everybody; what others have restored and changed stays', async () => {
      const before = await mine.documents.add(ada, key())
      const fields = makeEmployees(5)
      const { ids } = await mine.documents.writeBatch({ add: fields, update: [], remove: [] }, key())
      const records = (await mine.documents.list()).slice(1)
      await mine.documents.writeBatch({ add: [], update: [], remove: records }, key())
      const changed = { id: ids[2] as string, ...alan }
      await theirs.documents.restore(changed)
      const rest = await theirs.documents.list()
      await mine.documents.list()
      const { received } = await listen(theirs)
      // In another order than that of the list, as a sorted table has them.
      const batch = { add: [], update: [], remove: [], restore: records.toReversed() }
      const restoreKey = key()
      const places = records.map(({ id }, i) => ({ id, after: ids[i - 1] ?? before }))
      const result = { ids: [], kept: [changed.id], restored: places.toSpliced(2, 1) }
      expect(await mine.documents.writeBatch(batch, restoreKey)).toEqual(result)
      expect(await mine.documents.writeBatch(batch, restoreKey)).toEqual(result)
      const expected = [{ id: before, ...ada }, ...records.with(2, changed)]
      expect(applyBatch(rest, batch, result)).toEqual(expected)
      expect(await theirs.documents.list()).toEqual(expected)
      await expect.poll(() => applyChanges(rest, received.changes)).toEqual(expected)
      expect(received.stale).toBe(0)
    })

    test('a restore keeps what others have saved since its author saw the record; what the author has changed wins', async () => {
      const seen = fieldsWith('first')
      const id = await mine.documents.add(seen, key())
      const changed = { ...fieldsWith('second'), email: seen.email }
      await theirs.documents.update(id, changed, seen)
      await theirs.documents.remove(id)
      await theirs.documents.list()
      const { received } = await listen(theirs)
      const { eName, email } = fieldsWith('mine')
      const edited = { id, ...seen, eName, email }
      const expected = { id, ...changed, eName, email }
      const restored = { document: expected, after: null }
      expect(await mine.documents.restore(edited, seen)).toEqual(restored)
      // As after a lost response.
      expect(await mine.documents.restore(edited, seen)).toEqual(restored)
      expect(await mine.documents.list()).toEqual([expected])
      await expect.poll(() => applyChanges([], received.changes)).toEqual([expected])
      await expect(mine.documents.restore({ ...edited, eName: 'Other' }, seen)).rejects.toMatchObject({
        code: 'id-in-use',
      })
    })

    test.each(['alone', 'in a batch'])(
      'a deletion that is undone %s restores what others had saved before it, or in between',
      async (how) => {
        const seen = fieldsWith('first')
        const id = await mine.documents.add(seen, key())
        const changed = fieldsWith('second')
        await theirs.documents.update(id, changed, seen)
        // Who deletes it may not have received the change yet.
        await mine.documents.remove(id)
        const undone = { id, ...seen }
        const result = { document: { id, ...changed }, after: null }
        const batch = { add: [], update: [], remove: [], restore: [undone] }
        if (how === 'alone') expect(await mine.documents.restore(undone, undone)).toEqual(result)
        else {
          const written = await mine.documents.writeBatch(batch, key())
          expect(written).toEqual({ ids: [], kept: [], restored: [{ id, ...result }] })
          expect(applyBatch([], batch, written)).toEqual([result.document])
        }
        expect(await theirs.documents.list()).toEqual([result.document])
        // A colleague has restored it: nothing is left to be undone.
        expect(await mine.documents.restore(undone, undone)).toEqual(result)
        expect(await theirs.documents.list()).toEqual([result.document])
      },
    )

    test('an addition that was edited after a lost response is merged with what others have changed since', async () => {
      const [sent, other] = [fieldsWith('first'), fieldsWith('second')]
      const sentAs = key()
      const id = await mine.documents.add(sent, sentAs)
      const changed = { ...sent, password: other.password }
      await theirs.documents.update(id, changed, sent)
      const addAgain = (fields: EmployeeFields) =>
        addEdited(mine.documents, { kind: 'add', fields, key: sentAs, mayExist: true, sent: [sent] })
      const edited = { ...sent, email: other.email }
      const merged = { id, ...edited, password: other.password }
      expect(await addAgain(edited)).toMatchObject({ document: merged })
      await theirs.documents.remove(id)
      expect(await addAgain(edited)).toMatchObject({ document: merged })
      expect(await theirs.documents.list()).toEqual([merged])
      await expect(addAgain({ ...sent, password: 'mine' })).rejects.toMatchObject({
        code: 'conflict',
        instead: {
          kind: 'update',
          employee: { id, password: 'mine' },
          before: { id, password: sent.password },
        },
      })
      expect(await theirs.documents.list()).toEqual([merged])
    })

    test('an addition that was edited before it was saved, and is repeated, changes nothing of what others have made of it', async () => {
      const [sent, edited, other] = [fieldsWith('first'), fieldsWith('second'), fieldsWith('third')]
      const operation = { key: key(), sent: [{ ...sent, key: key() }], fields: edited }
      const addAgain = () => addEdited(mine.documents, { kind: 'add', mayExist: true, ...operation })
      const { document } = (await addAgain()) as { document: Employee }
      expect(document).toEqual({ id: document.id, ...edited })
      const changed = { ...edited, email: other.email }
      await theirs.documents.update(document.id, changed, edited)
      await addAgain()
      expect(await theirs.documents.list()).toEqual([{ id: document.id, ...changed }])
      await theirs.documents.remove(document.id)
      await addAgain()
      expect(await theirs.documents.list()).toEqual([])
    })

    test('an addition that is edited back to what was saved between others is saved so again', async () => {
      const [first, second, third] = [fieldsWith('first'), fieldsWith('second'), fieldsWith('third')]
      const [addKey, sentWith] = [key(), key()]
      const id = await mine.documents.add(first, addKey)
      const addAgain = (fields: EmployeeFields, others: EmployeeFields[]) => {
        const sent = others.map((version) => ({ ...version, key: sentWith }))
        return addEdited(mine.documents, { kind: 'add', mayExist: true, key: addKey, sent, fields }, key())
      }
      await addAgain(second, [first])
      await addAgain(third, [first, second])
      await addAgain(second, [first, second, third])
      expect(await theirs.documents.list()).toEqual([{ id, ...second }])
      await addAgain(first, [first, second, third, second])
      expect(await theirs.documents.list()).toEqual([{ id, ...first }])
    })

    test('a change that was saved, is edited and repeated, is no conflict with what others have made of it since', async () => {
      const [before, saved, other] = [fieldsWith('first'), fieldsWith('second'), fieldsWith('third')]
      const id = await mine.documents.add(before, key())
      const edit = { ...before, eName: saved.eName }
      const sentWith = key()
      await mine.documents.update(id, edit, before, sentWith)
      const changed = { ...before, eName: other.eName }
      await theirs.documents.update(id, changed, edit)
      const again = (fields: EmployeeFields, attemptKey: string) => {
        const sent = [{ ...edit, key: attemptKey }]
        const operation = {
          kind: 'update',
          employee: { id, ...fields },
          before: { id, ...before },
          sent,
        } as const
        return updateEdited(mine.documents, operation, key())
      }
      // One that was not saved.
      await expect(again(edit, key())).rejects.toMatchObject({ code: 'conflict' })
      expect(await again(edit, sentWith)).toEqual(changed)
      const merged = { ...changed, email: other.email }
      expect(await again({ ...edit, email: other.email }, sentWith)).toEqual(merged)
      await expect(again({ ...before, eName: 'Mine' }, sentWith)).rejects.toMatchObject({ code: 'conflict' })
      expect(await theirs.documents.list()).toEqual([{ id, ...merged }])
    })

    test('a batch with an invalid record to restore names it, and writes nothing', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.documents.remove(id)
      const restore = [
        { id, ...ada },
        { id, ...ada, eName: '' },
      ]
      const writing = mine.documents.writeBatch({ add: [], update: [], remove: [], restore }, key())
      await expect(writing).rejects.toMatchObject({ code: 'invalid-request', field: 'restore/1/eName' })
      expect(await mine.documents.list()).toEqual([])
    })

    test('live: notifies of another client\u2019s add, update, removal and restore in order', async () => {
      const before = await mine.documents.add(ada, key())
      const { received } = await listen(mine)
      const id = await theirs.documents.add(grace, key())
      await expect.poll(() => received.changes).toHaveLength(1)
      await theirs.documents.update(id, alan)
      await expect.poll(() => received.changes).toHaveLength(2)
      await theirs.documents.remove(id)
      await expect.poll(() => received.changes).toHaveLength(3)
      await theirs.documents.restore({ id, ...alan })
      await expect.poll(() => received.changes).toHaveLength(4)
      expect(received.changes).toEqual([
        { type: 'saved', document: { id, ...grace }, after: before },
        { type: 'saved', document: { id, ...alan }, after: before },
        { type: 'removed', id },
        { type: 'saved', document: { id, ...alan }, after: before },
      ])
      expect(received.stale).toBe(0)
    })

    test('live: notifies of the current record of a conflict, and of both changes of a merge', async () => {
      const id = await mine.documents.add(ada, key())
      const { received } = await listen(mine)
      const current = { ...ada, eName: 'Ada Byron' }
      await theirs.documents.update(id, current)
      const conflict = mine.documents.update(id, { ...ada, eName: 'Ada King' }, ada)
      await expect(conflict).rejects.toMatchObject({ code: 'conflict' })
      const last = () => applyChanges([], received.changes).at(-1)
      await expect.poll(last).toEqual({ id, ...current })
      await mine.documents.update(id, { ...ada, password: 'mine' }, ada)
      await expect.poll(last).toEqual({ id, ...current, password: 'mine' })
    })

    test('live: does not notify after unsubscribing', async () => {
      const { received, stop } = await listen(mine)
      stop()
      await theirs.documents.add(grace, key())
      await mine.documents.list()
      expect(received.changes).toEqual([])
    })

    test('live: notifies of all changes made while the connection was lost, or that the list is stale', async () => {
      const removed = await mine.documents.add(ada, key())
      const { received } = await listen(mine)
      await mine.cutNetwork()
      await expect.poll(() => received.connected).toBe(false)
      const added = await theirs.documents.add(grace, key())
      await theirs.documents.remove(removed)
      await mine.restoreNetwork()
      await expect.poll(() => received.connected).toBe(true)
      await expect.poll(() => received.changes.length + received.stale).toBeGreaterThan(0)
      if (received.stale === 0) {
        expect(applyChanges([{ id: removed, ...ada }], received.changes)).toEqual([{ id: added, ...grace }])
      }
      expect(await mine.documents.list()).toEqual([{ id: added, ...grace }])
    })

    test('live: notifies that the session has been ended on the server', async () => {
      const person = newCredentials()
      const leaving = await connectSignedIn(backend, person)
      const { received } = await listen(leaving)
      await backend.endSessions(person.email)
      await expect.poll(() => received.ended).toBe(true)
      await expect(leaving.documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
    })
  })
}

/** Records all notifications from when the client is connected until the test ends, or `stop` is called. */
export async function listen({ documents }: TestClient) {
  const { received, stop } = await recordChanges(documents)
  onTestFinished(stop)
  await expect.poll(() => received.connected).toBe(true)
  return { received, stop }
}

/** Two people who are signed in, and their credentials. */
export function provideTwoClients(backend: TestBackend) {
  let clients: TestClient[]
  const [me, them] = [newCredentials(), newCredentials()]
  beforeAll(async () => {
    clients = [await connectSignedIn(backend, me), await connectSignedIn(backend, them)]
  })
  const provide = (index: number) => forward(() => clients[index] as TestClient)
  return { mine: provide(0), theirs: provide(1), me, them }
}

/** Starts a backend before the tests of a group, and stops it after them. */
export function provideBackend<Backend extends TestBackend>(start: () => Promise<Backend>): Backend {
  let backend: Backend
  beforeAll(async () => {
    backend = await start()
    return () => backend.stop()
  })
  return forward(() => backend)
}
