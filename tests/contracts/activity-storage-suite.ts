import { beforeEach, describe, expect, it } from 'vitest'
import type { ActivityFilter, ActivitySubjects, NumberedActivity } from '../../server/storage/history.ts'
import { makersKeptMs } from '../../server/storage/storage.ts'
import {
  account,
  batchOf,
  type CreateTestStorage,
  makePeople,
  person,
  provideStorage,
  session,
} from './provide-storage.ts'

const hourMs = 60 * 60_000

/** The tests of the log that everyone reads, which every storage must pass. */
export function activityStorageSuite(adapter: string, createTestStorage: CreateTestStorage): void {
  const provided = provideStorage(createTestStorage)
  const { employees, accounts, sessions, links, history } = provided

  beforeEach(async () => {
    for (const uid of ['ada', 'eve']) await accounts.add(account(uid), uid)
  })

  const list = async (filter: Partial<ActivityFilter> = {}) =>
    (await history.listActivity({ limit: 100, ...filter })).entries
  const kindsOf = async (filter?: Partial<ActivityFilter>) => (await list(filter)).map(({ kind }) => kind)
  const signIn = (hash: string, browser?: string) =>
    sessions.add({ ...session(hash, 'ada'), browser }, 'hash', 'address')
  const handOver = (hash: string, expiresAt: number) =>
    links.addHandovers([{ hash, record: 'a', uid: 'ada', seen: person('a'), sealed: 'x', expiresAt }], 1)

  describe(`storage on ${adapter}: the list of activity`, () => {
    it('is in pages, the latest first, and narrowed by what happened and by who did it', async () => {
      await employees.add('a', person('a'), 'ada')
      await employees.writeBatch({ ...batchOf(makePeople(3)), by: 'eve' })
      await history.logRecords('reported-copy', 'eve', ['a'])
      await history.log({ kind: 'backup' })
      await handOver('h', 10)
      await links.takeHandover('h', 2)
      const kinds = ['open-hand-over', 'hand-over', 'backup', 'reported-copy', 'batch-add', 'add']
      expect(await kindsOf()).toEqual([...kinds, 'sign-up', 'sign-up'])
      const all = await list()
      expect(all).toEqual(all.toSorted((a, b) => b.id - a.id))
      expect(await list({ before: all[1]?.id as number, limit: 2 })).toEqual(all.slice(2, 4))
      expect(await list({ after: all[2]?.id as number })).toEqual(all.slice(0, 2))
      expect(await list({ before: all[1]?.id as number, isOldestFirst: true, limit: 2 })).toEqual(
        all.slice(-2).reverse(),
      )
      expect(await list({ since: Date.now() + hourMs })).toEqual([])
      expect(all.at(-3)).toMatchObject({ kind: 'add', by: 'ada@x.y', record: 'a' })
      expect(await kindsOf({ group: 'records' })).toEqual(['batch-add', 'add'])
      expect(await kindsOf({ group: 'secrets' })).toEqual(['reported-copy'])
      expect(await kindsOf({ group: 'links' })).toEqual(['open-hand-over', 'hand-over'])
      expect(await kindsOf({ group: 'people', limit: 1 })).toEqual(['sign-up'])
      expect(await kindsOf({ group: 'files' })).toEqual(['backup', 'batch-add'])
      expect(await kindsOf({ by: ['ada'] })).toEqual(['hand-over', 'add', 'sign-up'])
      expect(await kindsOf({ by: ['ada', 'eve'], group: 'records' })).toEqual(['batch-add', 'add'])
      const { next } = await history.listActivity({ by: ['ada'], limit: 2 })
      expect(await kindsOf({ by: ['ada'], before: next })).toEqual(['sign-up'])
      const oldest = await history.listActivity({ by: ['ada'], limit: 2, isOldestFirst: true })
      expect(oldest.entries.map(({ kind }) => kind)).toEqual(['sign-up', 'add'])
      expect(await kindsOf({ by: ['ada'], after: oldest.next, isOldestFirst: true })).toEqual(['hand-over'])
      await history.log({ kind: 'doubt-clock' })
      // Nobody of the team has opened the link, and the server itself doubts its clock.
      expect(await kindsOf({ by: [null] })).toEqual(['backup'])
      expect(await kindsOf({ by: ['nobody'] })).toEqual([])
    })

    it('is searched for records and people in parts of the log, as far back as it goes', async () => {
      await employees.add('a', person('a'), 'ada')
      await employees.add('b', person('b'), 'ada')
      const batch = { ...batchOf(makePeople(3)), by: 'eve' }
      await employees.writeBatch(batch)
      // More than one part holds.
      for (let i = 0; i < 12; i++)
        await employees.writeBatch({ ...batchOf([{ id: `c${i}`, ...person(`c${i}`) }]), by: 'eve' })
      await history.logRecords('reported-copy', 'eve', ['a'])
      await history.log({ kind: 'remove-account', by: 'ada', account: 'eve' })

      async function search(subjects: Partial<ActivitySubjects>, filter: Partial<ActivityFilter> = {}) {
        const found: NumberedActivity[] = []
        let before: number | undefined
        do {
          const page = await history.searchActivity(
            { before, limit: 100, ...filter },
            { records: [], people: [], ...subjects },
          )
          found.push(...page.entries)
          before = page.next
        } while (before !== undefined)
        return found.map(({ kind, by, record }) => [kind, by, record])
      }
      const added = ['add', 'ada@x.y', 'a']
      const copied = ['reported-copy', 'eve@x.y', 'a']
      const imported = ['batch-add', 'eve@x.y', null]
      const removed = ['remove-account', 'ada@x.y', null]
      expect(await search({ records: ['a'] })).toEqual([copied, added])
      expect(await search({ records: ['r1'] })).toEqual([imported])
      expect(await search({ records: ['r1', 'a', 'r2'] }, { group: 'records' })).toEqual([imported, added])
      expect(await search({ records: ['a'] }, { by: ['ada'] })).toEqual([added])
      expect(await search({ records: ['a'] }, { by: [null] })).toEqual([])
      expect(await search({ people: ['eve'] }, { by: ['ada', null] })).toEqual([removed])
      expect(await search({ people: ['eve'], records: ['r1'] }, { group: 'files' })).toEqual(
        Array(13).fill(imported),
      )
      expect(await search({ records: ['none'], people: ['nobody'] })).toEqual([])
      expect(await search({})).toEqual([])
    })

    it('has sign-ins, tells those of the first time and of new browsers apart, and not what replaces a session', async () => {
      for (const [hash, browser] of [
        ['s1', 'Firefox on Linux'],
        ['s2', 'Firefox on Linux'],
        ['s3'],
        ['s4', 'Safari on iPad'],
      ])
        await signIn(hash as string, browser)
      await sessions.endAll('ada')
      await signIn('s5')
      const newSession = { session: session('s6', 'ada'), addressHash: 'address' }
      await accounts.replacePassword({ uid: 'ada', passwordHash: 'hash', newSession })
      const found = (await list({ group: 'sign-ins' })).map(({ kind, by, browser }) => [kind, by, browser])
      expect(found).toEqual([
        ['change-password', 'ada@x.y', null],
        ['sign-in', 'ada@x.y', null],
        ['sign-in-new-browser', 'ada@x.y', 'Safari on iPad'],
        ['sign-in-new-browser', 'ada@x.y', null],
        ['sign-in', 'ada@x.y', 'Firefox on Linux'],
        ['sign-in-first', 'ada@x.y', 'Firefox on Linux'],
      ])
      expect(await signIn('s7', 'x')).toBe(true)
      expect(await sessions.add(session('s8', 'ada'), 'wrong', 'address')).toBe(false)
      expect(await list({ group: 'sign-ins' })).toHaveLength(found.length + 1)
    })

    it('counts the refused sign-ins of an account in an hour in one entry', async () => {
      const hour = 1000 * hourMs
      await Promise.all([0, 1, 2].map((minute) => history.logRefusal('ada', hour + minute)))
      await history.logRefusal('eve', hour)
      await history.logRefusal('ada', hour + hourMs)
      await history.logRefusal('nobody', hour)
      const found = (await list({ group: 'sign-ins' })).map(({ by, account, count }) => [by, account, count])
      expect(found).toEqual([
        [null, 'ada@x.y', 1],
        [null, 'eve@x.y', 1],
        [null, 'ada@x.y', 3],
      ])
    })

    it('has the sessions that their owner has ended, and hand-overs that nobody has opened in time', async () => {
      for (const hash of ['s1', 's2', 's3']) await signIn(hash, 'x')
      await sessions.end(['s1'])
      await sessions.end(['s2', 'gone'], 'ada')
      await sessions.end(['s2'], 'ada')
      await sessions.endAll('ada', 'ada')
      await employees.add('a', person('a'))
      await handOver('expired', 10)
      await handOver('opened', 10)
      await links.takeHandover('opened', 2)
      await links.removeExpired(10)
      await links.removeExpired(10)
      const ended = (await list({ group: 'sign-ins' })).filter(({ kind }) => kind === 'end-sessions')
      expect(ended.map(({ by, count }) => [by, count])).toEqual(Array(2).fill(['ada@x.y', 1]))
      expect((await list({ group: 'links' }))[0]).toMatchObject({
        ...{ kind: 'expire-hand-over', by: null, account: 'ada@x.y', record: 'a' },
      })
      expect(await kindsOf({ group: 'links' })).toHaveLength(4)
    })
  })

  describe(`storage on ${adapter}: news`, () => {
    const newsOf = async (uid: string, hash: string) =>
      (await history.listNews(uid, hash)).map(({ kind }) => kind)

    it('of a new browser is for the other sessions of the account, and is told until it is forgotten in one of them', async () => {
      await signIn('s1', 'Firefox on Linux')
      await signIn('s2', 'Safari on iPad')
      expect([await newsOf('ada', 's1'), await newsOf('ada', 's2'), await newsOf('eve', 's1')]).toEqual([
        ['sign-in-new-browser'],
        [],
        [],
      ])
      const ids = (await history.listNews('ada', 's1')).map(({ id }) => id)
      // Whoever has signed in can't hide it.
      await history.forgetNews('ada', 's2', ids)
      await history.forgetNews('eve', 's1', ids)
      expect(await newsOf('ada', 'later')).toHaveLength(1)
      await history.forgetNews('ada', 's1', ids)
      expect(await newsOf('ada', 's1')).toEqual([])
    })

    it('of an opened hand-over is for its maker, and is forgotten after some time', async () => {
      await employees.add('a', person('a'))
      await handOver('h', 10)
      await links.takeHandover('h', 2)
      expect([await newsOf('ada', 's1'), await newsOf('eve', 's1')]).toEqual([['open-hand-over'], []])
      await links.removeExpired(Date.now() + makersKeptMs - hourMs)
      expect(await newsOf('ada', 's1')).toHaveLength(1)
      await links.removeExpired(Date.now() + makersKeptMs + hourMs)
      expect(await newsOf('ada', 's1')).toEqual([])
    })
  })
}
