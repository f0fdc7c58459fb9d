import { describe, expect, it, vi } from 'vitest'
import { type Employee, fieldNames, mapFields, pickFields } from '../../contract/employees.ts'
import {
  type Account,
  commits,
  type EmployeeChange,
  maxRememberedAddresses,
  type Storage,
} from '../../server/storage/storage.ts'
import { fieldsWith, named } from '../support/people.ts'
import type { TestStorage } from '../support/storage.ts'
import { storageModelTest } from './storage-model.ts'

/** The tests that every storage must pass. */
export function storageSuite(adapter: string, createTestStorage: () => Promise<TestStorage>): void {
  async function openNew(key?: Uint8Array, otherOptions?: { keepDeleted: boolean }) {
    const options = { ...otherOptions, ...(key ? { key } : {}) }
    const testStorage = await createTestStorage()
    let storage = await testStorage.open(options)
    return {
      testStorage,
      storage,
      async reopen() {
        await storage.close()
        storage = await testStorage.open(options)
        return storage
      },
    }
  }

  /** The record `a` has this size. */
  async function openWithOne(key?: Uint8Array) {
    const { testStorage, storage } = await openNew(key)
    await storage.employees.add('a', person('a'))
    const { bytes } = storage.employees.size()
    await storage.close()
    return { testStorage, bytes }
  }

  /** The accounts 1 and 2 have the password hash `hash`. */
  async function openWithAccounts() {
    const opened = await openNew()
    for (const uid of ['1', '2']) await opened.storage.accounts.add(account(uid, `${uid}@x.y`))
    return opened
  }

  describe(`storage on ${adapter}: records`, () => {
    it.each([undefined, new Uint8Array(32).fill(7)])(
      'refuses a repeated add with another digest, also after changes and reopening (key: %s)',
      async (key) => {
        const { storage, reopen } = await openNew(key)
        const { employees } = storage
        const reused = { outcome: 'key-reused' }
        const [added, other] = await Promise.all([
          employees.add('a', person('a'), 'digest a'),
          employees.add('a', person('b'), 'digest b'),
          employees.update('a', person('c')),
        ])
        expect([added, other]).toMatchObject([{ outcome: 'done', revision: 1 }, reused])
        expect(await employees.add('a', person('a'), 'digest a')).toMatchObject({ outcome: 'unchanged' })
        await employees.remove('a')
        const again = (await reopen()).employees
        expect(await again.add('a', person('b'), 'digest b')).toEqual(reused)
        expect(await again.add('a', person('a'), 'digest a')).toMatchObject({
          outcome: 'unchanged',
          revision: 3,
        })
        expect(await again.add('a', person('b'))).toMatchObject({ outcome: 'unchanged' })
      },
    )

    it.each([undefined, new Uint8Array(32).fill(7)])(
      'does not grow beyond its limit, and can always be opened and get smaller (key: %s)',
      async (key) => {
        const { testStorage, bytes } = await openWithOne(key)
        const options = key ? { key } : {}
        const { employees, close } = await testStorage.open({ ...options, maxBytes: 2 * bytes })
        const full = { outcome: 'register-full' }
        const [done, unchanged] = [{ outcome: 'done' }, { outcome: 'unchanged' }]
        expect(await employees.add('b', person('b'))).toMatchObject(done)
        expect(await employees.add('c', person('c'))).toEqual(full)
        expect(await employees.add('b', person('b'))).toMatchObject(unchanged)
        expect(await employees.update('b', person('longer'))).toEqual(full)
        expect(await employees.update('b', person('longer'), person('b'))).toEqual(full)
        expect(await employees.update('b', person('d'), person('b'))).toMatchObject(done)
        const batch = { add: [{ id: 'c', ...person('c') }], update: [], remove: [] }
        const [refused, removed] = await Promise.allSettled([
          employees.writeBatch(batch),
          employees.remove('a'),
        ])
        expect(refused).toMatchObject({ reason: { kind: 'register-full' } })
        expect(removed).toMatchObject({ value: done })
        expect(await employees.writeBatch(batch)).toMatchObject(done)
        expect(await employees.writeBatch(batch)).toMatchObject(done)
        expect(await employees.restoreDeleted('a')).toEqual(full)
        expect(await employees.restore('a', person('a'))).toEqual(full)
        expect(employees.size()).toEqual({ bytes: 2 * bytes, deletedBytes: bytes, maxBytes: 2 * bytes })
        await close()

        const smaller = await testStorage.open({ ...options, maxBytes: bytes })
        expect(await smaller.employees.restoreDeleted('a')).toEqual(full)
        for (const id of ['b', 'c']) expect(await smaller.employees.remove(id)).toMatchObject(done)
        expect(await smaller.employees.restoreDeleted('a')).toMatchObject(done)
        expect(smaller.employees.size()).toEqual({ bytes, deletedBytes: 2 * bytes, maxBytes: bytes })
      },
    )

    it('takes back a batch that does not fit, and commits the other writes of its group once', async () => {
      const { testStorage, bytes } = await openWithOne()
      const { employees } = await testStorage.open({ maxBytes: 102 * bytes })
      const onCommit = vi.fn()
      commits.on('commit', onCommit)
      const all = Array.from({ length: 450 }, (_, i) => ({ id: `r${i}`, ...person('a') }))
      const write = (count: number) =>
        employees.writeBatch({ add: all.slice(0, count), update: [], remove: [] })
      const full = { reason: { kind: 'register-full' } }
      const group = [employees.update('a', person('c')), write(150), employees.add('d', person('d'))]
      const done = (revision: number) => ({ value: { revision } })
      expect(await Promise.allSettled(group)).toMatchObject([done(2), full, done(3)])
      commits.off('commit', onCommit)
      expect(onCommit.mock.calls).toMatchObject([[{ writes: 3 }]])
      expect(await Promise.allSettled([write(450), write(100)])).toMatchObject([full, done(103)])
    })

    it('keeps deleted records of as much as its limit more, until they are wiped', async () => {
      const { testStorage, bytes } = await openWithOne()
      const { employees, history } = await testStorage.open({ maxBytes: bytes })
      const [full, done] = [{ outcome: 'register-full' }, { outcome: 'done' }]
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

    it('refuses a repeated batch with another digest as a whole', async () => {
      const { storage } = await openNew()
      await storage.employees.add('old', person('old'))
      const batch = { add: ['a', 'b'].map(see), update: [], remove: [], digest: 'one' }
      const [written, other] = await Promise.all([
        storage.employees.writeBatch(batch),
        storage.employees.writeBatch({ ...batch, remove: [see('old')], digest: 'other' }),
      ])
      expect([written, other]).toMatchObject([{ outcome: 'done', revision: 3 }, { outcome: 'key-reused' }])
      expect(await storage.employees.writeBatch(batch)).toMatchObject({ outcome: 'done', revision: 3 })
      expect(await loadAll(storage)).toHaveLength(3)
    })

    it('waits for a subscriber that returns a promise, before the write resolves and the next commit is notified', async () => {
      const { storage } = await openNew()
      const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const events: string[] = []
      storage.employees.subscribe((changes) => {
        for (const { id } of changes) events.push(`notified of ${id}`)
        reached.resolve()
        return events.length === 1 ? release.promise : undefined
      })
      const add = (id: string) =>
        storage.employees.add(id, person(id)).then(() => events.push(`${id} resolved`))
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
      const { storage } = await openNew()
      for (const id of ['a', 'b']) await storage.employees.add(id, person(id))
      const received: EmployeeChange[][] = []
      storage.employees.subscribe((changes) => received.push([...changes]))
      const batch = {
        add: [see('c')],
        update: [{ seen: see('a'), fields: person('a2') }],
        remove: [see('b')],
      }
      for (let i = 0; i < 2; i++)
        expect(await storage.employees.writeBatch(batch)).toMatchObject({ revision: 5, kept: [] })
      expect(received).toEqual([
        [
          { type: 'saved', id: 'c', seq: 3, revision: 3, ...person('c') },
          { type: 'saved', id: 'a', seq: 1, revision: 4, ...person('a2') },
          { type: 'removed', id: 'b', seq: 2, revision: 5 },
        ],
      ])
    })

    it('loads more records than fit into one page', async () => {
      const { storage, reopen } = await openNew()
      const ids = Array.from({ length: 2_500 }, (_, i) => `r${i}`)
      await storage.employees.writeBatch({ add: ids.map(see), update: [], remove: [] })
      expect((await loadAll(await reopen())).map(({ id }) => id)).toEqual(ids)
    })

    it('gives every database its own epoch', async () => {
      const [one, other] = [await openNew(), await openNew()]
      const { epoch } = await one.storage.employees.head()
      expect((await other.storage.employees.head()).epoch).not.toBe(epoch)
    })
  })

  describe.each([undefined, new Uint8Array(32).fill(7)])(
    `storage on ${adapter}: every field (key: %s)`,
    (key) => {
      it('is stored, compared and restored', async () => {
        const { storage, reopen } = await openNew(key)
        const { employees, history } = storage
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
        expect(await loadAll(await reopen())).toEqual([{ id: 'a', ...current }])
      })

      it('is wiped with its record', async () => {
        const wiped = mapFields(() => null)
        const kept = await openNew(key)
        await kept.storage.employees.add('a', fieldsWith('a'))
        await kept.storage.employees.remove('a')
        expect(await kept.testStorage.readRows('books')).not.toMatchObject([wiped])
        await kept.storage.history.wipeDeleted(Date.now())
        expect(await kept.testStorage.readRows('books')).toMatchObject([wiped])
        const notKept = await openNew(key, { keepDeleted: false })
        await notKept.storage.employees.add('a', fieldsWith('a'))
        await notKept.storage.employees.remove('a')
        expect(await notKept.testStorage.readRows('books')).toMatchObject([wiped])
      })

      it('is encrypted with the key and with the next one', async () => {
        const { storage, testStorage } = await openNew(key)
        await storage.employees.add('a', fieldsWith('a'))
        await storage.close()
        const nextKey = new Uint8Array(32).fill(8)
        await testStorage.admin(key).changeKey(nextKey)
        expect(await testStorage.admin(nextKey).checkIntegrity()).toMatchObject({ problems: [], records: 1 })
        const reopened = await testStorage.open({ key: nextKey })
        expect(await loadAll(reopened)).toEqual([{ id: 'a', ...fieldsWith('a') }])
        const columns = (await testStorage.readRows('books')).flatMap((row) =>
          fieldNames.map((name) => row[name]),
        )
        const stored = columns.map((column) => Buffer.from(column as Uint8Array).toString()).join()
        for (const text of Object.values(fieldsWith('a'))) expect(stored).not.toContain(text)
      })
    },
  )

  describe(`storage on ${adapter}: any sequence of writes`, () => {
    storageModelTest(createTestStorage)
    storageModelTest(createTestStorage, new Uint8Array(32).fill(7))
  })

  describe(`storage on ${adapter}: accounts and sessions`, () => {
    it('stores one account per email, also from concurrent sign-ups', async () => {
      const { storage, reopen } = await openNew()
      const accounts = Array.from({ length: 20 }, (_, i) => account(`${i}`, 'ada@x.y'))
      const added = await Promise.all(accounts.map((one) => storage.accounts.add(one)))
      expect(added.filter(Boolean)).toHaveLength(1)
      const stored = accounts[added.indexOf(true)]
      const again = await reopen()
      expect(await again.accounts.findByEmailKey('ada@x.y')).toEqual(stored)
      expect(await again.accounts.findByEmailKey('eve@x.y')).toBeUndefined()
      expect(await again.accounts.list()).toEqual([stored])
    })

    it('changes a password hash if there is an account, and only if it is the expected one', async () => {
      const { storage } = await openWithAccounts()
      const changes = ['one', 'other'].map((hash) => storage.accounts.setPasswordHash('1', hash, 'hash'))
      expect((await Promise.all(changes)).sort()).toEqual([false, true])
      expect(await storage.accounts.setPasswordHash('1', 'new')).toBe(true)
      expect(await storage.accounts.setPasswordHash('3', 'new')).toBe(false)
      expect((await storage.accounts.findByEmailKey('1@x.y'))?.passwordHash).toBe('new')
    })

    it('replaces a password with all sessions, unless the hash is not the expected one', async () => {
      const { storage, reopen } = await openWithAccounts()
      for (const hash of ['1a', '1b', '2a', '2b'])
        await storage.sessions.add(session(hash, hash.charAt(0)), 'hash')
      const replace = (expectedHash: string) =>
        storage.accounts.replacePassword({
          uid: '1',
          passwordHash: `after ${expectedHash}`,
          expectedHash,
          newSession: { session: session(`${expectedHash} session`, '1'), addressHash: 'home' },
        })
      expect(await replace('other')).toBeUndefined()
      expect(await storage.sessions.listByAccount('1')).toHaveLength(2)
      expect(await storage.sessions.isRemembered('home')).toBe(false)
      expect((await replace('hash'))?.sort()).toEqual(['1a', '1b'])
      const again = await reopen()
      expect((await again.accounts.findByEmailKey('1@x.y'))?.passwordHash).toBe('after hash')
      expect(await again.sessions.listByAccount('1')).toEqual([session('hash session', '1')])
      expect(await again.sessions.isRemembered('home')).toBe(true)
      const ended = await again.accounts.replacePassword({ uid: '1', passwordHash: 'reset' })
      expect(ended).toEqual(['hash session'])
      expect(await again.sessions.listByAccount('1')).toEqual([])
      expect(await again.accounts.replacePassword({ uid: '3', passwordHash: 'x' })).toBeUndefined()
      expect(await again.sessions.listByAccount('2')).toHaveLength(2)
    })

    it('keeps the password and its sessions if the new session cannot be added', async () => {
      const { storage } = await openWithAccounts()
      for (const uid of ['1', '2']) await storage.sessions.add(session(uid, uid), 'hash')
      const replacing = storage.accounts.replacePassword({
        uid: '1',
        passwordHash: 'new',
        // The hash of the other account's session.
        newSession: { session: session('2', '1'), addressHash: 'home' },
      })
      await expect(replacing).rejects.toThrow()
      expect((await storage.accounts.findByEmailKey('1@x.y'))?.passwordHash).toBe('hash')
      expect(await storage.sessions.listByAccount('1')).toEqual([session('1', '1')])
    })

    it('replaces a password once when asked twice at the same time', async () => {
      const { storage } = await openWithAccounts()
      const replace = (passwordHash: string) =>
        storage.accounts.replacePassword({
          uid: '1',
          passwordHash,
          expectedHash: 'hash',
          newSession: { session: session(passwordHash, '1'), addressHash: 'home' },
        })
      const replaced = await Promise.all(['one', 'other'].map(replace))
      expect(replaced.filter((ended) => ended !== undefined)).toHaveLength(1)
      const { passwordHash } = (await storage.accounts.findByEmailKey('1@x.y')) as Account
      expect((await storage.sessions.listByAccount('1')).map(({ hash }) => hash)).toEqual([passwordHash])
    })

    it('finds a session and its account until the session ends', async () => {
      const { storage, reopen } = await openWithAccounts()
      await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 5, lastSeenAt: 5 }, 'hash')
      await storage.sessions.touch('h', 9)
      await storage.sessions.touch('h', 7)
      const again = await reopen()
      expect(await again.sessions.find('h')).toMatchObject({
        session: { hash: 'h', uid: '1', createdAt: 5, lastSeenAt: 9 },
        account: account('1', '1@x.y'),
      })
      expect(await again.sessions.listByAccount('1')).toHaveLength(1)
      expect(await again.sessions.end(['h', 'other'])).toEqual(['h'])
      expect(await again.sessions.find('h')).toBeUndefined()
    })

    it("adds a session only with the account's current password hash", async () => {
      const { storage } = await openWithAccounts()
      const add = (hash: string, passwordHash: string) =>
        storage.sessions.add(session(hash, '1'), passwordHash, hash)
      expect(await add('before', 'hash')).toBe(true)
      await storage.accounts.setPasswordHash('1', 'new')
      expect([await add('late', 'hash'), await add('renewed', 'new')]).toEqual([false, true])
      expect(await storage.sessions.isRemembered('late')).toBe(false)
      const hashes = (await storage.sessions.listByAccount('1')).map(({ hash }) => hash)
      expect(hashes.sort()).toEqual(['before', 'renewed'])
    })

    it('ends all sessions of one account', async () => {
      const { storage } = await openWithAccounts()
      for (const hash of ['1a', '1b', '1c', '2a'])
        await storage.sessions.add(session(hash, hash.charAt(0)), 'hash')
      expect((await storage.sessions.endAll('1')).sort()).toEqual(['1a', '1b', '1c'])
      expect(await storage.sessions.endAll('1')).toEqual([])
      expect(await storage.sessions.listByAccount('2')).toHaveLength(1)
    })

    it('finds which of many sessions have ended or expired, and ends only the expired ones', async () => {
      const { storage } = await openWithAccounts()
      for (const [hash, createdAt, lastSeenAt] of [
        ['old', 9, 90],
        ['idle', 50, 59],
        ['live', 10, 60],
      ] as const)
        await storage.sessions.add({ uid: '1', hash, createdAt, lastSeenAt }, 'hash')
      const hashes = ['live', 'gone', 'idle', 'old']
      expect((await storage.sessions.findEnded(hashes, 10, 60)).sort()).toEqual(['gone', 'idle', 'old'])
      expect(await storage.sessions.findEnded([], 10, 60)).toEqual([])
      expect(await storage.sessions.listByAccount('1')).toHaveLength(3)
      expect((await storage.sessions.endExpired(10, 60)).sort()).toEqual(['idle', 'old'])
      expect(await storage.sessions.find('live')).toBeDefined()
    })

    it("ends an account's sessions when it is removed, and adds none afterwards", async () => {
      const { storage } = await openWithAccounts()
      await storage.sessions.add(session('h', '1'), 'hash')
      expect(await storage.accounts.remove('1')).toBe(true)
      expect(await storage.accounts.remove('1')).toBe(false)
      expect(await storage.sessions.find('h')).toBeUndefined()
      expect(await storage.sessions.add(session('late', '1'), 'hash')).toBe(false)
      expect(await storage.sessions.find('late')).toBeUndefined()
    })
  })

  describe(`security, storage on ${adapter}: remembered addresses`, () => {
    const signIn = (storage: Storage, uid: string, at: number, addressHash: string) =>
      storage.sessions.add(
        { hash: `${uid}${addressHash}${at}`, uid, createdAt: at, lastSeenAt: at },
        'hash',
        addressHash,
      )

    it('remembers an address after the session has ended and after reopening, until the account is removed', async () => {
      const { storage, reopen } = await openWithAccounts()
      await signIn(storage, '1', 1, 'home')
      await storage.sessions.endAll('1')
      const again = await reopen()
      expect(await again.sessions.isRemembered('home')).toBe(true)
      expect(await again.sessions.isRemembered('cafe')).toBe(false)
      await again.accounts.remove('1')
      expect(await again.sessions.isRemembered('home')).toBe(false)
    })

    it(`remembers the latest ${maxRememberedAddresses} addresses of each account`, async () => {
      const { storage } = await openWithAccounts()
      await signIn(storage, '2', 0, 'theirs')
      const addresses = Array.from({ length: maxRememberedAddresses }, (_, i) => `address ${i}`)
      for (const [at, address] of addresses.entries()) await signIn(storage, '1', at, address)
      await signIn(storage, '1', 100, 'address 0')
      await signIn(storage, '1', 101, 'new')
      const all = ['theirs', 'new', ...addresses]
      const remembered = await Promise.all(all.map((address) => storage.sessions.isRemembered(address)))
      expect(all.filter((_, i) => !remembered[i])).toEqual(['address 1'])
    })
  })

  describe(`storage on ${adapter}: closing`, () => {
    it('finishes accepted writes before it closes, and rejects others afterwards', async () => {
      const { storage, reopen } = await openNew()
      const writes = ['a', 'b', 'c'].map((id) => storage.employees.add(id, person(id)))
      const again = await reopen()
      expect((await Promise.all(writes)).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
      expect(await loadAll(again)).toHaveLength(3)
      const late = storage.employees.add('d', person('d'))
      await expect(late).rejects.toMatchObject({ kind: 'unavailable' })
    })
  })
}

const see = (id: string) => ({ id, ...person(id) })

export const person = (name: string) => named(name, { password: `secret of ${name}` })

export function account(uid: string, emailKey: string): Account {
  return { uid, email: emailKey, emailKey, passwordHash: 'hash', createdAt: '2026-01-01T00:00:00.000Z' }
}

const session = (hash: string, uid: string) => ({
  hash,
  uid,
  createdAt: 1,
  lastSeenAt: 1,
  browser: 'Firefox on Linux',
})

async function loadAll(storage: Storage) {
  const records: Employee[] = []
  for await (const page of storage.employees.load())
    records.push(...page.map(({ id, ...fields }) => ({ id, ...pickFields(fields) })))
  return records
}
