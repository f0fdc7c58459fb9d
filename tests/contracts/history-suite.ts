import { beforeEach, describe, expect, test } from 'vitest'
import { type Employee, pickFields } from '../../contract/employees.ts'
import { type Deletion, minDeletion } from '../../contract/history.ts'
import { newIdempotencyKey as key } from '../../web/backends/idempotency-key.ts'
import type { HistoryService } from '../../web/backends/ports.ts'
import {
  connectSignedIn,
  newCredentials,
  type TestBackend,
  type TestClient,
} from '../support/backend-client.ts'
import { forward } from '../support/forward.ts'
import { ada, alan, grace, makeEmployees, record, renamed } from '../support/people.ts'
import { listen, provideBackend, provideTwoClients } from './documents-suite.ts'

export interface HistoryTestBackend extends TestBackend {
  /** Removes an account as the operator does. */
  removeAccount(email: string): Promise<void>
}

/** The contract of `HistoryService`, for the backends that have one. */
export function historySuite(name: string, start: () => Promise<HistoryTestBackend>) {
  describe(`history service: ${name}`, () => {
    const backend = provideBackend(start)
    const { mine, theirs, me, them } = provideTwoClients(backend)
    const historyOf = ({ documents }: TestClient) => documents.history as HistoryService
    const history = forward(() => historyOf(mine))
    const theirHistory = forward(() => historyOf(theirs))
    const readDetails = async (id: string) => (await history.details([id]))[0]

    beforeEach(async () => {
      for (const { id } of await mine.documents.list()) await mine.documents.remove(id)
    })

    test('details tell when and by whom a record was last changed, and when its password was', async () => {
      const id = await mine.documents.add(ada, key())
      const added = await readDetails(id)
      expect(added).toMatchObject({ id, changedBy: me.email, passwordChangedAt: added?.changedAt })
      await theirs.documents.update(id, renamed('Ada King'))
      const kept = await readDetails(id)
      expect(kept).toMatchObject({ changedBy: them.email, passwordChangedAt: added?.passwordChangedAt })
      expect(Date.parse(kept?.changedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(added?.changedAt ?? ''))
      await mine.documents.update(id, { ...ada, password: 'difference engine' })
      const changed = await readDetails(id)
      expect(changed).toMatchObject({ changedBy: me.email, passwordChangedAt: changed?.changedAt })
    })

    test('details can be read of all records, and leave out those that do not exist', async () => {
      const ids = [await mine.documents.add(ada, key()), await mine.documents.add(grace, key())]
      const deleted = await mine.documents.add(alan, key())
      await mine.documents.remove(deleted)
      const idsOf = (details: { id: string }[]) => details.map(({ id }) => id).toSorted()
      expect(idsOf(await history.details())).toEqual(ids.toSorted())
      expect(idsOf(await history.details([...ids, deleted, 'unknown']))).toEqual(ids.toSorted())
    })

    test('old passwords are those that have not changed since a time', async () => {
      const [old, changed] = [await mine.documents.add(ada, key()), await mine.documents.add(grace, key())]
      const times = (await history.details()).map(({ passwordChangedAt = '' }) => passwordChangedAt)
      const until = times.sort().at(-1) ?? ''
      expect((await history.listOldPasswords(until)).toSorted()).toEqual([old, changed].toSorted())
      await mine.documents.update(old, renamed('Ada King'))
      let count = 0
      await expect
        .poll(async () => {
          await mine.documents.update(changed, { ...grace, password: `number ${count++}` })
          return history.listOldPasswords(until)
        })
        .toEqual([old])
      expect(await history.listOldPasswords('2020-01-01T00:00:00Z')).toEqual([])
    })

    test('events tell who has done what to a record, the latest first, and nothing about others', async () => {
      const id = await mine.documents.add(ada, key())
      await theirs.documents.update(id, grace)
      await mine.documents.remove(id)
      await theirs.documents.restore({ id, ...grace })
      await history.report({ kind: 'copy', ids: [id] })
      const kinds = (await history.listEvents(id)).map(({ kind, by }) => `${kind} ${by === me.email}`)
      expect(kinds).toEqual(['copy true', 'restore false', 'delete true', 'change false', 'add true'])
      await expect(history.listEvents('never')).rejects.toMatchObject({ code: 'not-found' })
    })

    test('the event of a changed password has the time at which the previous one was replaced, also of a batch', async () => {
      const fields = makeEmployees(20)
      const { ids } = await mine.documents.writeBatch({ add: fields, update: [], remove: [] }, key())
      const id = ids[0] as string
      const timesOf = async () => {
        const [events, previous = []] = await Promise.all([
          history.listEvents(id),
          mine.documents.previousPasswords?.list(id),
        ])
        const replacedAt = previous.map((each) => each.replacedAt)
        return { replacedAt, changedAt: events.filter(({ kind }) => kind === 'change').map(({ at }) => at) }
      }
      const update = (await mine.documents.list()).map((seen) => ({
        seen,
        fields: { ...pickFields(seen), password: `new ${seen.password}` },
      }))
      await theirs.documents.writeBatch({ add: [], update, remove: [] }, key())
      for (let i = 0; i < 5; i++)
        await mine.documents.update(id, { ...(fields[0] as Employee), password: `${i}` })
      const { replacedAt, changedAt } = await timesOf()
      expect(replacedAt).toHaveLength(6)
      expect(changedAt).toEqual(replacedAt)
    })

    test('an import changes the details of its records only, and of a password only where the text differs', async () => {
      const ids = [await mine.documents.add(ada, key()), await mine.documents.add(grace, key())]
      const before = await Promise.all(ids.map(readDetails))
      const update = (await mine.documents.list()).map((seen) => ({
        seen,
        fields: seen.id === ids[0] ? record({ password: 'new' }) : renamed('New', pickFields(seen)),
      }))
      const result = await theirs.documents.writeBatch({ add: [alan], update, remove: [] }, key())
      expect(await readDetails(result.ids[0] ?? '')).toMatchObject({ changedBy: them.email })
      const [first, second] = await Promise.all(ids.map(readDetails))
      expect(first).toMatchObject({ changedBy: them.email, passwordChangedAt: first?.changedAt })
      const passwordChangedAt = before[1]?.passwordChangedAt
      expect(second).toMatchObject({ changedBy: them.email, passwordChangedAt })
    })

    test('a batch that restores records is in the history of each, and none is listed as deleted', async () => {
      const fields = makeEmployees(4)
      const { ids } = await mine.documents.writeBatch({ add: fields, update: [], remove: [] }, key())
      const restore = (await mine.documents.list()).filter(({ id }) => ids.includes(id))
      const before = await Promise.all(ids.map(readDetails))
      await mine.documents.writeBatch({ add: [], update: [], remove: restore }, key())
      await theirs.documents.writeBatch({ add: [], update: [], remove: [], restore }, key())
      for (const [i, id] of ids.entries()) {
        const [latest, deletion] = await history.listEvents(id)
        expect(latest).toMatchObject({ kind: 'restore', by: them.email })
        expect(deletion).toMatchObject({ kind: 'delete', by: me.email })
        // The password is the one that it had.
        const passwordChangedAt = before[i]?.passwordChangedAt
        expect(await readDetails(id)).toMatchObject({ changedBy: them.email, passwordChangedAt })
      }
      const listed = (await history.listDeleted()).documents.map(({ id }) => id)
      expect(listed.filter((id) => ids.includes(id))).toEqual([])
    })

    test('deleted records are listed for everybody, the latest first, and restored under their id in their place', async () => {
      const id = await mine.documents.add(ada, key())
      const other = await mine.documents.add(grace, key())
      await mine.documents.remove(other)
      await mine.documents.remove(id)
      const { documents, keptDays } = await theirHistory.listDeleted()
      expect(documents.slice(0, 2)).toMatchObject([
        { id, ...ada, deletedBy: me.email },
        { id: other, ...grace, deletedBy: me.email },
      ])
      expect(keptDays).toBeGreaterThan(0)
      const { received } = await listen(mine)
      for (const restored of [other, id, id]) await theirHistory.restoreDeleted(restored)
      await expect.poll(() => received.changes).toMatchObject([{ type: 'saved' }, { type: 'saved' }])
      const employees: Employee[] = [
        { id, ...ada },
        { id: other, ...grace },
      ]
      expect(await mine.documents.list()).toEqual(employees)
      const listed = (await history.listDeleted()).documents.map((document) => document.id)
      expect(listed).not.toContain(id)
      expect(await readDetails(id)).toMatchObject({ changedBy: them.email })
    })

    test('records that were deleted together are restored in one step, by anybody', async () => {
      const fields = makeEmployees(minDeletion)
      const { ids } = await mine.documents.writeBatch({ add: fields, update: [], remove: [] }, key())
      const remove = await mine.documents.list()
      await mine.documents.writeBatch({ add: [], update: [], remove }, key())
      const other = await mine.documents.add(ada, key())
      await theirs.documents.remove(other)
      const listMine = async () =>
        (await theirHistory.listDeleted()).deletions.filter(({ by }) => by === me.email)
      const [deletion] = await listMine()
      expect(deletion?.count).toBeGreaterThanOrEqual(minDeletion)
      await theirHistory.restoreDeletion(deletion as Deletion)
      const expected = fields.map((each, i) => ({ id: ids[i], ...each }))
      expect((await mine.documents.list()).slice(-minDeletion)).toEqual(expected)
      expect((await listMine()).map(({ until }) => until)).not.toContain(deletion?.until)
      expect(await readDetails(ids[0] as string)).toMatchObject({ changedBy: them.email })
    })

    test('a deleted record is no longer listed after its undo, and one that never existed can not be restored', async () => {
      const id = await mine.documents.add(ada, key())
      await mine.documents.remove(id)
      await mine.documents.restore({ id, ...ada })
      const { documents } = await history.listDeleted()
      expect(documents.map((document) => document.id)).not.toContain(id)
      await expect(history.restoreDeleted('unknown')).rejects.toMatchObject({ code: 'not-found' })
    })

    test('the records whose password a removed colleague knows are listed until it is changed', async () => {
      const leaver = newCredentials()
      const client = await connectSignedIn(backend, leaver)
      const { uid } = await client.identity.signIn(leaver.email, leaver.password)
      const [first, second, deleted] = await Promise.all(
        [ada, grace, alan].map((fields) => mine.documents.add(fields, key())),
      )
      expect((await history.listExposed(uid)).canSignIn).toBe(true)
      await client.documents.list()
      await backend.removeAccount(leaver.email)
      const listExposed = async () => (await history.listExposed(uid)).ids.toSorted()
      expect(await history.listExposed(uid)).toMatchObject({ canSignIn: false })
      await mine.documents.add(renamed('New'), key())
      await mine.documents.remove(deleted as string)
      await mine.documents.update(first as string, renamed('Ada King'))
      expect(await listExposed()).toEqual([first, second].toSorted())
      await mine.documents.update(second as string, { ...grace, password: 'new' })
      expect(await listExposed()).toEqual([first])
      await mine.documents.update(second as string, grace)
      expect(await listExposed()).toEqual([first, second].toSorted())
      await mine.documents.update(second as string, { ...grace, password: 'newer' })
      await history.restoreDeleted(deleted as string)
      expect(await listExposed()).toEqual([first, deleted].toSorted())
      await expect(history.listExposed('unknown')).rejects.toMatchObject({ code: 'not-found' })
    })

    test('a removed account is the last of the colleagues, and keeps its email there and in details', async () => {
      const leaver = newCredentials()
      const { documents } = await connectSignedIn(backend, leaver)
      const id = await documents.add(ada, key())
      await backend.removeAccount(leaver.email)
      expect(await readDetails(id)).toMatchObject({ changedBy: leaver.email })
      const colleagues = (await mine.identity.team?.listColleagues()) ?? []
      expect(colleagues.at(-1)).toMatchObject({ email: leaver.email, removedAt: expect.any(String) })
    })

    test('reports are accepted, and nothing is read or reported without a session', async () => {
      const id = await mine.documents.add(ada, key())
      await history.report({ kind: 'export', count: 100_000 })
      for (const kind of ['reveal', 'copy'] as const) await history.report({ kind, ids: [id] })
      const stranger = historyOf(await backend.connect())
      const calls = [
        () => stranger.details(),
        () => stranger.listDeleted(),
        () => stranger.restoreDeleted(id),
        () => stranger.restoreDeletion({ since: '2026-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z' }),
        () => stranger.listExposed('unknown'),
        () => stranger.report({ kind: 'copy', ids: [id] }),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not-signed-in' })
    })
  })
}
