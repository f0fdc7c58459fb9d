import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type EmployeeFields,
  fieldNames,
  mapFields,
  optionalFieldNames,
  pickFields,
} from '../../contract/employees.ts'
import {
  type Account,
  commits,
  type EmployeeChange,
  maxRememberedAddresses,
} from '../../server/storage/storage.ts'
import { fieldsWith, without } from '../support/people.ts'
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
import { storageModelTest } from './storage-model.ts'

const [done, unchanged] = [{ outcome: 'done' }, { outcome: 'unchanged' }]
const [full, reused] = [{ outcome: 'register-full' }, { outcome: 'key-reused' }]

/** The tests that every storage must pass. */
export function storageSuite(adapter: string, createTestStorage: CreateTestStorage): void {
  describe(`storage on ${adapter}: records`, () => {
    const { employees, storage, reopen } = provideStorage(createTestStorage)

    it('refuses a repeated batch with another digest as a whole', async () => {
      await employees.add('old', person('old'))
      const batch = { ...batchOf(['a', 'b'].map(personWithId)), digest: 'one' }
      const [written, other] = await Promise.all([
        employees.writeBatch(batch),
        employees.writeBatch({ ...batch, remove: [personWithId('old')], digest: 'other' }),
      ])
      expect([written, other]).toMatchObject([{ outcome: 'done', revision: 3 }, reused])
      expect(await employees.writeBatch(batch)).toMatchObject({ outcome: 'done', revision: 3 })
      expect(await collect(employees.load())).toHaveLength(3)
    })

    it('waits for a subscriber that returns a promise, before the write resolves and the next commit is notified', async () => {
      const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const events: string[] = []
      employees.subscribe((changes) => {
        for (const { id } of changes) events.push(`notified of ${id}`)
        reached.resolve()
        return events.length === 1 ? release.promise : undefined
      })
      const add = (id: string) => employees.add(id, person(id)).then(() => events.push(`${id} resolved`))
      const adding = add('a')
      await reached.promise
      const addingNext = add('b')
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(events).toEqual(['notified of a'])
      release.resolve()
      await Promise.all([adding, addingNext])
      expect(events).toEqual(['notified of a', 'a resolved', 'notified of b', 'b resolved'])
    })

    it('commits a batch with one notification, and changes nothing when it is repeated', async () => {
      for (const id of ['a', 'b']) await employees.add(id, person(id))
      const received: EmployeeChange[][] = []
      employees.subscribe((changes) => received.push([...changes]))
      const update = [{ seen: personWithId('a'), fields: person('a2') }]
      const batch = { add: [personWithId('c')], update, remove: [personWithId('b')] }
      for (const isRepeated of [false, true])
        expect(await employees.writeBatch(batch)).toMatchObject({ revision: 5, kept: [], isRepeated })
      expect(received).toEqual([
        [
          { type: 'saved', id: 'c', seq: 3, revision: 3, ...person('c') },
          { type: 'saved', id: 'a', seq: 1, revision: 4, ...person('a2') },
          { type: 'removed', id: 'b', seq: 2, revision: 5 },
        ],
      ])
    })

    it('loads more records than fit into one page', async () => {
      await employees.writeBatch(batchOf(makePeople(2_500)))
      await reopen()
      expect(await collect(employees.load())).toMatchObject(makePeople(2_500))
    })

    it('gives every database its own epoch', async () => {
      const other = await (await createTestStorage()).open()
      const { epoch } = await employees.head()
      expect((await other.employees.head()).epoch).not.toBe(epoch)
    })

    it('finishes accepted writes before it closes, and rejects others afterwards', async () => {
      const closing = storage.employees
      const writes = Promise.all(['a', 'b', 'c'].map((id) => closing.add(id, person(id))))
      await reopen()
      expect(await writes).toMatchObject([done, done, done])
      expect(await collect(employees.load())).toHaveLength(3)
      await expect(closing.add('d', person('d'))).rejects.toMatchObject({ kind: 'unavailable' })
    })
  })

  describe.each(recordsKeys)(`storage on ${adapter}: records and their limit (key: %s)`, (key) => {
    const { employees, history, reopen } = provideStorage(createTestStorage, { key })
    let bytes = 0

    beforeEach(async () => {
      await employees.add('a', person('a'))
      bytes = employees.size().bytes
    })

    it('refuses a repeated add with another digest, also after changes and reopening', async () => {
      const [added, other] = await Promise.all([
        employees.add('x', person('a'), undefined, 'digest a'),
        employees.add('x', person('b'), undefined, 'digest b'),
        employees.update('x', person('c')),
      ])
      expect([added, other]).toMatchObject([{ outcome: 'done', revision: 2 }, reused])
      expect(await employees.add('x', person('a'), undefined, 'digest a')).toMatchObject(unchanged)
      await employees.remove('x')
      await reopen()
      expect(await employees.add('x', person('b'), undefined, 'digest b')).toEqual(reused)
      const repeated = await employees.add('x', person('a'), undefined, 'digest a')
      expect(repeated).toMatchObject({ outcome: 'unchanged', revision: 4 })
      expect(await employees.add('x', person('b'))).toMatchObject(unchanged)
    })

    it('recognizes repeated changes by their digest, also after others and reopening, until so many have changed the record', async () => {
      const repeated = { outcome: 'unchanged', isRepeated: true }
      const [first, removed, second] = await Promise.all([
        employees.update('a', person('b'), undefined, undefined, 'digest 1'),
        employees.remove('a', undefined, 'digest 2'),
        employees.restore('a', person('a'), undefined, undefined, 'digest 3'),
      ])
      expect([first, removed, second]).toMatchObject([done, done, done])
      expect(await employees.remove('a', undefined, 'digest 2')).toMatchObject(repeated)
      await reopen()
      const [again, removedAgain] = await Promise.all([
        employees.update('a', person('b'), undefined, undefined, 'digest 1'),
        employees.remove('a', undefined, 'digest 2'),
      ])
      expect([again, removedAgain]).toMatchObject([repeated, repeated])
      await employees.remove('a')
      expect(await employees.restoreDeleted('a', undefined, 'digest 4')).toMatchObject(done)
      await employees.remove('a')
      expect(await employees.restoreDeleted('a', undefined, 'digest 4')).toMatchObject(repeated)
      expect(await employees.restoreDeleted('a', undefined, 'digest 5')).toMatchObject(done)
      expect(await collect(employees.load())).toMatchObject([{ id: 'a', ...person('a') }])
      for (let i = 0; i < 8; i++)
        await employees.update('a', person(`c${i}`), undefined, undefined, `other ${i}`)
      const forgotten = await employees.update('a', person('b'), undefined, undefined, 'digest 1')
      expect(forgotten).toMatchObject(done)
      expect(await employees.add('a', person('x'), undefined, 'digest')).toMatchObject(unchanged)
    })

    it('recognizes a repeated batch by its digest in every part of it', async () => {
      const people = makePeople(450)
      await employees.writeBatch(batchOf(people))
      const removal = { ...batchOf([]), remove: people, digest: 'removal' }
      expect(await employees.writeBatch(removal)).toMatchObject({ isRepeated: false })
      await employees.writeBatch({ ...batchOf([]), restore: people })
      expect(await employees.writeBatch(removal)).toMatchObject({ isRepeated: true, kept: [] })
      expect(await collect(employees.load())).toHaveLength(people.length + 1)
    })

    it('does not grow beyond its limit, and can always be opened and get smaller', async () => {
      await reopen({ maxBytes: 2 * bytes })
      expect(await employees.add('b', person('b'))).toMatchObject(done)
      expect(await employees.add('c', person('c'))).toEqual(full)
      expect(await employees.add('b', person('b'))).toMatchObject(unchanged)
      expect(await employees.update('b', person('longer'))).toEqual(full)
      expect(await employees.update('b', person('longer'), person('b'))).toEqual(full)
      expect(await employees.update('b', person('d'), person('b'))).toMatchObject(done)
      const batch = batchOf([personWithId('c')])
      const writes = [employees.writeBatch(batch), employees.remove('a')]
      const [refused, removed] = await Promise.allSettled(writes)
      expect(refused).toMatchObject({ reason: { kind: 'register-full' } })
      expect(removed).toMatchObject({ value: done })
      for (let i = 0; i < 2; i++) expect(await employees.writeBatch(batch)).toMatchObject(done)
      expect(await employees.restoreDeleted('a')).toEqual(full)
      expect(await employees.restore('a', person('a'))).toEqual(full)
      expect(employees.size()).toEqual({ bytes: 2 * bytes, deletedBytes: bytes, maxBytes: 2 * bytes })

      await reopen({ maxBytes: bytes })
      expect(await employees.restoreDeleted('a')).toEqual(full)
      for (const id of ['b', 'c']) expect(await employees.remove(id)).toMatchObject(done)
      expect(await employees.restoreDeleted('a')).toMatchObject(done)
      expect(employees.size()).toEqual({ bytes, deletedBytes: 2 * bytes, maxBytes: bytes })
    })

    it('takes back a batch that does not fit, and commits the other writes of its group once', async () => {
      await reopen({ maxBytes: 102 * bytes })
      const onCommit = vi.fn()
      commits.on('commit', onCommit)
      const write = (count: number) => employees.writeBatch(batchOf(makePeople(count, 'a')))
      const refused = { reason: { kind: 'register-full' } }
      const group = [employees.update('a', person('c')), write(150), employees.add('d', person('d'))]
      const written = (revision: number) => ({ value: { revision } })
      expect(await Promise.allSettled(group)).toMatchObject([written(2), refused, written(3)])
      commits.off('commit', onCommit)
      expect(onCommit.mock.calls).toMatchObject([[{ writes: 3 }]])
      expect(await Promise.allSettled([write(450), write(100)])).toMatchObject([refused, written(103)])
    })

    it('takes back a batch that restores more than fits', async () => {
      const restore = makePeople(300)
      await employees.writeBatch(batchOf(restore))
      const { bytes: maxBytes } = employees.size()
      await employees.writeBatch({ ...batchOf([]), remove: restore })
      await reopen({ maxBytes: maxBytes - 1 })
      const { revision } = await employees.head()
      const batch = { ...batchOf([]), restore }
      await expect(employees.writeBatch(batch)).rejects.toMatchObject({ kind: 'register-full' })
      expect(await employees.head()).toMatchObject({ revision })
      const fitting = { ...batch, restore: restore.slice(1) }
      const restored = restore.slice(1).map(({ id }, i) => ({ id, seq: i + 3 }))
      expect(await employees.writeBatch(fitting)).toMatchObject({
        revision: revision + 299,
        kept: [],
        restored,
      })
    })

    it('keeps deleted records of as much as its limit more, until they are wiped', async () => {
      await reopen({ maxBytes: bytes })
      await employees.remove('a')
      expect(await employees.add('b', person('b'))).toMatchObject(done)
      await employees.remove('b')
      expect(await employees.add('c', person('c'))).toEqual(full)
      expect(await employees.restore('b', person('longer'))).toEqual(full)
      expect(await employees.restoreDeleted('b')).toMatchObject(done)
      await employees.remove('b')
      expect(employees.size()).toMatchObject({ bytes: 0, deletedBytes: 2 * bytes })
      expect(await history.wipeDeleted(Date.now())).toBe(2)
      expect(await employees.add('c', person('c'))).toMatchObject(done)
      await employees.remove('c')
      expect(await employees.restore('a', person('a'))).toMatchObject(done)
      expect(employees.size()).toMatchObject({ bytes, deletedBytes: bytes })
    })
  })

  describe.each(recordsKeys)(`storage on ${adapter}: every field (key: %s)`, (key) => {
    const { employees, history, storage, testStorage, reopen } = provideStorage(createTestStorage, { key })

    it('is stored, compared and restored', async () => {
      let current = fieldsWith('first')
      await employees.add('a', current)
      for (const name of fieldNames) {
        const changed = { ...current, [name]: fieldsWith('second')[name] }
        const other = { ...current, [name]: 'other' }
        const updated = await employees.update('a', changed, current)
        expect(updated, name).toMatchObject({ outcome: 'done', fields: changed })
        expect(await employees.update('a', other, current), name).toMatchObject({ outcome: 'conflict' })
        const outdated = { add: [], update: [], remove: [{ id: 'a', ...current }] }
        expect(await employees.writeBatch(outdated), name).toMatchObject({ kept: ['a'] })
        expect(await employees.restore('a', current), name).toEqual({ outcome: 'id-in-use' })
        current = changed
      }
      await employees.remove('a')
      expect(await history.listDeleted(1)).toMatchObject([{ id: 'a', ...current }])
      await employees.restoreDeleted('a')
      await reopen()
      expect((await collect(employees.load())).map(pickFields)).toEqual([current])
    })

    it.each(optionalFieldNames)('%s stays as it is if a write does not name it', async (name) => {
      const first = fieldsWith('first')
      const stored = async () => (await collect(employees.load())).map(pickFields)
      const received: EmployeeFields[] = []
      employees.subscribe((changes) => {
        for (const change of changes) if (change.type === 'saved') received.push(pickFields(change))
      })
      await employees.add('a', first)
      let current: EmployeeFields = first
      const change = (text: string) => {
        const seen = without(name, current)
        current = { ...fieldsWith(text), [name]: first[name] }
        return { seen, fields: without(name, current) }
      }
      const second = change('second')
      expect(await employees.update('a', second.fields)).toMatchObject({ outcome: 'done' })
      const third = change('third')
      expect(await employees.update('a', third.fields, third.seen)).toMatchObject({ fields: current })
      const { seen, fields } = change('fourth')
      const batch = { add: [], update: [{ seen: { id: 'a', ...seen }, fields }], remove: [] }
      expect(await employees.writeBatch(batch)).toMatchObject({ kept: [] })
      const removal = { add: [], update: [], remove: [{ id: 'a', ...without(name, current) }] }
      expect(await employees.writeBatch(removal)).toMatchObject({ kept: [] })
      await employees.restore('a', without(name, current))
      expect(await employees.restore('a', without(name, current))).toMatchObject({ outcome: 'unchanged' })
      expect(received.slice(1)).toEqual(
        ['second', 'third', 'fourth', 'fourth'].map((text) => ({ ...fieldsWith(text), [name]: first[name] })),
      )
      await reopen()
      expect(await stored()).toEqual([current])
    })

    it.each(optionalFieldNames)('%s may be empty, and is emptied by a write that says so', async (name) => {
      const full = fieldsWith('full')
      const empty = without(name, full)
      await employees.add('a', { ...full, [name]: '' })
      await employees.add('b', empty)
      await employees.add('c', full)
      await employees.update('c', { ...full, [name]: '' }, full)
      const batch = {
        add: [],
        update: [{ seen: { id: 'a', ...full, [name]: '' }, fields: full }],
        remove: [],
      }
      expect(await employees.writeBatch(batch)).toMatchObject({ kept: [] })
      const late = {
        ...batch,
        update: [{ seen: { id: 'a', ...full, [name]: '' }, fields: fieldsWith('late') }],
      }
      expect(await employees.writeBatch(late)).toMatchObject({ kept: ['a'] })
      await reopen()
      expect((await collect(employees.load())).map(pickFields)).toEqual([full, empty, empty])
    })

    it.each([true, false])('is wiped with its record (kept: %s)', async (keepDeleted) => {
      await reopen({ keepDeleted })
      const wiped = [mapFields(() => null)]
      await employees.add('a', fieldsWith('a'))
      await employees.remove('a')
      if (keepDeleted) {
        expect(await testStorage.readRows('books')).not.toMatchObject(wiped)
        await history.wipeDeleted(Date.now())
      }
      expect(await testStorage.readRows('books')).toMatchObject(wiped)
    })

    it('is encrypted with the key and with the next one', async () => {
      await employees.add('a', fieldsWith('a'))
      await storage.close()
      const nextKey = new Uint8Array(32).fill(8)
      await testStorage.admin(key).changeKey(nextKey)
      expect(await testStorage.admin(nextKey).checkIntegrity()).toMatchObject({ problems: [], records: 1 })
      await reopen({ key: nextKey })
      expect((await collect(employees.load())).map(pickFields)).toEqual([fieldsWith('a')])
      const [row = {}] = await testStorage.readRows('books')
      const stored = fieldNames.map((name) => Buffer.from(row[name] as Uint8Array).toString()).join()
      for (const text of Object.values(fieldsWith('a'))) expect(stored).not.toContain(text)
    })
  })

  describe(`storage on ${adapter}: any sequence of writes`, () => {
    for (const key of recordsKeys) storageModelTest(createTestStorage, key)
  })

  describe(`storage on ${adapter}: accounts and sessions`, () => {
    const { accounts, sessions, reopen } = provideStorage(createTestStorage)

    beforeEach(async () => {
      for (const uid of ['1', '2']) await accounts.add(account(uid))
    })

    const addSessions = async (...hashes: string[]) => {
      for (const hash of hashes) await sessions.add(session(hash, hash.charAt(0)), 'hash')
    }
    const hashesOf = async (uid: string) => (await sessions.listByAccount(uid)).map(({ hash }) => hash).sort()
    const passwordHash = async () => (await accounts.findByEmailKey('1@x.y'))?.passwordHash
    const replaceBySession = (newHash: string, expectedHash = 'hash') =>
      accounts.replacePassword({
        uid: '1',
        passwordHash: newHash,
        expectedHash,
        newSession: { session: session(newHash, '1'), addressHash: 'home' },
      })

    it('stores one account per email, also from concurrent sign-ups', async () => {
      const others = Array.from({ length: 20 }, (_, i) => account(`new ${i}`, 'ada@x.y'))
      const added = await Promise.all(others.map((one) => accounts.add(one)))
      expect(added.filter(Boolean)).toHaveLength(1)
      const stored = others[added.indexOf(true)] as Account
      await reopen()
      expect(await accounts.findByEmailKey('ada@x.y')).toEqual(stored)
      expect(await accounts.findByEmailKey('eve@x.y')).toBeUndefined()
      expect(await accounts.list()).toEqual([account('1'), account('2'), stored])
    })

    it('changes a password hash if there is an account, and only if it is the expected one', async () => {
      const changes = ['one', 'other'].map((hash) => accounts.setPasswordHash('1', hash, 'hash'))
      expect((await Promise.all(changes)).sort()).toEqual([false, true])
      expect(await accounts.setPasswordHash('1', 'new')).toBe(true)
      expect(await accounts.setPasswordHash('3', 'new')).toBe(false)
      expect(await passwordHash()).toBe('new')
    })

    it('replaces a password with all sessions, unless the hash is not the expected one', async () => {
      await addSessions('1a', '1b', '2a', '2b')
      expect(await replaceBySession('after', 'other')).toBeUndefined()
      expect(await hashesOf('1')).toEqual(['1a', '1b'])
      expect(await sessions.isRemembered('home')).toBe(false)
      expect((await replaceBySession('after'))?.sort()).toEqual(['1a', '1b'])
      await reopen()
      expect(await passwordHash()).toBe('after')
      expect(await sessions.listByAccount('1')).toEqual([session('after', '1')])
      expect(await sessions.isRemembered('home')).toBe(true)
      expect(await accounts.replacePassword({ uid: '1', passwordHash: 'reset' })).toEqual(['after'])
      expect(await hashesOf('1')).toEqual([])
      expect(await accounts.replacePassword({ uid: '3', passwordHash: 'x' })).toBeUndefined()
      expect(await hashesOf('2')).toEqual(['2a', '2b'])
    })

    it('keeps the password and its sessions if the new session cannot be added', async () => {
      await addSessions('1', '2')
      // The hash of the other account's session.
      await expect(replaceBySession('2')).rejects.toThrow()
      expect([await passwordHash(), await hashesOf('1')]).toEqual(['hash', ['1']])
    })

    it('replaces a password once when asked twice at the same time', async () => {
      const replaced = await Promise.all([replaceBySession('one'), replaceBySession('other')])
      expect(replaced.filter((ended) => ended !== undefined)).toHaveLength(1)
      expect(await hashesOf('1')).toEqual([await passwordHash()])
    })

    it('finds a session and its account until the session ends', async () => {
      await sessions.add(session('h', '1', 5), 'hash')
      for (const time of [9, 7]) await sessions.touch('h', time)
      await reopen()
      expect(await sessions.find('h')).toMatchObject({
        session: { hash: 'h', uid: '1', createdAt: 5, lastSeenAt: 9 },
        account: account('1'),
      })
      expect(await hashesOf('1')).toEqual(['h'])
      expect(await sessions.end(['h', 'other'])).toEqual(['h'])
      expect(await sessions.find('h')).toBeUndefined()
    })

    it("adds a session only with the account's current password hash", async () => {
      const add = (hash: string, passwordHash: string) => sessions.add(session(hash, '1'), passwordHash, hash)
      expect(await add('before', 'hash')).toBe(true)
      await accounts.setPasswordHash('1', 'new')
      expect([await add('late', 'hash'), await add('renewed', 'new')]).toEqual([false, true])
      expect(await sessions.isRemembered('late')).toBe(false)
      expect(await hashesOf('1')).toEqual(['before', 'renewed'])
    })

    it('finds which of many sessions have ended or expired, and ends only the expired ones', async () => {
      for (const [hash, createdAt, lastSeenAt] of [
        ['old', 9, 90],
        ['idle', 50, 59],
        ['live', 10, 60],
      ] as const)
        await sessions.add({ uid: '1', hash, createdAt, lastSeenAt }, 'hash')
      const hashes = ['live', 'gone', 'idle', 'old']
      expect((await sessions.findEnded(hashes, 10, 60)).sort()).toEqual(['gone', 'idle', 'old'])
      expect(await sessions.findEnded([], 10, 60)).toEqual([])
      expect(await hashesOf('1')).toHaveLength(3)
      expect((await sessions.endExpired(10, 60)).sort()).toEqual(['idle', 'old'])
      expect(await hashesOf('1')).toEqual(['live'])
    })

    it('ends all sessions of an account, also when it is removed, and adds none afterwards', async () => {
      await addSessions('1a', '1b', '1c', '2a')
      expect((await sessions.endAll('1')).sort()).toEqual(['1a', '1b', '1c'])
      expect([await sessions.endAll('1'), await hashesOf('2')]).toEqual([[], ['2a']])
      expect([await accounts.remove('2'), await accounts.remove('2')]).toEqual([true, false])
      expect(await sessions.add(session('late', '2'), 'hash')).toBe(false)
      for (const hash of ['2a', 'late']) expect(await sessions.find(hash)).toBeUndefined()
    })
  })

  describe(`security, storage on ${adapter}: remembered addresses`, () => {
    const { accounts, sessions, reopen } = provideStorage(createTestStorage)

    beforeEach(async () => {
      for (const uid of ['1', '2']) await accounts.add(account(uid))
    })

    const signIn = (uid: string, at: number, addressHash: string) =>
      sessions.add(session(`${uid}${addressHash}${at}`, uid, at), 'hash', addressHash)

    it('remembers an address after the session has ended and after reopening, until the account is removed', async () => {
      await signIn('1', 1, 'home')
      await sessions.endAll('1')
      await reopen()
      expect(await sessions.isRemembered('home')).toBe(true)
      expect(await sessions.isRemembered('cafe')).toBe(false)
      await accounts.remove('1')
      expect(await sessions.isRemembered('home')).toBe(false)
    })

    it(`remembers the latest ${maxRememberedAddresses} addresses of each account`, async () => {
      await signIn('2', 0, 'theirs')
      const addresses = Array.from({ length: maxRememberedAddresses }, (_, i) => `address ${i}`)
      for (const [at, address] of addresses.entries()) await signIn('1', at, address)
      await signIn('1', 100, 'address 0')
      await signIn('1', 101, 'new')
      const all = ['theirs', 'new', ...addresses]
      const remembered = await Promise.all(all.map((address) => sessions.isRemembered(address)))
      expect(all.filter((_, i) => !remembered[i])).toEqual(['address 1'])
    })
  })
}
