import { afterEach, describe, expect, it } from 'vitest'
import { fieldNames, mapFields } from '../../contract/employees.ts'
import {
  type Account,
  type EmployeeChange,
  maxRememberedAddresses,
  type Storage,
  type StoredEmployee,
} from '../../server/storage/storage.ts'
import { fieldsWith } from '../support/people.ts'
import type { TestStorage } from '../support/storage.ts'
import { storageModelTest } from './storage-model.ts'

/** The tests that every storage must pass. */
export function storageSuite(adapter: string, createTestStorage: () => Promise<TestStorage>): void {
  const opened: { storage?: Storage; testStorage: TestStorage }[] = []

  async function openNew(key?: Uint8Array, otherOptions?: { keepDeleted: boolean }) {
    const options = { ...otherOptions, ...(key ? { key } : {}) }
    const testStorage = await createTestStorage()
    const entry: { storage?: Storage; testStorage: TestStorage } = { testStorage }
    opened.push(entry)
    entry.storage = await testStorage.open(options)
    return {
      testStorage,
      storage: entry.storage,
      async reopen() {
        await entry.storage?.close()
        entry.storage = await testStorage.open(options)
        return entry.storage
      },
    }
  }

  afterEach(async () => {
    for (const { storage, testStorage } of opened.splice(0)) {
      await storage?.close()
      await testStorage.remove()
    }
  })

  describe(`storage on ${adapter}: records`, () => {
    it('lists records in creation order, also after reopening', async () => {
      const { storage, reopen } = await openNew()
      await Promise.all(['a', 'b', 'c'].map((id) => storage.employees.add(id, person(id))))
      await storage.employees.update('a', person('a2'))
      const expected = [
        { id: 'a', ...person('a2') },
        { id: 'b', ...person('b') },
        { id: 'c', ...person('c') },
      ]
      expect(await loadAll(storage)).toEqual(expected)
      expect(await loadAll(await reopen())).toEqual(expected)
    })

    it('gives every write the next revision, and continues from it after reopening', async () => {
      const { storage, reopen } = await openNew()
      expect(await storage.employees.head()).toMatchObject({ revision: 0, floor: 0 })
      expect(await storage.employees.add('a', person('a'))).toMatchObject({ outcome: 'done', revision: 1 })
      expect(await storage.employees.update('a', person('b'))).toMatchObject({ outcome: 'done', revision: 2 })
      expect(await storage.employees.remove('a')).toMatchObject({ outcome: 'done', revision: 3 })
      const again = await reopen()
      expect(await again.employees.head()).toMatchObject({ revision: 3 })
      expect(await again.employees.restore('a', person('c'))).toMatchObject({ outcome: 'done', revision: 4 })
    })

    it('never adds twice under one id, even if the record has been removed', async () => {
      const { storage } = await openNew()
      const first = await storage.employees.add('a', person('a'))
      expect(await storage.employees.add('a', person('other'))).toEqual({ ...first, outcome: 'unchanged' })
      await storage.employees.remove('a')
      expect(await storage.employees.add('a', person('a'))).toMatchObject({
        outcome: 'unchanged',
        revision: 2,
      })
      expect(await loadAll(storage)).toEqual([])
    })

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

    it('accepts a repeated add with any digest if the record was added without one', async () => {
      const { storage } = await openNew()
      await storage.employees.add('a', person('a'))
      const again = await storage.employees.add('a', person('b'), 'digest b')
      expect(again).toMatchObject({ outcome: 'unchanged', revision: 1 })
    })

    it('refuses a repeated batch with another digest as a whole', async () => {
      const { storage } = await openNew()
      await storage.employees.add('old', person('old'))
      const see = (id: string) => ({ id, ...person(id) })
      const batch = { add: ['a', 'b'].map(see), update: [], remove: [], digest: 'one' }
      const [written, other] = await Promise.all([
        storage.employees.writeBatch(batch),
        storage.employees.writeBatch({ ...batch, remove: [see('old')], digest: 'other' }),
      ])
      expect([written, other]).toMatchObject([{ outcome: 'done', revision: 3 }, { outcome: 'key-reused' }])
      expect(await storage.employees.writeBatch(batch)).toMatchObject({ outcome: 'done', revision: 3 })
      expect(await loadAll(storage)).toHaveLength(3)
    })

    it('returns not-found for an update or removal of a record that does not exist', async () => {
      const { storage } = await openNew()
      await storage.employees.add('gone', person('gone'))
      await storage.employees.remove('gone')
      for (const id of ['never', 'gone']) {
        expect(await storage.employees.update(id, person('x'))).toEqual({ outcome: 'not-found' })
        expect(await storage.employees.remove(id)).toEqual({ outcome: 'not-found' })
      }
      expect(await storage.employees.head()).toMatchObject({ revision: 2 })
    })

    it('merges an update with what has changed since its author has seen the record', async () => {
      const { storage, reopen } = await openNew()
      const seen = person('a')
      await storage.employees.add('a', seen)
      const received: EmployeeChange[] = []
      await storage.employees.subscribe((changes) => received.push(...changes))
      await storage.employees.update('a', { ...seen, password: 'theirs' }, seen)
      const merged = { ...seen, eName: 'mine', password: 'theirs' }
      const outcome = { seq: 1, revision: 3, fields: merged }
      expect(await storage.employees.update('a', { ...seen, eName: 'mine' }, seen)).toEqual({
        outcome: 'done',
        ...outcome,
      })
      expect(received.at(-1)).toEqual({ type: 'saved', id: 'a', seq: 1, revision: 3, ...merged })
      expect(await storage.employees.update('a', { ...seen, eName: 'mine' }, seen)).toEqual({
        outcome: 'unchanged',
        ...outcome,
      })
      expect(received).toHaveLength(2)
      expect(await loadAll(await reopen())).toEqual([{ id: 'a', ...merged }])
    })

    it('writes nothing if an update and its record differ in the same field from what its author has seen', async () => {
      const { storage } = await openNew()
      const seen = person('a')
      const current = { ...seen, email: 'theirs@example.com', password: 'theirs' }
      await storage.employees.add('a', seen)
      await storage.employees.update('a', current)
      const mine = { ...seen, eName: 'mine', password: 'mine' }
      const outcome = await storage.employees.update('a', mine, seen)
      expect(outcome).toEqual({ outcome: 'conflict', seq: 1, revision: 2, fields: current })
      expect(await loadAll(storage)).toEqual([{ id: 'a', ...current }])
      await storage.employees.remove('a')
      expect(await storage.employees.update('a', mine, seen)).toEqual({ outcome: 'not-found' })
    })

    it('lets one of many concurrent updates of the same field pass', async () => {
      const { storage } = await openNew()
      await storage.employees.add('a', person('a'))
      const names = Array.from({ length: 20 }, (_, i) => `name ${i}`)
      const outcomes = await Promise.all(
        names.map((eName) => storage.employees.update('a', { ...person('a'), eName }, person('a'))),
      )
      const [passed, ...others] = outcomes
        .map(({ outcome }) => outcome)
        .sort()
        .reverse()
      expect([passed, new Set(others)]).toEqual(['done', new Set(['conflict'])])
    })

    it('restores a removed record with its old sequence', async () => {
      const { storage } = await openNew()
      for (const id of ['a', 'b', 'c']) await storage.employees.add(id, person(id))
      await storage.employees.remove('b')
      expect(await storage.employees.restore('b', person('b'))).toMatchObject({ outcome: 'done', seq: 2 })
      expect((await loadAll(storage)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    })

    it('does not restore twice, over an existing record, or an id that never existed', async () => {
      const { storage } = await openNew()
      await storage.employees.add('a', person('a'))
      await storage.employees.remove('a')
      const restored = await storage.employees.restore('a', person('a'))
      expect(await storage.employees.restore('a', person('a'))).toEqual({ ...restored, outcome: 'unchanged' })
      expect(await storage.employees.restore('a', person('b'))).toEqual({ outcome: 'id-in-use' })
      expect(await storage.employees.restore('never', person('a'))).toEqual({ outcome: 'not-found' })
    })

    it('stores any text unchanged, including U+0000', async () => {
      const { storage, reopen } = await openNew()
      const oddFields = { eName: 'Zoë 👩🏽‍💻\u0000 "\\\n', email: 'ä@b', password: '\u200b\u202e' }
      await storage.employees.add('odd', oddFields)
      expect(await loadAll(await reopen())).toEqual([{ id: 'odd', ...oddFields }])
    })

    it('notifies subscribers of every commit in order, before the write resolves', async () => {
      const { storage } = await openNew()
      const received: EmployeeChange[] = []
      storage.employees.subscribe((changes) => received.push(...changes))
      await storage.employees.add('a', person('a'))
      expect(received).toEqual([{ type: 'saved', id: 'a', seq: 1, revision: 1, ...person('a') }])
      await Promise.all([
        storage.employees.update('a', person('b')),
        storage.employees.add('a', person('a')),
        storage.employees.remove('a'),
        storage.employees.remove('a'),
        storage.employees.restore('a', person('c')),
      ])
      expect(received.slice(1)).toEqual([
        { type: 'saved', id: 'a', seq: 1, revision: 2, ...person('b') },
        { type: 'removed', id: 'a', seq: 1, revision: 3 },
        { type: 'saved', id: 'a', seq: 1, revision: 4, ...person('c') },
      ])
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

    it('commits a batch at once, with consecutive revisions and one notification', async () => {
      const { storage, reopen } = await openNew()
      for (const id of ['a', 'b', 'c']) await storage.employees.add(id, person(id))
      const received: EmployeeChange[][] = []
      storage.employees.subscribe((changes) => received.push([...changes]))
      const batch = {
        add: [{ id: 'd', ...person('d') }],
        update: [{ seen: { id: 'a', ...person('a') }, fields: person('a2') }],
        remove: [{ id: 'b', ...person('b') }],
      }
      expect(await storage.employees.writeBatch(batch)).toMatchObject({ revision: 6, kept: [] })
      expect(received).toEqual([
        [
          { type: 'saved', id: 'd', seq: 4, revision: 4, ...person('d') },
          { type: 'saved', id: 'a', seq: 1, revision: 5, ...person('a2') },
          { type: 'removed', id: 'b', seq: 2, revision: 6 },
        ],
      ])
      const expected = [
        { id: 'a', ...person('a2') },
        { id: 'c', ...person('c') },
        { id: 'd', ...person('d') },
      ]
      expect(await loadAll(storage)).toEqual(expected)
      expect(await loadAll(await reopen())).toEqual(expected)
    })

    it('changes nothing when a batch is repeated, and reports no conflict', async () => {
      const { storage } = await openNew()
      for (const id of ['a', 'b']) await storage.employees.add(id, person(id))
      const batch = {
        add: [{ id: 'c', ...person('c') }],
        update: [{ seen: { id: 'a', ...person('a') }, fields: person('a2') }],
        remove: [{ id: 'b', ...person('b') }],
      }
      await storage.employees.writeBatch(batch)
      const received: EmployeeChange[] = []
      storage.employees.subscribe((changes) => received.push(...changes))
      expect(await storage.employees.writeBatch(batch)).toMatchObject({ revision: 5, kept: [] })
      expect(received).toEqual([])
    })

    it('does not change records that differ from what a batch has seen, and returns their ids', async () => {
      const { storage } = await openNew()
      for (const id of ['a', 'b', 'c', 'gone']) await storage.employees.add(id, person(id))
      await storage.employees.update('b', person('theirs'))
      await storage.employees.update('c', person('theirs'))
      await storage.employees.remove('gone')
      const see = (id: string) => ({ id, ...person(id) })
      const outcome = await storage.employees.writeBatch({
        add: [],
        update: ['a', 'b', 'gone', 'never'].map((id) => ({ seen: see(id), fields: person('mine') })),
        remove: ['c', 'gone', 'never'].map(see),
      })
      expect(outcome).toMatchObject({ revision: 8, kept: ['b', 'gone', 'never', 'c'] })
      expect((await loadAll(storage)).map(({ eName }) => eName)).toEqual(['mine', 'theirs', 'theirs'])
    })

    it('returns the latest removals, newest first', async () => {
      const { storage } = await openNew()
      for (const id of ['a', 'b', 'c']) await storage.employees.add(id, person(id))
      for (const id of ['b', 'a', 'c']) await storage.employees.remove(id)
      expect(await storage.employees.latestRemovals(2)).toEqual([
        { id: 'c', seq: 3, revision: 6 },
        { id: 'a', seq: 1, revision: 5 },
      ])
    })

    it('loads more records than fit into one page', async () => {
      const { storage, reopen } = await openNew()
      const ids = Array.from({ length: 2_500 }, (_, i) => `r${i}`)
      // Not all at once: each must be answered in time.
      for (let i = 0; i < ids.length; i += 500)
        await Promise.all(ids.slice(i, i + 500).map((id) => storage.employees.add(id, person(id))))
      expect((await loadAll(await reopen())).map(({ id }) => id)).toEqual(ids)
    })

    it('gives every database its own epoch', async () => {
      const [one, other] = [await openNew(), await openNew()]
      expect((await one.storage.employees.head()).epoch).not.toBe(
        (await other.storage.employees.head()).epoch,
      )
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
        expect(await kept.testStorage.readBooks()).not.toMatchObject([wiped])
        await kept.storage.history.wipeDeleted(Date.now())
        expect(await kept.testStorage.readBooks()).toMatchObject([wiped])
        const notKept = await openNew(key, { keepDeleted: false })
        await notKept.storage.employees.add('a', fieldsWith('a'))
        await notKept.storage.employees.remove('a')
        expect(await notKept.testStorage.readBooks()).toMatchObject([wiped])
      })

      it('is encrypted with the key and with the next one', async () => {
        const testStorage = await createTestStorage()
        const storage = await testStorage.open(key ? { key } : {})
        await storage.employees.add('a', fieldsWith('a'))
        await storage.close()
        const nextKey = new Uint8Array(32).fill(8)
        await testStorage.admin(key).changeKey(nextKey)
        expect(await testStorage.admin(nextKey).checkIntegrity()).toMatchObject({ problems: [], records: 1 })
        const again = await testStorage.open({ key: nextKey })
        expect(await loadAll(again)).toEqual([{ id: 'a', ...fieldsWith('a') }])
        await again.close()
        const columns = (await testStorage.readBooks()).flatMap((row) => fieldNames.map((name) => row[name]))
        const stored = columns.map((column) => Buffer.from(column as Uint8Array).toString()).join()
        for (const text of Object.values(fieldsWith('a'))) expect(stored).not.toContain(text)
        await testStorage.remove()
      })
    },
  )

  describe(`storage on ${adapter}: any sequence of writes`, () => {
    storageModelTest(createTestStorage)
    storageModelTest(createTestStorage, new Uint8Array(32).fill(7))
  })

  describe(`storage on ${adapter}: accounts and sessions`, () => {
    it('stores one account per email', async () => {
      const { storage, reopen } = await openNew()
      expect(await storage.accounts.add(account('1', 'ada@x.y'))).toBe(true)
      expect(await storage.accounts.add(account('2', 'ada@x.y'))).toBe(false)
      const again = await reopen()
      expect(await again.accounts.findByEmailKey('ada@x.y')).toEqual(account('1', 'ada@x.y'))
      expect(await again.accounts.findByEmailKey('eve@x.y')).toBeUndefined()
      expect(await again.accounts.list()).toEqual([account('1', 'ada@x.y')])
    })

    it('creates one account from concurrent sign-ups with the same email', async () => {
      const { storage } = await openNew()
      const added = await Promise.all(
        Array.from({ length: 20 }, (_, i) => storage.accounts.add(account(`u${i}`, 'ada@x.y'))),
      )
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    it('changes a password hash, and returns false if there is no account', async () => {
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      expect(await storage.accounts.setPasswordHash('1', 'new')).toBe(true)
      expect(await storage.accounts.setPasswordHash('2', 'new')).toBe(false)
      expect((await storage.accounts.findByEmailKey('ada@x.y'))?.passwordHash).toBe('new')
    })

    it('changes a password hash only if it is the expected one', async () => {
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      const changes = ['one', 'other'].map((hash) => storage.accounts.setPasswordHash('1', hash, 'hash'))
      expect((await Promise.all(changes)).sort()).toEqual([false, true])
    })

    it('replaces a password with all sessions, unless the hash is not the expected one', async () => {
      const { storage, reopen } = await openNew()
      for (const uid of ['1', '2']) {
        await storage.accounts.add(account(uid, `${uid}@x.y`))
        for (const hash of [`${uid}a`, `${uid}b`]) await storage.sessions.add(session(hash, uid), 'hash')
      }
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
      expect(await again.accounts.replacePassword({ uid: '1', passwordHash: 'reset' })).toEqual([
        'hash session',
      ])
      expect(await again.sessions.listByAccount('1')).toEqual([])
      expect(await again.accounts.replacePassword({ uid: '3', passwordHash: 'x' })).toBeUndefined()
      expect(await again.sessions.listByAccount('2')).toHaveLength(2)
    })

    it('keeps the password and its sessions if the new session cannot be added', async () => {
      const { storage } = await openNew()
      for (const uid of ['1', '2']) {
        await storage.accounts.add(account(uid, `${uid}@x.y`))
        await storage.sessions.add(session(uid, uid), 'hash')
      }
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
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      const replaced = await Promise.all(
        ['one', 'other'].map((passwordHash) =>
          storage.accounts.replacePassword({
            uid: '1',
            passwordHash,
            expectedHash: 'hash',
            newSession: { session: session(passwordHash, '1'), addressHash: 'home' },
          }),
        ),
      )
      expect(replaced.filter((ended) => ended !== undefined)).toHaveLength(1)
      const { passwordHash } = (await storage.accounts.findByEmailKey('ada@x.y')) as Account
      expect((await storage.sessions.listByAccount('1')).map(({ hash }) => hash)).toEqual([passwordHash])
    })

    it('finds a session and its account until the session ends', async () => {
      const { storage, reopen } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 5, lastSeenAt: 5 }, 'hash')
      await storage.sessions.touch('h', 9)
      await storage.sessions.touch('h', 7)
      const again = await reopen()
      expect(await again.sessions.find('h')).toEqual({
        session: { hash: 'h', uid: '1', createdAt: 5, lastSeenAt: 9 },
        account: account('1', 'ada@x.y'),
      })
      expect(await again.sessions.listByAccount('1')).toHaveLength(1)
      expect(await again.sessions.end(['h', 'other'])).toEqual(['h'])
      expect(await again.sessions.find('h')).toBeUndefined()
    })

    it("adds a session only with the account's current password hash", async () => {
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      const add = (hash: string, passwordHash: string) =>
        storage.sessions.add({ hash, uid: '1', createdAt: 1, lastSeenAt: 1 }, passwordHash)
      expect(await add('before', 'hash')).toBe(true)
      await storage.accounts.setPasswordHash('1', 'new')
      expect([await add('late', 'hash'), await add('renewed', 'new')]).toEqual([false, true])
      expect((await storage.sessions.listByAccount('1')).map(({ hash }) => hash).sort()).toEqual([
        'before',
        'renewed',
      ])
    })

    it('ends all sessions of one account', async () => {
      const { storage } = await openNew()
      for (const uid of ['1', '2']) {
        await storage.accounts.add(account(uid, `${uid}@x.y`))
        for (const hash of [`${uid}a`, `${uid}b`, `${uid}c`]) {
          await storage.sessions.add({ hash, uid, createdAt: 1, lastSeenAt: 1 }, 'hash')
        }
      }
      expect((await storage.sessions.endAll('1')).sort()).toEqual(['1a', '1b', '1c'])
      expect(await storage.sessions.endAll('1')).toEqual([])
      expect(await storage.sessions.listByAccount('2')).toHaveLength(3)
    })

    it('ends only expired sessions', async () => {
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      for (const [hash, createdAt, lastSeenAt] of [
        ['old', 1, 90],
        ['idle', 50, 50],
        ['live', 50, 90],
      ] as const) {
        await storage.sessions.add({ hash, uid: '1', createdAt, lastSeenAt }, 'hash')
      }
      expect((await storage.sessions.endExpired(10, 60)).sort()).toEqual(['idle', 'old'])
      expect(await storage.sessions.find('live')).toBeDefined()
    })

    it('finds which of many sessions have ended or expired, without ending any', async () => {
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      for (const [hash, createdAt, lastSeenAt] of [
        ['old', 9, 90],
        ['idle', 50, 59],
        ['live', 10, 60],
      ] as const) {
        await storage.sessions.add({ hash, uid: '1', createdAt, lastSeenAt }, 'hash')
      }
      const hashes = ['live', 'gone', 'idle', 'old']
      expect((await storage.sessions.findEnded(hashes, 10, 60)).sort()).toEqual(['gone', 'idle', 'old'])
      expect(await storage.sessions.findEnded([], 10, 60)).toEqual([])
      expect(await storage.sessions.listByAccount('1')).toHaveLength(3)
    })

    it("ends an account's sessions when it is removed, and adds none afterwards", async () => {
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      await storage.sessions.add({ hash: 'h', uid: '1', createdAt: 1, lastSeenAt: 1 }, 'hash')
      expect(await storage.accounts.remove('1')).toBe(true)
      expect(await storage.accounts.remove('1')).toBe(false)
      expect(await storage.sessions.find('h')).toBeUndefined()
      const late = { hash: 'late', uid: '1', createdAt: 1, lastSeenAt: 1 }
      expect(await storage.sessions.add(late, 'hash')).toBe(false)
      expect(await storage.sessions.find('late')).toBeUndefined()
    })
  })

  describe(`security, storage on ${adapter}: remembered addresses`, () => {
    const signIn = (storage: Storage, uid: string, at: number, addressHash: string, passwordHash = 'hash') =>
      storage.sessions.add(
        { hash: `${uid}${addressHash}${at}`, uid, createdAt: at, lastSeenAt: at },
        passwordHash,
        addressHash,
      )

    it('remembers an address after the session has ended and after reopening, until the account is removed', async () => {
      const { storage, reopen } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      await signIn(storage, '1', 1, 'home')
      await storage.sessions.endAll('1')
      const again = await reopen()
      expect([await again.sessions.isRemembered('home'), await again.sessions.isRemembered('cafe')]).toEqual([
        true,
        false,
      ])
      await again.accounts.remove('1')
      expect(await again.sessions.isRemembered('home')).toBe(false)
    })

    it('does not remember an address from which no session was added', async () => {
      const { storage } = await openNew()
      await storage.accounts.add(account('1', 'ada@x.y'))
      expect(await signIn(storage, '1', 1, 'home', 'another hash')).toBe(false)
      expect(await storage.sessions.isRemembered('home')).toBe(false)
    })

    it(`remembers the latest ${maxRememberedAddresses} addresses of each account`, async () => {
      const { storage } = await openNew()
      for (const uid of ['1', '2']) await storage.accounts.add(account(uid, `${uid}@x.y`))
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
    it('finishes accepted writes before it closes', async () => {
      const { storage, reopen } = await openNew()
      const writes = ['a', 'b', 'c'].map((id) => storage.employees.add(id, person(id)))
      const again = await reopen()
      expect((await Promise.all(writes)).map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
      expect(await loadAll(again)).toHaveLength(3)
    })

    it('rejects writes after closing', async () => {
      const testStorage = await createTestStorage()
      const storage = await testStorage.open()
      await storage.close()
      await expect(storage.employees.add('a', person('a'))).rejects.toMatchObject({ kind: 'unavailable' })
      await testStorage.remove()
    })
  })
}

export function person(name: string) {
  return { eName: name, email: `${name}@example.com`, password: `secret of ${name}` }
}

export function account(uid: string, emailKey: string): Account {
  return { uid, email: emailKey, emailKey, passwordHash: 'hash', createdAt: '2026-01-01T00:00:00.000Z' }
}

const session = (hash: string, uid: string) => ({ hash, uid, createdAt: 1, lastSeenAt: 1 })

async function loadAll(storage: Storage) {
  const books: Omit<StoredEmployee, 'seq' | 'revision'>[] = []
  for await (const page of storage.employees.load()) {
    books.push(...page.map(({ id, eName, email, password }) => ({ id, eName, email, password })))
  }
  return books
}
