import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pickFields } from '../../contract/employees.ts'
import { applyChanges } from '../../web/backends/apply-changes.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import {
  connectSignedIn,
  newCredentials,
  recordChanges,
  type TestBackend,
  type TestClient,
} from '../support/backend-client.ts'

const ada = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
const grace = { eName: 'Grace Hopper', email: 'grace@example.com', password: 'nanoseconds' }
const alan = { eName: 'Alan Turing', email: 'alan@example.com', password: 'bombe' }

/** What every document store promises the page; each adapter runs it against its real backend. */
export function documentsSuite(name: string, start: () => Promise<TestBackend>) {
  describe(`document store: ${name}`, () => {
    let backend: TestBackend
    let mine: TestClient
    let theirs: TestClient

    beforeAll(async () => {
      backend = await start()
      mine = await connectSignedIn(backend)
      theirs = await connectSignedIn(backend)
    })
    afterAll(() => backend.stop())

    beforeEach(async () => {
      for (const { id } of await mine.documents.list()) await mine.documents.remove(id)
    })

    test('7 add answers the new id, and list has the fields plus the id, in order of creation', async () => {
      const first = await mine.documents.add(ada, key())
      const second = await theirs.documents.add(grace, key())
      expect(first).not.toBe(second)
      expect(await mine.documents.list()).toEqual([
        { id: first, ...ada },
        { id: second, ...grace },
      ])
    })

    test('7 update writes the three fields, and the record keeps its place', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.documents.add(grace, key())
      await theirs.documents.update(id, alan)
      const [changed] = await mine.documents.list()
      expect(changed).toEqual({ id, ...alan })
    })

    test('7 delete takes that record out, and only that', async () => {
      const id = await mine.documents.add(ada, key())
      const kept = await mine.documents.add(grace, key())
      await mine.documents.remove(id)
      expect(await theirs.documents.list()).toEqual([{ id: kept, ...grace }])
    })

    test('7 deleting what is gone already is no error', async () => {
      const id = await mine.documents.add(ada, key())
      await theirs.documents.remove(id)
      await expect(mine.documents.remove(id)).resolves.toBeUndefined()
    })

    test('7 updating what is gone is not-found, and brings nothing back', async () => {
      const id = await mine.documents.add(ada, key())
      await theirs.documents.remove(id)
      await expect(mine.documents.update(id, grace)).rejects.toMatchObject({ code: 'not-found' })
      expect(await mine.documents.list()).toEqual([])
    })

    test('an add that is sent again makes one record', async () => {
      const once = key()
      const id = await mine.documents.add(ada, once)
      expect(await mine.documents.add(ada, once)).toBe(id)
      expect(await mine.documents.list()).toHaveLength(1)
    })

    test('the key is the adder\u2019s own: a colleague\u2019s add with the same key is another record', async () => {
      const once = key()
      await mine.documents.add(ada, once)
      await theirs.documents.add(grace, once)
      const book = (await mine.documents.list()).map(pickFields)
      // One key is one moment: where ids carry the order, it does not say which of the two comes first.
      expect(book.sort((a, b) => a.eName.localeCompare(b.eName))).toEqual([ada, grace])
    })

    test('restore puts a record back under its id and in its place, and says what stands before it', async () => {
      const first = await mine.documents.add(ada, key())
      const middle = await mine.documents.add(grace, key())
      const last = await mine.documents.add(alan, key())
      await mine.documents.remove(middle)
      expect(await mine.documents.restore({ id: middle, ...grace })).toBe(first)
      expect((await theirs.documents.list()).map(({ id }) => id)).toEqual([first, middle, last])
      await mine.documents.remove(first)
      expect(await mine.documents.restore({ id: first, ...ada })).toBe(null)
    })

    test('a restore that is sent again is no error; one over a colleague\u2019s other record is', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.documents.remove(id)
      await mine.documents.restore({ id, ...ada })
      await mine.documents.restore({ id, ...ada })
      await theirs.documents.update(id, grace)
      await expect(mine.documents.restore({ id, ...ada })).rejects.toMatchObject({ code: 'id-in-use' })
      expect(await mine.documents.list()).toEqual([{ id, ...grace }])
    })

    test('any text comes back as it was: scripts, emoji, quotes, line ends, length', async () => {
      const odd = {
        eName: 'عائشة 👩‍💻 "O\'Brien"\n<script>\u2028',
        email: "o'brien+x@example.com",
        password: `${'ü'.repeat(4000)}\t=1+1`,
      }
      const id = await mine.documents.add(odd, key())
      expect(await theirs.documents.list()).toEqual([{ id, ...odd }])
    })

    test.each([
      ['eName', { ...ada, eName: '' }],
      ['email', { ...ada, email: '' }],
      ['password', { ...ada, password: '' }],
      ['password', { ...ada, password: 'x'.repeat(10_001) }],
    ])('5 a wrong %s is refused by name, and nothing is written', async (field, fields) => {
      await expect(mine.documents.add(fields, key())).rejects.toMatchObject({
        code: 'invalid-request',
        field,
      })
      expect(await mine.documents.list()).toEqual([])
    })

    test('without a network every call settles as offline', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.cutNetwork()
      const refused = { code: 'offline' }
      await expect(mine.documents.list()).rejects.toMatchObject(refused)
      await expect(mine.documents.add(grace, key())).rejects.toMatchObject(refused)
      await expect(mine.documents.update(id, grace)).rejects.toMatchObject(refused)
      await expect(mine.documents.remove(id)).rejects.toMatchObject(refused)
      await expect(mine.documents.restore({ id, ...ada })).rejects.toMatchObject(refused)
      await mine.restoreNetwork()
      await expect.poll(() => mine.documents.list()).toEqual([{ id, ...ada }])
    })

    test('a batch adds in its order, updates, removes, and answers the ids of what it added', async () => {
      const first = await mine.documents.add(ada, key())
      const gone = await mine.documents.add(grace, key())
      const batch = {
        add: [grace, ada],
        update: [{ seen: { id: first, ...ada }, fields: alan }],
        remove: [{ id: gone, ...grace }],
      }
      const { ids, kept } = await mine.documents.writeBatch(batch, key())
      expect(kept).toEqual([])
      expect(await theirs.documents.list()).toEqual([
        { id: first, ...alan },
        { id: ids[0], ...grace },
        { id: ids[1], ...ada },
      ])
    })

    test('a batch that is sent again under its key makes no record twice and answers the same ids', async () => {
      const changed = await mine.documents.add(ada, key())
      const once = key()
      const update = [{ seen: { id: changed, ...ada }, fields: alan }]
      const batch = { add: [grace], update, remove: [] }
      const result = await mine.documents.writeBatch(batch, once)
      expect(await mine.documents.writeBatch(batch, once)).toEqual(result)
      expect((await mine.documents.list()).map(pickFields)).toEqual([alan, grace])
    })

    test('a batch leaves alone what a colleague has changed since it was seen, and names it', async () => {
      const changed = await mine.documents.add(ada, key())
      const removed = await mine.documents.add(alan, key())
      await theirs.documents.update(changed, grace)
      await theirs.documents.remove(removed)
      const update = [changed, removed].map((id) => ({ seen: { id, ...ada }, fields: alan }))
      const batch = { add: [], update, remove: [{ id: changed, ...ada }] }
      const { kept } = await mine.documents.writeBatch(batch, key())
      expect(kept).toEqual([changed, removed, changed])
      expect(await mine.documents.list()).toEqual([{ id: changed, ...grace }])
    })

    test('a batch of which one new value is wrong is refused by its name, and nothing is written', async () => {
      const batch = { add: [ada, { ...grace, email: 'nobody' }], update: [], remove: [] }
      const refused = { code: 'invalid-request', field: 'add/1/email' }
      await expect(mine.documents.writeBatch(batch, key())).rejects.toMatchObject(refused)
      expect(await mine.documents.list()).toEqual([])
    })

    test('a batch that was cancelled or could not be sent has written nothing, and says which', async () => {
      const batch = { add: [ada], update: [], remove: [] }
      const signal = AbortSignal.abort()
      const cancelled = mine.documents.writeBatch(batch, key(), { signal })
      await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
      await mine.cutNetwork()
      const offline = mine.documents.writeBatch(batch, key())
      await expect(offline).rejects.toMatchObject({ code: 'offline' })
      await mine.restoreNetwork()
      await expect.poll(() => mine.documents.list()).toEqual([])
    })

    test('live: a batch of a colleague is told, or the list is to be read again', async () => {
      const { told, stop } = await recordChanges(mine.documents)
      await expect.poll(() => told.connected).toBe(true)
      const { ids } = await theirs.documents.writeBatch({ add: [ada, grace], update: [], remove: [] }, key())
      await expect.poll(() => told.changes.length === 2 || told.stale > 0).toBe(true)
      stop()
      if (told.stale === 0) {
        expect(applyChanges([], told.changes).map(({ id }) => id)).toEqual(ids)
      }
    })

    test('live: what a colleague adds, updates, deletes and restores is told in order', async () => {
      const before = await mine.documents.add(ada, key())
      const { told, stop } = await recordChanges(mine.documents)
      await expect.poll(() => told.connected).toBe(true)
      const id = await theirs.documents.add(grace, key())
      await expect.poll(() => told.changes).toHaveLength(1)
      await theirs.documents.update(id, alan)
      await expect.poll(() => told.changes).toHaveLength(2)
      await theirs.documents.remove(id)
      await expect.poll(() => told.changes).toHaveLength(3)
      await theirs.documents.restore({ id, ...alan })
      await expect.poll(() => told.changes).toHaveLength(4)
      stop()
      expect(told.changes).toEqual([
        { type: 'saved', document: { id, ...grace }, after: before },
        { type: 'saved', document: { id, ...alan }, after: before },
        { type: 'removed', id },
        { type: 'saved', document: { id, ...alan }, after: before },
      ])
      expect(told.stale).toBe(0)
    })

    test('live: nothing is told after stop', async () => {
      const { told, stop } = await recordChanges(mine.documents)
      await expect.poll(() => told.connected).toBe(true)
      stop()
      await theirs.documents.add(grace, key())
      await mine.documents.list()
      expect(told.changes).toEqual([])
    })

    test('live: what happened while the line was cut is told when it is back, without a gap', async () => {
      const gone = await mine.documents.add(ada, key())
      const { told, stop } = await recordChanges(mine.documents)
      await expect.poll(() => told.connected).toBe(true)
      await mine.cutNetwork()
      await expect.poll(() => told.connected).toBe(false)
      const added = await theirs.documents.add(grace, key())
      await theirs.documents.remove(gone)
      await mine.restoreNetwork()
      await expect.poll(() => told.connected).toBe(true)
      await expect.poll(() => told.changes.length + told.stale).toBeGreaterThan(0)
      stop()
      if (told.stale === 0) {
        expect(applyChanges([{ id: gone, ...ada }], told.changes)).toEqual([{ id: added, ...grace }])
      }
      expect(await mine.documents.list()).toEqual([{ id: added, ...grace }])
    })

    test('live: a session that ends on the service is told as ended', async () => {
      const person = newCredentials()
      const leaving = await connectSignedIn(backend, person)
      const { told, stop } = await recordChanges(leaving.documents)
      await expect.poll(() => told.connected).toBe(true)
      await backend.endSessions(person.email)
      await expect.poll(() => told.ended).toBe(true)
      stop()
      await expect(leaving.documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
    })
  })
}
