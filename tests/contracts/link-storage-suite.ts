import { beforeEach, describe, expect, it } from 'vitest'
import { maxOpenLinks, maxSheetLinks, takeRepeatMs } from '../../contract/links.ts'
import { defaultRetention, removeExpiredHistory } from '../../server/records/history/retention.ts'
import {
  type EmployeeStorage,
  type Handover,
  type IdentifiedBatch,
  type Invitation,
  maxTakenBytes,
} from '../../server/storage/storage.ts'
import { renamed } from '../support/people.ts'
import {
  account,
  type CreateTestStorage,
  collect,
  person,
  provideStorage,
  session,
} from './provide-storage.ts'

const monthMs = 30 * 24 * 60 * 60 * 1000
const now = 1_000
const later = now + 500

const recordA = { id: 'a', ...person('a') }
const otherPassword = { ...person('a'), password: 'other' }
const change = { seen: recordA, fields: otherPassword }
const batch = (changes: Partial<IdentifiedBatch>) => ({ add: [], update: [], remove: [], ...changes })

/** The tests of one-time links and of when accounts were last seen, which every storage must pass. */
export function linkStorageSuite(adapter: string, createTestStorage: CreateTestStorage): void {
  const provided = provideStorage(createTestStorage)
  const { storage, testStorage, employees, accounts, sessions, links, history, reopen } = provided

  beforeEach(async () => {
    for (const uid of ['1', '2']) await accounts.add(account(uid))
  })

  const invite = (hash: string, more: Partial<Invitation> = {}) =>
    links.addInvitation({ hash, uid: '1', email: null, expiresAt: later, ...more }, now)

  const newHandover = (hash: string, { record = 'a', ...more }: Partial<Handover> = {}) => {
    const handover = { hash, record, uid: '1', seen: person(record), sealed: `sealed ${hash}` }
    return { ...handover, expiresAt: later, ...more }
  }
  const setReset = (uid: string, hash: string, by?: string) =>
    links.setResetLink({ uid, hash, expiresAt: later, ...(by && { by }) })
  const handOver = async (hash: string, more?: Partial<Handover>) =>
    (await links.addHandovers([newHandover(hash, more)], now))[0]

  describe(`security, storage on ${adapter}: invitations`, () => {
    it('lists open invitations with who has made them, the next to expire first', async () => {
      await invite('a', { expiresAt: later + 1 })
      await invite('b', { uid: null, email: 'Zoe@x.y' })
      await invite('c', { expiresAt: now })
      await reopen()
      expect(await links.listInvitations(now)).toEqual([
        { hash: 'b', uid: null, email: 'Zoe@x.y', expiresAt: later, invitedBy: null },
        { hash: 'a', uid: '1', email: null, expiresAt: later + 1, invitedBy: '1@x.y' },
      ])
      expect(await links.findInvitation('a', now)).toMatchObject({ uid: '1', email: null })
      expect(await links.findInvitation('a', later + 1)).toBeUndefined()
    })

    it('is used up by one of many accounts at once, and no other is added', async () => {
      await invite('a')
      const accept = (_: unknown, i: number) => links.acceptInvitation('a', account(`new ${i}`), now)
      const outcomes = await Promise.all(Array.from({ length: 8 }, accept))
      expect(outcomes.toSorted()).toEqual(['done', ...Array(7).fill('invalid-link')])
      expect(await accounts.list()).toHaveLength(3)
      expect(await links.listInvitations(now)).toEqual([])
    })

    it('is refused beyond the number per account and the total, also at once; expired ones do not count', async () => {
      const { perAccount, total } = maxOpenLinks
      await invite('old', { expiresAt: now })
      const added = await Promise.all(Array.from({ length: perAccount + 5 }, (_, i) => invite(`a${i}`)))
      expect(added.filter(Boolean)).toHaveLength(perAccount)
      expect(await invite('b', { uid: '2' })).toBe(true)
      const fromOperator: boolean[] = []
      for (let i = 0; i < total; i++) fromOperator.push(await invite(`o${i}`, { uid: null }))
      expect(fromOperator.filter(Boolean)).toHaveLength(total - perAccount - 1)
      expect(await invite('c', { uid: '2' })).toBe(false)
      expect(await links.addInvitation({ hash: 'n', uid: '1', email: null, expiresAt: 9_000 }, later)).toBe(
        true,
      )
    })
  })

  describe(`security, storage on ${adapter}: hand-overs`, () => {
    beforeEach(async () => {
      for (const id of ['a', 'b']) await employees.add(id, person(id))
    })

    const addSheet = (sheet: string, hashes: string[], more?: Partial<Handover>) => {
      const handovers = hashes.map((hash) => newHandover(hash, { record: hash[0] ?? '', ...more }))
      return links.addHandovers(handovers, now, sheet)
    }
    const take = (hash: string, at = now, key?: string) => links.takeHandover(hash, at, key)
    const openHandovers = async () => (await links.listHandovers(now)).map(({ hash }) => hash)
    const receiptOf = async (id: string) => {
      const [details] = await collect(history.loadDetails([id]))
      return [details?.handedOverAt, details?.openedAt]
    }

    it('are opened by one of many at once, and the record keeps when, also after the maker has left', async () => {
      await handOver('x')
      await handOver('y', { record: 'b', uid: '2', expiresAt: later - 1 })
      await reopen()
      expect(await links.listHandovers(now)).toEqual([
        { hash: 'y', record: 'b', uid: '2', by: '2@x.y', createdAt: now, expiresAt: later - 1, sheet: null },
        { hash: 'x', record: 'a', uid: '1', by: '1@x.y', createdAt: now, expiresAt: later, sheet: null },
      ])
      expect(await receiptOf('a')).toEqual([now, null])
      const taken = await Promise.all(Array.from({ length: 100 }, () => take('x', now + 1)))
      expect(taken.filter(Boolean)).toEqual([{ sealed: 'sealed x', by: '1@x.y' }])
      expect(await openHandovers()).toEqual(['y'])
      const log = await collect(history.loadActivity())
      expect(log.at(-1)).toMatchObject({ kind: 'open-hand-over', by: null, account: '1@x.y', record: 'a' })
      await accounts.remove('1')
      await links.removeExpired(later)
      expect([await receiptOf('a'), await receiptOf('b')]).toEqual([
        [now, now + 1],
        [null, null],
      ])
    })

    it('are void once they are unknown, expired or revoked, or their maker is removed', async () => {
      for (const hash of ['expired', 'revoked', 'orphaned']) await handOver(hash)
      expect(await take('unknown')).toBeUndefined()
      expect(await take('expired', later)).toBeUndefined()
      for (const isOpen of [true, false])
        expect(await links.removeHandovers('hash', 'revoked', '2')).toBe(isOpen)
      expect(await take('revoked')).toBeUndefined()
      await accounts.remove('1')
      expect(await take('orphaned')).toBeUndefined()
      expect(await handOver('late')).toBe('too-many-handovers')
      expect(await handOver('none', { uid: '2', record: 'none' })).toBe('not-found')
    })

    it.each<[string, (employees: EmployeeStorage) => Promise<unknown>]>([
      ['its password changes', (records) => records.update('a', otherPassword)],
      ['it is deleted', (records) => records.remove('a')],
      ['a batch deletes it', (records) => records.writeBatch(batch({ remove: [recordA] }))],
      ['a batch changes its password', (records) => records.writeBatch(batch({ update: [change] }))],
    ])('of a record are void once %s, also if that is undone', async (_, end) => {
      await handOver('opened')
      await take('opened')
      await handOver('x')
      await handOver('other', { record: 'b' })
      await employees.update('a', renamed('Renamed', person('a')))
      await employees.update('a', person('a'))
      expect(await openHandovers()).toEqual(['other', 'x'])
      await end(employees)
      expect(await openHandovers()).toEqual(['other'])
      await employees.restoreDeleted('a')
      await employees.update('a', person('a'))
      expect(await take('x')).toBeUndefined()
      expect(await receiptOf('a')).toEqual([null, null])
      expect(await take('other')).toMatchObject({ sealed: 'sealed other' })
    })

    it('are refused for a record that is no longer as their maker saw it', async () => {
      await employees.update('a', otherPassword)
      expect(await handOver('stale')).toBe('conflict')
      expect(await handOver('x', { seen: otherPassword })).toBe('done')
      const late = handOver('late', { seen: otherPassword })
      const [outcome] = await Promise.all([late, employees.update('a', person('a'))])
      expect(['done', 'conflict']).toContain(outcome)
      expect(await openHandovers()).toEqual([])
      await employees.remove('a')
      expect(await handOver('removed')).toBe('not-found')
    })

    it('are refused beyond the number per account, also at once; expired and opened ones do not count', async () => {
      const { perAccount } = maxOpenLinks
      await handOver('old', { expiresAt: now })
      await handOver('opened')
      await take('opened')
      const added = await Promise.all(Array.from({ length: perAccount + 5 }, (_, i) => handOver(`x${i}`)))
      expect(added.filter((outcome) => outcome === 'done')).toHaveLength(perAccount)
      expect(await handOver('y')).toBe('too-many-handovers')
      expect(await handOver('y', { uid: '2' })).toBe('done')
    })

    it('can be opened again for some minutes with the key of the first time, and are then wiped', async () => {
      await handOver('x')
      const keys = Array.from({ length: 50 }, (_, i) => `${i % 5}`)
      const taken = await Promise.all(keys.map((key) => take('x', now, key)))
      const [used] = keys.filter((_, i) => taken[i])
      const sealed = { sealed: 'sealed x', by: '1@x.y' }
      expect(taken).toEqual(keys.map((key) => (key === used ? sealed : undefined)))
      expect(await take('x')).toBeUndefined()
      await links.removeExpired(now + takeRepeatMs - 1)
      expect(await take('x', now + takeRepeatMs - 1, used)).toEqual(sealed)
      expect(await take('x', now + takeRepeatMs, used)).toBeUndefined()
      await links.removeExpired(now + takeRepeatMs)
      await handOver('b', { record: 'b', uid: '2' })
      await take('b', now, 'key')
      await accounts.remove('2')
      expect(await take('b', now, 'key')).toBeUndefined()
      const wiped = { uid: null, sealed: null, takeKey: null }
      expect(await testStorage.readRows('handovers')).toMatchObject([wiped, wiped])
      await handOver('c')
      await take('c', now, 'key')
      await employees.update('a', otherPassword)
      expect(await take('c', now, 'key')).toBeUndefined()
    })

    it('that were opened take limited space: beyond it, the latest can’t be opened again', async () => {
      await employees.add('c', person('c'))
      const sealed = 'x'.repeat(maxTakenBytes / 2)
      for (const record of ['a', 'b', 'c']) {
        await handOver(record, { record, sealed })
        expect(await take(record, now, 'key')).toMatchObject({ sealed })
      }
      const again = await Promise.all(['a', 'b', 'c'].map((hash) => take(hash, now, 'key')))
      expect(again.map(Boolean)).toEqual([true, true, false])
    })

    it('of a sheet are added together, but not to changed records, replace those of earlier sheets, and are revoked together', async () => {
      await handOver('single')
      await employees.add('c', otherPassword)
      const outcomes = await addSheet('one', ['a1', 'b1', 'c1', 'd1'])
      expect(outcomes.join()).toBe('done,done,conflict,not-found')
      await take('a1')
      expect(await links.listSheets(now)).toEqual([
        { id: 'one', by: '1@x.y', createdAt: now, expiresAt: later, open: 1, opened: 1 },
      ])
      await addSheet('two', ['a2', 'b2'], { uid: '2' })
      expect(await openHandovers()).toEqual(['a2', 'b2', 'single'])
      expect(await links.listSheets(now)).toMatchObject([{ id: 'two', open: 2, opened: 0 }])
      for (const isFound of [true, false])
        expect(await links.removeHandovers('sheet', 'two', '1')).toBe(isFound)
      expect([await openHandovers(), await links.listSheets(now)]).toEqual([['single'], []])
    })

    it('of sheets are limited apart, in number and in size; too many change nothing', async () => {
      const { perAccount, bytes } = maxSheetLinks
      const half = Array.from({ length: perAccount / 2 }, (_, i) => `a${i}`)
      const half2 = half.map((hash) => hash.replace('a', 'b'))
      for (const hashes of [half, half2])
        expect(await addSheet(hashes[0] ?? '', hashes)).not.toContain('too-many-handovers')
      await employees.add('c', person('c'))
      expect(await addSheet('more', ['c'])).toEqual(['too-many-handovers'])
      expect(await addSheet('more', ['c'], { uid: '2' })).toEqual(['done'])
      expect(await handOver('single')).toBe('done')
      expect(await addSheet('a0', half)).not.toContain('too-many-handovers')
      const large = 'x'.repeat(bytes / 2 - 10_000)
      expect(await addSheet('large', ['c1', 'b'], { uid: '2', sealed: large })).toEqual(['done', 'done'])
      expect(await addSheet('larger', ['a'], { uid: '2', sealed: large })).toEqual(['too-many-handovers'])
      expect(await openHandovers()).toHaveLength(perAccount / 2 + 3)
    })
  })

  describe(`security, storage on ${adapter}: reset links`, () => {
    const replace = (hash: string) =>
      accounts.replacePassword({ uid: '1', passwordHash: `by ${hash}`, resetLink: { hash, now } })
    const hashOf = async (uid: string) => (await accounts.findByEmailKey(`${uid}@x.y`))?.passwordHash

    it('sets one password, ends all sessions, and is then used up', async () => {
      await sessions.add(session('s', '1'), 'hash')
      expect(await setReset('1', 'a')).toBe(true)
      expect(await links.findByResetLink('a', now)).toEqual(account('1'))
      const replaced = await Promise.all([replace('a'), replace('a'), replace('a')])
      expect(replaced.filter(Boolean)).toEqual([['s']])
      expect(await setReset('3', 'c')).toBe(false)
      expect(await hashOf('1')).toBe('by a')
      expect(await links.findByResetLink('a', now)).toBeUndefined()
    })

    it('is void once the password has been changed otherwise, but not when its hash was renewed', async () => {
      await setReset('1', 'a')
      await accounts.setPasswordHash('1', 'renewed', 'hash')
      expect(await links.findByResetLink('a', now)).toBeDefined()
      await accounts.replacePassword({ uid: '1', passwordHash: 'changed' })
      expect(await replace('a')).toBeUndefined()
      expect(await hashOf('1')).toBe('changed')
    })

    it('is removed with its account, and some time after it has expired, as are invitations', async () => {
      await invite('a', { uid: '2' })
      await setReset('1', 'a')
      await setReset('2', 'b')
      await accounts.remove('1')
      await links.removeExpired(later)
      expect(await links.findInvitation('a', 0)).toBeUndefined()
      for (const hash of ['a', 'b']) expect(await links.findByResetLink(hash, 0)).toBeUndefined()
    })
  })

  describe(`security, storage on ${adapter}: colleagues`, () => {
    const remove = (uid: string, by = '1') => accounts.removeColleague(uid, by)
    const personOf = async (uid: string) => (await history.listPeople()).find((each) => each.uid === uid)

    it('remove an account with its sessions and the links for it and by it, and let it back in with its password', async () => {
      const signIn = () => sessions.add(session('s', '2'), 'hash')
      const find = async () => [await accounts.findByEmailKey('2@x.y'), await accounts.findRemoved('2@x.y')]
      await signIn()
      await invite('of 2', { uid: '2' })
      await employees.add('a', person('a'))
      for (const uid of ['1', '2']) await handOver(`by ${uid}`, { uid })
      await setReset('2', 'r')
      await setReset('1', 'by 2', '2')
      expect(await remove('2')).toEqual(['s'])
      expect(await personOf('2')).toMatchObject({ removedBy: '1', kept: '2' })
      const resets = await Promise.all(['r', 'by 2'].map((hash) => links.findByResetLink(hash, now)))
      expect([await links.listInvitations(now), resets]).toEqual([[], [undefined, undefined]])
      expect(await links.listHandovers(now)).toMatchObject([{ by: '1@x.y' }])
      expect([await find(), await signIn()]).toEqual([[undefined, account('2')], false])
      expect(await accounts.letIn('2', '1')).toBe('done')
      expect(await personOf('2')).toMatchObject({ removedAt: null, removedBy: null, kept: null })
      expect([await find(), await signIn()]).toEqual([[account('2'), undefined], true])
      expect(await accounts.letIn('2', '1')).toBe('not-found')
    })

    it('can remove neither themselves nor, once they are removed, anyone: one of two stays', async () => {
      expect([await remove('1'), await remove('3')]).toEqual([undefined, undefined])
      expect((await Promise.all([remove('1', '2'), remove('2')])).filter(Boolean)).toHaveLength(1)
      const [left, ...others] = (await accounts.list()).map(({ uid }) => uid)
      const by = left === '1' ? '2' : '1'
      expect([others, await accounts.letIn(by, by)]).toEqual([[], 'not-found'])
      expect(await setReset(left ?? '', 'r', by)).toBe(false)
    })

    it('cannot let an account in beside a new one, after its time, or after the operator has removed it', async () => {
      await remove('2')
      const removedAt = (await personOf('2'))?.removedAt as number
      const sweep = (time: number) => removeExpiredHistory(storage, defaultRetention, () => time)
      await sweep(removedAt + monthMs - 1)
      await accounts.add(account('3', '2@x.y'))
      expect(await accounts.letIn('2', '1')).toBe('account-exists')
      await remove('3')
      expect([await accounts.remove('2'), await accounts.letIn('2', '1')]).toEqual([true, 'not-found'])
      expect(await personOf('2')).toMatchObject({ removedAt, removedBy: '1' })
      await sweep(Date.now() + monthMs)
      expect(await accounts.letIn('3', '1')).toBe('not-found')
    })

    it('are told of everyone who has made a reset link for them in 60 days, the latest first', async () => {
      const makers = (since = 0) => accounts.listResetLinkMakers('2', since)
      const emails = async () => (await makers()).map(({ by }) => by)
      await accounts.add(account('3'))
      await setReset('2', 'a')
      await setReset('3', 'b', '1')
      expect(await makers()).toEqual([])
      for (const by of ['1', '3', '1']) {
        await setReset('2', 'c', by)
        const [{ at: latest } = { at: 0 }] = await makers()
        await expect.poll(() => Date.now()).toBeGreaterThan(latest)
      }
      expect(await setReset('2', 'own', '2')).toBe(false)
      expect(await emails()).toEqual(['1@x.y', '3@x.y'])
      await remove('3')
      await remove('2')
      await accounts.letIn('2', '1')
      await reopen()
      expect(await emails()).toEqual(['1@x.y', '3@x.y'])
      const [{ at } = { at: 0 }] = await makers()
      expect(await makers(at)).toEqual([])
      await links.removeExpired(at + 2 * monthMs - 1)
      expect(await emails()).toContain('1@x.y')
      await links.removeExpired(at + 2 * monthMs)
      expect(await emails()).toEqual([])
    })

    it('do not know what changes after a confirmed removal', async () => {
      await employees.add('a', person('a'))
      await remove('2')
      await employees.update('a', person('b'))
      await accounts.confirmRemoval('2')
      expect(await history.findExposed('2')).toEqual({ ids: ['a'], canSignIn: false })
      await employees.update('a', person('c'))
      expect(await history.findExposed('2')).toEqual({ ids: [], canSignIn: false })
    })
  })

  describe(`storage on ${adapter}: when accounts were last seen`, () => {
    it('is the latest sign-in or request, also after the sessions have ended', async () => {
      expect(await accounts.listLastSeen()).toEqual(new Map())
      await sessions.add(session('s', '1', 5), 'hash')
      expect(await accounts.listLastSeen()).toEqual(new Map([['1', 5]]))
      await sessions.touch('s', 9)
      await sessions.add(session('t', '1', 7), 'hash')
      await sessions.touch('t', 8)
      await sessions.touch('unknown', 20)
      await sessions.endAll('1')
      await reopen()
      expect(await accounts.listLastSeen()).toEqual(new Map([['1', 9]]))
      await accounts.remove('1')
      expect(await accounts.listLastSeen()).toEqual(new Map())
    })
  })
}
