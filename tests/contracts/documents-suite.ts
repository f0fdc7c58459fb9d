import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fieldNames, pickFields } from '../../contract/employees.ts'
import { applyChanges } from '../../web/backends/apply-changes.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import {
  connectSignedIn,
  newCredentials,
  recordChanges,
  type TestBackend,
  type TestClient,
  whenReachable,
} from '../support/backend-client.ts'
import { ada, alan, fieldsWith, grace } from '../support/people.ts'

/** The contract of `DocumentStore`. Every adapter runs it against its real backend. */
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

    beforeEach(() =>
      whenReachable(async () => {
        for (const { id } of await mine.documents.list()) await mine.documents.remove(id)
      }),
    )

    /** Records the changes from when the client is connected. */
    async function listen({ documents }: TestClient) {
      const { received, stop } = await recordChanges(documents)
      await expect.poll(() => received.connected).toBe(true)
      return { received, stop }
    }

    test('add returns the new id; list returns ids and fields in order of creation (§7)', async () => {
      const first = await mine.documents.add(ada, key())
      const second = await theirs.documents.add(grace, key())
      expect(first).not.toBe(second)
      expect(await mine.documents.list()).toEqual([
        { id: first, ...ada },
        { id: second, ...grace },
      ])
    })

    test('update replaces the three fields and keeps the position of the record (§7)', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.documents.add(grace, key())
      await theirs.documents.update(id, alan)
      const [changed] = await mine.documents.list()
      expect(changed).toEqual({ id, ...alan })
    })

    test('every field is stored, merged, restored and reported to other clients', async () => {
      let current = fieldsWith('first')
      const id = await mine.documents.add(current, key())
      const before = await theirs.documents.list()
      expect(before).toEqual([{ id, ...current }])
      const { received, stop } = await recordChanges(theirs.documents)
      await expect.poll(() => received.connected).toBe(true)
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
      stop()
    })

    test('remove deletes that record and no other (§7)', async () => {
      const id = await mine.documents.add(ada, key())
      const other = await mine.documents.add(grace, key())
      await mine.documents.remove(id)
      expect(await theirs.documents.list()).toEqual([{ id: other, ...grace }])
    })

    test('removing a removed record succeeds; updating it rejects with not-found and does not restore it (§7)', async () => {
      const id = await mine.documents.add(ada, key())
      await theirs.documents.remove(id)
      await expect(mine.documents.remove(id)).resolves.toBeUndefined()
      await expect(mine.documents.update(id, grace)).rejects.toMatchObject({ code: 'not-found' })
      expect(await mine.documents.list()).toEqual([])
    })

    test('an update is merged with what has changed since its author has seen the record', async () => {
      const id = await mine.documents.add(ada, key())
      await theirs.documents.update(id, { ...ada, password: 'theirs' }, ada)
      const seen = { id, ...ada }
      const update = () => mine.documents.update(id, { ...ada, eName: 'Ada King' }, seen)
      const merged = { ...ada, eName: 'Ada King', password: 'theirs' }
      expect(await update()).toEqual(merged)
      expect(await update()).toEqual(merged)
      expect(await mine.documents.list()).toEqual([{ id, ...merged }])
    })

    test('an update rejects with conflict, and writes nothing, if both have changed the same field', async () => {
      const id = await mine.documents.add(ada, key())
      await theirs.documents.update(id, { ...ada, eName: 'Ada Byron' }, ada)
      const mineToo = { ...ada, eName: 'Ada King', password: 'mine' }
      await expect(mine.documents.update(id, mineToo, ada)).rejects.toMatchObject({ code: 'conflict' })
      expect(await mine.documents.list()).toEqual([{ id, ...ada, eName: 'Ada Byron' }])
      expect(await mine.documents.update(id, mineToo, { ...ada, eName: 'Ada Byron' })).toEqual(mineToo)
      await theirs.documents.remove(id)
      await expect(mine.documents.update(id, grace, mineToo)).rejects.toMatchObject({ code: 'not-found' })
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

    test('a repeated add creates one record; the same key with other fields stores nothing and names it', async () => {
      const repeatedKey = key()
      const id = await mine.documents.add(ada, repeatedKey)
      expect(await mine.documents.add(ada, repeatedKey)).toBe(id)
      const repeated = await mine.documents.add(grace, repeatedKey).catch((error) => {
        expect(error.code).toBe('key-reused')
        return error.id
      })
      expect(repeated).toBe(id)
      expect(await mine.documents.list()).toEqual([{ id, ...ada }])
    })

    test('the same key from another account creates another record', async () => {
      const repeatedKey = key()
      await mine.documents.add(ada, repeatedKey)
      await theirs.documents.add(grace, repeatedKey)
      const book = (await mine.documents.list()).map(pickFields)
      // If ids carry the order, two records with the same key have no defined order.
      expect(book.sort((a, b) => a.eName.localeCompare(b.eName))).toEqual([ada, grace])
    })

    test('restore inserts a record with its old id at its old position, and returns the id before it', async () => {
      const first = await mine.documents.add(ada, key())
      const middle = await mine.documents.add(grace, key())
      const last = await mine.documents.add(alan, key())
      await mine.documents.remove(middle)
      expect(await mine.documents.restore({ id: middle, ...grace })).toBe(first)
      expect((await theirs.documents.list()).map(({ id }) => id)).toEqual([first, middle, last])
      await mine.documents.remove(first)
      expect(await mine.documents.restore({ id: first, ...ada })).toBe(null)
    })

    test('a repeated restore succeeds; a restore over a changed record rejects with id-in-use', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.documents.remove(id)
      await mine.documents.restore({ id, ...ada })
      await mine.documents.restore({ id, ...ada })
      await theirs.documents.update(id, grace)
      await expect(mine.documents.restore({ id, ...ada })).rejects.toMatchObject({ code: 'id-in-use' })
      expect(await mine.documents.list()).toEqual([{ id, ...grace }])
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
      ['eName', { ...ada, eName: '' }],
      ['email', { ...ada, email: '' }],
      ['password', { ...ada, password: '' }],
      ['password', { ...ada, password: 'x'.repeat(10_001) }],
    ])('rejects an invalid %s, names the field, and writes nothing (§5)', async (field, fields) => {
      await expect(mine.documents.add(fields, key())).rejects.toMatchObject({
        code: 'invalid-request',
        field,
      })
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
      await mine.restoreNetwork()
      await expect.poll(() => mine.documents.list()).toEqual([{ id, ...ada }])
    })

    test('a batch adds in order, updates and removes, and returns the ids of the added records; so does its repetition', async () => {
      const first = await mine.documents.add(ada, key())
      const removed = await mine.documents.add(grace, key())
      const batch = {
        add: [grace, ada],
        update: [{ seen: { id: first, ...ada }, fields: alan }],
        remove: [{ id: removed, ...grace }],
      }
      const repeatedKey = key()
      const result = await mine.documents.writeBatch(batch, repeatedKey)
      expect(await mine.documents.writeBatch(batch, repeatedKey)).toEqual(result)
      const { ids, kept } = result
      expect(kept).toEqual([])
      expect(await theirs.documents.list()).toEqual([
        { id: first, ...alan },
        { id: ids[0], ...grace },
        { id: ids[1], ...ada },
      ])
    })

    test('a batch skips records changed since they were read, and returns their ids', async () => {
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

    test('a batch that names a record twice applies its changes in order', async () => {
      const [changed, removed] = [await mine.documents.add(ada, key()), await mine.documents.add(ada, key())]
      const update = [
        { seen: { id: changed, ...ada }, fields: grace },
        { seen: { id: changed, ...grace }, fields: alan },
        { seen: { id: changed, ...ada }, fields: grace },
      ]
      const remove = [
        { id: removed, ...ada },
        { id: removed, ...grace },
      ]
      const { kept } = await mine.documents.writeBatch({ add: [], update, remove }, key())
      expect(kept).toEqual([changed])
      expect(await theirs.documents.list()).toEqual([{ id: changed, ...alan }])
    })

    test('restore finds its place among the records that a batch has skipped', async () => {
      const kept = await mine.documents.add(ada, key())
      const gone = await mine.documents.add(grace, key())
      const restored = await mine.documents.add(alan, key())
      await mine.documents.remove(restored)
      const update = [{ seen: { id: gone, ...grace }, fields: ada }]
      const remove = [{ id: kept, ...grace }]
      await mine.documents.remove(gone)
      await mine.documents.writeBatch({ add: [], update, remove }, key())
      expect(await mine.documents.restore({ id: restored, ...alan })).toBe(kept)
    })

    test('restore finds its place after a batch that has skipped one of two changes of a record', async () => {
      const removed = await mine.documents.add(ada, key())
      const restored = await mine.documents.add(alan, key())
      await mine.documents.remove(restored)
      const remove = [
        { id: removed, ...grace },
        { id: removed, ...ada },
      ]
      expect(await mine.documents.writeBatch({ add: [], update: [], remove }, key())).toMatchObject({
        kept: [removed],
      })
      expect(await mine.documents.restore({ id: restored, ...alan })).toBe(null)
    })

    test('a batch with an invalid value is rejected with the path of the value and writes nothing', async () => {
      const batch = { add: [ada, { ...grace, email: 'nobody' }], update: [], remove: [] }
      const expectedError = { code: 'invalid-request', field: 'add/1/email' }
      await expect(mine.documents.writeBatch(batch, key())).rejects.toMatchObject(expectedError)
      expect(await mine.documents.list()).toEqual([])
    })

    test('a batch that is cancelled or offline writes nothing and rejects with the reason', async () => {
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

    test('live: notifies of another client\u2019s batch, or that the list is stale', async () => {
      const { received, stop } = await listen(mine)
      const { ids } = await theirs.documents.writeBatch({ add: [ada, grace], update: [], remove: [] }, key())
      await expect.poll(() => received.changes.length === 2 || received.stale > 0).toBe(true)
      stop()
      if (received.stale === 0) {
        expect(applyChanges([], received.changes).map(({ id }) => id)).toEqual(ids)
      }
    })

    test('live: notifies of another client\u2019s add, update, removal and restore in order', async () => {
      const before = await mine.documents.add(ada, key())
      const { received, stop } = await listen(mine)
      const id = await theirs.documents.add(grace, key())
      await expect.poll(() => received.changes).toHaveLength(1)
      await theirs.documents.update(id, alan)
      await expect.poll(() => received.changes).toHaveLength(2)
      await theirs.documents.remove(id)
      await expect.poll(() => received.changes).toHaveLength(3)
      await theirs.documents.restore({ id, ...alan })
      await expect.poll(() => received.changes).toHaveLength(4)
      stop()
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
      const { received, stop } = await listen(mine)
      const current = { ...ada, eName: 'Ada Byron' }
      await theirs.documents.update(id, current)
      const conflict = mine.documents.update(id, { ...ada, eName: 'Ada King' }, ada)
      await expect(conflict).rejects.toMatchObject({ code: 'conflict' })
      const last = () => applyChanges([], received.changes).at(-1)
      await expect.poll(last).toEqual({ id, ...current })
      await mine.documents.update(id, { ...ada, password: 'mine' }, ada)
      await expect.poll(last).toEqual({ id, ...current, password: 'mine' })
      stop()
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
      const { received, stop } = await listen(mine)
      await mine.cutNetwork()
      await expect.poll(() => received.connected).toBe(false)
      const added = await theirs.documents.add(grace, key())
      await theirs.documents.remove(removed)
      await mine.restoreNetwork()
      await expect.poll(() => received.connected).toBe(true)
      await expect.poll(() => received.changes.length + received.stale).toBeGreaterThan(0)
      stop()
      if (received.stale === 0) {
        expect(applyChanges([{ id: removed, ...ada }], received.changes)).toEqual([{ id: added, ...grace }])
      }
      expect(await mine.documents.list()).toEqual([{ id: added, ...grace }])
    })

    test('live: notifies that the session has been ended on the server', async () => {
      const person = newCredentials()
      const leaving = await connectSignedIn(backend, person)
      const { received, stop } = await listen(leaving)
      await backend.endSessions(person.email)
      await expect.poll(() => received.ended).toBe(true)
      stop()
      await expect(leaving.documents.list()).rejects.toMatchObject({ code: 'not-signed-in' })
    })
  })
}
