import { beforeEach, describe, expect, it } from 'vitest'
import type { Employee } from '../../contract/employees.ts'
import { minDeletion } from '../../contract/history.ts'
import { removeExpiredHistory } from '../../server/records/history/retention.ts'
import { parseRanges } from '../../server/storage/activity.ts'
import {
  type LoggedActivity,
  maxRemovedTogether,
  type NewActivity,
  type StoredDetails,
} from '../../server/storage/history.ts'
import { toPublicId } from '../../server/storage/storage.ts'
import { renamed } from '../support/people.ts'
import { exposureModelTest } from './exposure-model.ts'
import {
  account,
  batchOf,
  type CreateTestStorage,
  collect,
  makePeople,
  person,
  personWithId,
  provideStorage,
  recordsKeys,
  session,
} from './provide-storage.ts'

/** The tests of what happened to the records, which every storage must pass. */
export function historyStorageSuite(adapter: string, createTestStorage: CreateTestStorage): void {
  const provided = provideStorage(createTestStorage)
  const { storage, testStorage, employees, accounts, sessions, links, history, reopen } = provided

  beforeEach(async () => {
    for (const uid of ['ada', 'eve']) await accounts.add(account(uid), uid)
  })

  const loadDetails = (ids?: string[]): Promise<StoredDetails[]> => collect(history.loadDetails(ids))
  const idsOf = (records: { id: string }[] = []) => records.map(({ id }) => id)
  const exposed = async (uid: string) => (await history.findExposed(uid))?.ids
  const logged = async () => (await collect(history.loadActivity())).slice(2)

  describe(`storage on ${adapter}: the history of a record`, () => {
    it('has its entries since it was added, also those of batches, and exports meanwhile', async () => {
      const read = async (id: string, limit = 10) => {
        const entries = await history.listRecordActivity(id, limit)
        return entries?.map(({ kind, by, count }) => `${kind} by ${by} of ${count}`)
      }
      await history.log({ kind: 'reported-export', by: 'ada', count: 0 })
      const add = ['a', 'b', 'c', 'd'].map(personWithId)
      await employees.writeBatch({ ...batchOf(add), by: 'ada' })
      await employees.update('b', person('other'), undefined, 'eve')
      const update = [0, 2].map((i) => ({ seen: add[i] as Employee, fields: person('changed') }))
      await employees.writeBatch({ add: [], update, remove: [add[3] as Employee], by: 'eve' })
      await history.log({ kind: 'reported-export', by: 'eve', count: 3 })
      await history.log({ kind: 'export' })
      await history.logRecords('reported-reveal', 'ada', ['b', 'c'])
      const exports = ['export by null of null', 'reported-export by eve@x.y of 3']
      const [added, changed] = ['batch-add by ada@x.y of 4', 'batch-change by eve@x.y of 2']
      const revealed = 'reported-reveal by ada@x.y of null'
      expect(await read('a')).toEqual([...exports, changed, added])
      expect(await read('b')).toEqual([revealed, ...exports, 'change by eve@x.y of null', added])
      expect(await read('d')).toEqual([...exports, 'batch-delete by eve@x.y of 1', added])
      expect(await read('c', 2)).toEqual([revealed, exports[0]])
      expect(await read('never')).toBeUndefined()
    })
  })

  describe(`storage on ${adapter}: removed records`, () => {
    it('wipes those removed until a time, the oldest first, and restores none of them any more', async () => {
      const ids = makePeople(maxRemovedTogether + 5).map(({ id }) => id)
      await employees.writeBatch(batchOf(ids.map(personWithId)))
      await employees.add('late', person('late'))
      await Promise.all(ids.map((id) => employees.remove(id)))
      const removed = await letTimePass()
      await employees.remove('late')
      expect(await history.wipeDeleted(0)).toBe(0)
      const wiped = [await history.wipeDeleted(removed), await history.wipeDeleted(removed)]
      expect([...wiped, await history.wipeDeleted(removed)]).toEqual([maxRemovedTogether, 5, 0])
      expect(await history.listDeleted(5)).toMatchObject([{ id: 'late' }])
      expect(await employees.restoreDeleted('r0')).toEqual({ outcome: 'not-found' })
      expect(await employees.restore('r0', person('r0'))).toMatchObject({ outcome: 'done', seq: 1 })
    })

    it('are, as previous passwords, in no list of records, also for the operator, after a restart and with another key', async () => {
      for (const id of ['live', 'kept', 'wiped']) await employees.add(id, person(id))
      await employees.update('live', { ...person('live'), password: 'sesame' })
      await employees.update('live', { ...person('live'), password: 'new' })
      await accounts.remove('eve')
      await employees.remove('wiped')
      await history.wipeDeleted(Date.now())
      await employees.remove('kept', 'ada')
      async function expectOneRecord() {
        expect(idsOf(await collect(employees.load()))).toEqual(['live'])
        expect(await history.listPrevious('live')).toMatchObject([{ fields: { password: 'sesame' } }, {}])
        expect(idsOf(await loadDetails())).toEqual(['live'])
        expect(idsOf(await loadDetails(['live', 'kept', 'wiped']))).toEqual(['live'])
        expect([await exposed('ada'), await exposed('eve')]).toEqual([['live'], ['live']])
        expect(idsOf(await employees.latestRemovals(5))).toEqual(['kept', 'wiped'])
        expect(idsOf(await employees.latestRemovals(1))).toEqual(['kept'])
        const deleted = { id: 'kept', ...person('kept'), deletedAt: expect.any(Number), deletedBy: 'ada@x.y' }
        expect(await history.listDeleted(5)).toEqual([deleted])
        expect(await history.countDeleted()).toBe(1)
      }
      await expectOneRecord()
      await reopen()
      await expectOneRecord()
      await storage.close()
      const key = new Uint8Array(32).fill(7)
      const readOnly = await testStorage.admin().openReadOnly()
      expect(idsOf(await collect(readOnly.employees.load()))).toEqual(['live'])
      await readOnly.close()
      expect(await testStorage.admin().checkIntegrity()).toMatchObject({ problems: [], records: 1 })
      // PostgreSQL knows a moment later that the server has ended.
      await expect.poll(() => testStorage.admin().changeKey(key)).toBe(1)
      expect(await testStorage.admin(key).checkIntegrity()).toMatchObject({ problems: [], records: 1 })
      await reopen({ key })
      await expectOneRecord()
      const [, previous] = await testStorage.readRows('previousPasswords')
      expect(Buffer.from(previous?.fields as string).includes('sesame')).toBe(false)
      expect(await employees.restoreDeleted('kept')).toMatchObject({ fields: person('kept') })
      expect(await employees.restoreDeleted('wiped')).toEqual({ outcome: 'not-found' })
    })

    it('are listed as deletions by one person at one time, whose records are found again', async () => {
      const add = makePeople(3 * minDeletion)
      await employees.writeBatch(batchOf(add))
      const [first, second, third] = [0, 1, 2].map((i) => add.slice(i * minDeletion, (i + 1) * minDeletion))
      const before = Date.now()
      await employees.writeBatch({ add: [], update: [], remove: first ?? [], by: 'eve' })
      for (const { id } of second ?? []) await employees.remove(id)
      for (const { id } of third?.slice(1) ?? []) await employees.remove(id, 'ada')
      const [byOperator, byEve, ...others] = await history.listDeletions()
      expect([byOperator, byEve, ...others]).toMatchObject([
        { by: null, count: minDeletion },
        { by: 'eve@x.y', count: minDeletion },
      ])
      expect(byEve?.since).toBeGreaterThanOrEqual(before)
      expect(byEve?.until).toBeLessThanOrEqual(byOperator?.since ?? 0)
      const everything = { since: before, until: Date.now() }
      expect(await history.listDeletedIds(everything)).toEqual(
        idsOf(add.filter(({ id }) => id !== third?.[0]?.id)),
      )
      expect(await history.listDeletedIds({ ...everything, by: ['eve@x.y'] })).toEqual(idsOf(first))
      expect(await history.listDeletedIds({ ...everything, by: [null] })).toEqual(idsOf(second))
      expect(await history.listDeletedIds({ ...everything, until: before - 1 })).toEqual([])
      await employees.restoreDeleted('r0')
      expect(await history.listDeletions()).toMatchObject([{ by: null }])
    })

    it('keeps none if it must not, and restores none that never existed', async () => {
      await reopen({ keepDeleted: false })
      await employees.add('a', person('a'))
      const [, restored] = await Promise.all([employees.remove('a'), employees.restoreDeleted('a')])
      expect(restored).toEqual({ outcome: 'not-found' })
      expect(await history.countDeleted()).toBe(0)
      expect(await employees.restoreDeleted('never')).toEqual({ outcome: 'not-found' })
    })
  })

  describe(`security, storage on ${adapter}: previous passwords`, () => {
    const withPassword = (password: string) => ({ ...person('a'), password })
    const change = (password: string, by?: string) =>
      employees.update('a', withPassword(password), undefined, by)
    const previous = async (id = 'a') => (await history.listPrevious(id)).map(({ fields }) => fields.password)

    it('are kept with time and author of each change, import or restore of another text, the latest first', async () => {
      const before = Date.now()
      await employees.add('a', withPassword('1 \0'), 'ada')
      await change('2', 'eve')
      await employees.update('a', renamed('other', withPassword('2')), undefined, 'ada')
      const seen = { id: 'a', ...renamed('other', withPassword('2')) }
      await employees.writeBatch({ add: [], update: [{ seen, fields: withPassword('3') }], remove: [] })
      await employees.remove('a')
      await employees.restoreDeleted('a')
      await employees.remove('a')
      await employees.restore('a', withPassword('4'), undefined, 'ada')
      const listed = await history.listPrevious('a')
      expect(listed).toMatchObject([
        { revision: 8, by: 'ada@x.y', fields: { password: '3' } },
        { revision: 4, by: null, fields: { password: '2' } },
        { revision: 2, by: 'eve@x.y', fields: { password: '1 \0' } },
      ])
      for (const { at } of listed) expect(at >= before && at <= Date.now()).toBe(true)
      await reopen()
      expect(await history.listPrevious('a')).toEqual(listed)
      expect(await history.listPrevious('never')).toEqual([])
    })

    it('are at most ten, each text once, and never the present one, also if they change at once', async () => {
      await employees.add('a', withPassword('0'))
      await Promise.all(Array.from({ length: 12 }, (_, i) => change(`${i + 1}`)))
      const ten = Array.from({ length: 10 }, (_, i) => `${11 - i}`)
      expect(await previous()).toEqual(ten)
      for (const text of ['5', '12', '5', '12']) await change(text)
      expect(await previous()).toEqual(['5', ...ten.filter((text) => text !== '5')])
      await change('0')
      expect(await previous()).toEqual(['12', '5', ...ten.filter((text) => text !== '5').slice(0, 8)])
      expect(await history.wipePrevious(Date.now())).toBe(10)
    })

    it('are wiped until a time, the oldest first, and not kept if deleted records are not', async () => {
      for (const id of ['a', 'b']) await employees.add(id, withPassword('1'))
      await change('2')
      const changed = await letTimePass()
      await change('3')
      await employees.update('b', withPassword('2'))
      await employees.remove('b')
      expect(await history.wipePrevious(0)).toBe(0)
      expect([await history.wipePrevious(changed), await history.wipePrevious(changed)]).toEqual([1, 0])
      expect([await previous(), await previous('b')]).toEqual([['2'], ['1']])
      await removeExpiredHistory(storage, { deletedDays: 0, activityDays: 1 })
      expect([await previous(), await previous('b')]).toEqual([[], []])
      await reopen({ keepDeleted: false })
      await change('4')
      await employees.remove('a')
      await employees.restore('a', withPassword('5'))
      expect(await previous()).toEqual([])
    })
  })

  describe(`security, storage on ${adapter}: what an account could read`, () => {
    it('is known for accounts that are removed while they invite and records are written', async () => {
      const uids = Array.from({ length: 10 }, (_, i) => `u${i}`)
      for (const uid of uids) await accounts.add(account(uid))
      const removals = await Promise.all(
        uids.flatMap((uid) => [
          links.addInvitation({ hash: uid, uid, email: null, expiresAt: 9 }, 1).then(() => true),
          accounts.remove(uid),
          employees.add(uid, person(uid)).then(({ outcome }) => outcome === 'done'),
        ]),
      )
      expect(new Set(removals)).toEqual(new Set([true]))
      await employees.add('late', person('late'))
      for (const uid of uids) expect((await history.findExposed(uid))?.ids).not.toContain('late')
    })

    it('is everything again if the account is imported', async () => {
      await employees.add('a', person('a'))
      await accounts.remove('eve')
      await employees.update('a', person('a2'))
      const uninvited = { removedBy: null, kept: null, invitation: null, invitedBy: null, invitedFor: null }
      const { createdAt } = account('', '')
      expect(await history.listPeople()).toEqual([
        { uid: 'ada', email: 'ada@x.y', createdAt, removedAt: null, ...uninvited },
        { uid: 'eve', email: 'eve@x.y', createdAt, removedAt: expect.any(Number), ...uninvited },
      ])
      await accounts.add(account('eve'))
      expect(await history.findExposed('eve')).toEqual({ ids: ['a'], canSignIn: true })
      expect(await history.listPeople()).toMatchObject([{ removedAt: null }, { removedAt: null }])
    })

    it('has a password that was put back after a key change', async () => {
      const old = person('old')
      await employees.add('a', old)
      await accounts.remove('eve')
      await employees.update('a', { ...old, password: 'new' })
      await storage.close()
      const keys = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)] as const
      await expect.poll(() => testStorage.admin().changeKey(keys[0])).toBe(1)
      expect(await testStorage.admin(keys[0]).changeKey(keys[1])).toBe(1)
      await reopen({ key: keys[1] })
      expect(await exposed('eve')).toEqual([])
      await employees.update('a', old)
      expect(await exposed('eve')).toEqual(['a'])
    })

    it('has any password of a record whose fields were wiped after it had one that was known', async () => {
      for (const keepDeleted of [true, false]) {
        await reopen({ keepDeleted })
        const id = `kept ${keepDeleted}`
        await employees.add(id, person('a'))
        await accounts.add(account(id, `${keepDeleted}@x.y`))
        await accounts.remove(id)
        await employees.update(id, { ...person('a'), password: 'new' })
        await employees.remove(id)
        await history.wipeDeleted(Date.now())
        await employees.restore(id, { ...person('a'), password: 'new' })
        expect(await exposed(id)).toContain(id)
        await employees.update(id, { ...person('a'), password: 'never there' })
        expect(await exposed(id)).not.toContain(id)
      }
    })

    it('has no longer a password that two hundred others have followed, and has one after a hundred', async () => {
      const change = (password: string) => employees.update('a', { ...person('a'), password })
      await employees.add('a', { ...person('a'), password: 'first' })
      await Promise.all(Array.from({ length: 200 }, (_, i) => change(`password ${i}`)))
      await accounts.remove('eve')
      for (const [password, known] of [
        ['new', []],
        ['password 100', ['a']],
        ['first', []],
      ] as const) {
        await change(password)
        expect(await exposed('eve')).toEqual(known)
      }
    })

    for (const key of recordsKeys) exposureModelTest(createTestStorage, key)
  })

  describe(`security, storage on ${adapter}: log`, () => {
    it('has every change of a record with time, author and record, and never a field', async () => {
      const before = Date.now()
      await employees.add('a', person('secret'), 'ada', 'digest')
      await employees.add('a', person('secret'), 'ada', 'digest')
      await employees.update('a', person('secret'), undefined, 'eve')
      await employees.update('a', person('secret'), person('secret'), 'eve')
      await employees.remove('a', 'ada')
      await employees.remove('a', 'ada')
      await employees.restore('a', person('secret'), undefined, 'ada')
      await Promise.all([employees.remove('a'), employees.restoreDeleted('a', 'eve')])
      const expected = [
        { kind: 'add', by: 'ada@x.y', revision: 1 },
        { kind: 'change', by: 'eve@x.y', revision: 2 },
        { kind: 'delete', by: 'ada@x.y', revision: 3 },
        { kind: 'restore', by: 'ada@x.y', revision: 4 },
        { kind: 'delete', by: null, revision: 5 },
        { kind: 'restore', by: 'eve@x.y', revision: 6 },
      ].map((entry) => ({ ...nothing, record: 'a', ...entry }))
      const entries = await logged()
      expect(entries.map(({ at: _, ...entry }) => entry)).toEqual(expected)
      for (const { at } of entries) expect(at >= before && at <= Date.now()).toBe(true)
      expect(JSON.stringify(entries)).not.toContain('secret')
    })

    it('has a batch as one entry for each kind of change, also a large one', async () => {
      await employees.add('old', person('old'))
      const add = makePeople(450)
      const update = [{ seen: personWithId('old'), fields: person('new') }]
      const batch = { add, update, remove: add.slice(0, 3), by: 'ada' }
      await employees.writeBatch(batch)
      await employees.writeBatch(batch)
      const by = 'ada@x.y'
      const entries = (await logged()).slice(1).map(({ at: _, ...entry }) => entry)
      expect(entries).toEqual([
        { ...nothing, by, kind: 'batch-add', count: 450, revision: 451, records: '2-451' },
        { ...nothing, by, kind: 'batch-change', count: 1, revision: 452, records: '1' },
        { ...nothing, by, kind: 'batch-delete', count: 3, revision: 455, records: '2-4' },
      ])
      const restore = [...add.slice(0, 3), personWithId('unknown'), personWithId('old')]
      await employees.writeBatch({ add: [], update: [], remove: [], restore, by: 'ada' })
      const { at: _, ...latest } = (await logged()).at(-1) ?? {}
      expect(latest).toEqual({
        ...{ ...nothing, by, kind: 'batch-restore', count: 3, revision: 458, records: '2-4' },
      })
      expect(await history.findIds(parseRanges('2-4,1'))).toEqual(['old', 'r0', 'r1', 'r2'])
      expect(await loadDetails()).toContainEqual(expect.objectContaining({ id: 'r5', changedBy: by }))
    })

    it('has what happens to accounts and links', async () => {
      const invite = (hash: string, uid: string | null) =>
        links.addInvitation({ hash, uid, email: null, expiresAt: 9 }, 1)
      await invite('i', 'ada')
      await invite('j', null)
      await links.removeInvitation('j', 'eve')
      await links.acceptInvitation('i', account('zoe'), 1)
      await accounts.add(account('bob'))
      await links.setResetLink({ uid: 'bob', hash: 'r', expiresAt: 9 })
      await accounts.replacePassword({ uid: 'bob', passwordHash: 'n', resetLink: { hash: 'r', now: 1 } })
      const newSession = { session: session('s', 'bob'), addressHash: 'home' }
      await accounts.replacePassword({ uid: 'bob', passwordHash: 'm', newSession })
      await sessions.endAll('bob')
      await accounts.replacePassword({ uid: 'bob', passwordHash: 'o' })
      await accounts.remove('bob')
      const refused = [
        await accounts.add(account('other', 'ada@x.y'), 'other'),
        await links.removeInvitation('j', 'eve'),
        await links.acceptInvitation('i', account('other'), 1),
        await links.setResetLink({ uid: 'bob', hash: 'r', expiresAt: 9 }),
        await accounts.replacePassword({ uid: 'bob', passwordHash: 'p' }),
        await accounts.remove('bob'),
      ]
      expect(refused).toEqual([false, false, 'invalid-link', false, undefined, false])
      const entries = await logged()
      const [i, j] = ['i', 'j'].map(toPublicId)
      expect(entries.slice(0, 4).map(({ invitation }) => invitation)).toEqual([i, j, j, i])
      expect(entries.map(({ kind, by, account }) => [kind, by, account])).toEqual([
        ['invite', 'ada@x.y', null],
        ['invite', null, null],
        ['revoke-invitation', 'eve@x.y', null],
        ['accept-invitation', 'zoe@x.y', 'ada@x.y'],
        ['add-account', null, 'bob@x.y'],
        ['create-reset-link', null, 'bob@x.y'],
        ['use-reset-link', 'bob@x.y', null],
        ['change-password', 'bob@x.y', null],
        ['reset-password', null, 'bob@x.y'],
        ['remove-account', null, 'bob@x.y'],
      ])
      const [first] = await collect(history.loadActivity())
      expect(first).toMatchObject({ kind: 'sign-up', by: 'ada@x.y' })
    })

    it('has what is reported, for records that are or were there, and any other entry', async () => {
      await employees.add('a', person('a'))
      await employees.add('b', person('b'))
      await employees.remove('b')
      await history.logRecords('reported-reveal', 'eve', ['b', 'none', 'a'])
      const entry: NewActivity = { kind: 'export', count: 2 }
      await history.log(entry)
      const last = (await logged()).slice(3).map(({ at: _, ...rest }) => rest)
      expect(last).toHaveLength(3)
      for (const record of ['a', 'b'])
        expect(last).toContainEqual({ ...nothing, kind: 'reported-reveal', by: 'eve@x.y', record })
      expect(last.at(-1)).toEqual({ ...nothing, ...entry })
    })

    it('has no entry from the future, not by a fraction of a millisecond', async () => {
      const loggedUntil: number[] = []
      for (let i = 0; i < 200; i++) {
        await history.log({ kind: 'backup' })
        loggedUntil.push(Date.now())
      }
      const late = (await logged()).filter(({ at }, i) => at > (loggedUntil[i] as number))
      expect(late).toEqual([])
    })

    it('tells how long ago the clock was last doubted, unless it was confirmed since', async () => {
      expect(await history.readClockDoubtAge()).toBeUndefined()
      for (const kind of ['doubt-clock', 'backup'] as const) await history.log({ kind })
      expect(await history.readClockDoubtAge()).toBeGreaterThanOrEqual(0)
      await history.log({ kind: 'confirm-clock' })
      expect(await history.readClockDoubtAge()).toBeUndefined()
    })

    it('removes entries until a time, the oldest first, some at a time', async () => {
      // Not all at once: each must be answered in time.
      for (let i = 0; i < maxRemovedTogether; i += 100)
        await Promise.all(Array.from({ length: 100 }, () => history.log({ kind: 'backup' })))
      const last = await letTimePass()
      await history.log({ kind: 'export' })
      expect(await history.removeActivity(0)).toBe(0)
      const removed = [await history.removeActivity(last), await history.removeActivity(last)]
      expect(removed).toEqual([maxRemovedTogether, 2])
      expect(await collect(history.loadActivity())).toMatchObject([{ kind: 'export' }])
    })
  })
}

const nothing: Omit<LoggedActivity, 'at' | 'kind'> = {
  ...{ record: null, revision: null, count: null, records: null },
  ...{ by: null, account: null, invitation: null, browser: null },
}

/** Waits for the next millisecond. Returns the one before. */
async function letTimePass(): Promise<number> {
  const time = Date.now()
  while (Date.now() <= time) await new Promise((resolve) => setTimeout(resolve, 1))
  return time
}
