import { assertFails, assertSucceeds } from '@firebase/rules-unit-testing'
import {
  deleteDoc,
  doc,
  type Firestore,
  serverTimestamp,
  setDoc,
  updateDoc,
  writeBatch,
} from 'firebase/firestore'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import { daysAgo, getDoc, startRules, type TestRules } from '../support/firebase/rules.ts'
import { ada, grace } from '../support/people.ts'

const at = serverTimestamp
const by = 'ada@x.y'
const id = 'a'.repeat(20)
const other = 'b'.repeat(20)
const earlier = daysAgo(3)
/** Its details are of the time when it was added. */
const details = {
  changedAt: earlier,
  changedBy: by,
  passwordChangedAt: earlier,
  entry: 'e0',
  isDeleted: false,
}
const copy = { fields: ada, at: daysAgo(1), by }

let environment: TestRules
const db = () => environment.signedIn('ada')
const member = (email: string) => ({ email, removedAt: null })

/** What a transaction writes, by path; null deletes. */
type Writes = Record<string, object | null>

function commit(store: Firestore, writes: Writes) {
  const batch = writeBatch(store)
  for (const [path, data] of Object.entries(writes)) {
    if (data) batch.set(doc(store, path), data)
    else batch.delete(doc(store, path))
  }
  return batch.commit()
}

const entry = (kind: string, more: object = {}) => ({ kind, ids: [id], by, at: at(), ...more })
const now = { changedAt: at(), changedBy: by, entry: 'e1' }

const change = {
  [`books/${id}`]: { ...ada, password: 'new' },
  [`details/${id}`]: { ...now, passwordChangedAt: at(), isDeleted: false },
  'activity/e1': entry('change'),
}
const rename = {
  [`books/${id}`]: { ...ada, email: 'new@x.y' },
  [`details/${id}`]: { ...now, passwordChangedAt: earlier, isDeleted: false },
  'activity/e1': entry('change'),
}
const removal = {
  [`books/${id}`]: null,
  [`deleted/${id}`]: { fields: ada, at: at(), by },
  [`details/${id}`]: { ...now, passwordChangedAt: earlier, deletedAt: at(), isDeleted: true },
  'activity/e1': entry('delete'),
}
const addition = {
  [`books/${other}`]: grace,
  [`details/${other}`]: { ...now, passwordChangedAt: at(), isDeleted: false },
  'activity/e1': entry('add', { ids: [other] }),
}
const restoration = {
  [`books/${id}`]: ada,
  [`deleted/${id}`]: null,
  [`details/${id}`]: { ...now, passwordChangedAt: earlier, deletedAt: earlier, isDeleted: false },
  'activity/e1': entry('restore'),
}
const importId = `${'0'.repeat(36)}-ada`
const imported = (row: string) => `books/${'0'.repeat(36)}${row}-ada`
const importing = {
  [imported('0')]: ada,
  [imported('f')]: grace,
  [`activity/${importId}`]: entry('import', { ids: [importId], count: 2 }),
}

const present: Record<string, object> = {
  [`books/${id}`]: ada,
  [`details/${id}`]: details,
  'members/ada': member(by),
  'members/alan': { ...member('alan@x.y'), removedAt: earlier, removedBy: by },
}
const { [`books/${id}`]: _gone, ...others } = present
const absent = {
  ...others,
  [`details/${id}`]: { ...details, changedAt: daysAgo(1), deletedAt: earlier, isDeleted: true },
  [`deleted/${id}`]: copy,
}

/** Describes each change by its name: what was there, and what its transaction writes. */
const changes: Record<string, [before: Record<string, object>, writes: Writes]> = {
  change: [present, change],
  'change that keeps the password': [present, rename],
  deletion: [present, removal],
  addition: [present, addition],
  restoration: [absent, restoration],
  import: [present, importing],
}

describe('the rules of details, deleted records and the activity', () => {
  beforeAll(async () => {
    environment = await startRules()
  })
  beforeEach(() => environment.reset(present))
  afterAll(() => environment.stop())

  test.each(Object.entries(changes))(
    'allow a %s with all that belongs to it, and only so',
    async (_, [before, writes]) => {
      for (const path of Object.keys(writes)) {
        await environment.reset(before)
        const { [path]: _missing, ...rest } = writes
        // An import without one of its records, other than the first, is a smaller import.
        if (path !== imported('f')) await assertFails(commit(db(), rest))
      }
      await environment.reset(before)
      await assertSucceeds(commit(db(), writes))
    },
  )

  test.each(Object.entries(changes))(
    'reject a %s by a removed member and by a stranger',
    async (_, [before, writes]) => {
      await environment.reset(before)
      await assertFails(commit(environment.signedIn('alan'), writes))
      await assertFails(commit(environment.signedIn('eve'), writes))
      await assertFails(commit(environment.signedOut(), writes))
    },
  )

  const forged: [string, string, string, object][] = [
    ['another author of the details', 'change', `details/${id}`, { changedBy: 'grace@x.y' }],
    ['another time of the details', 'change', `details/${id}`, { changedAt: daysAgo(1) }],
    ['another field of the details', 'change', `details/${id}`, { more: 1 }],
    ['a password that was changed earlier', 'change', `details/${id}`, { passwordChangedAt: earlier }],
    [
      'a password that was not changed',
      'change that keeps the password',
      `details/${id}`,
      { passwordChangedAt: at() },
    ],
    ['details of a deleted record', 'change', `details/${id}`, { isDeleted: true }],
    ['another author of the entry', 'change', 'activity/e1', { by: 'grace@x.y' }],
    ['another time of the entry', 'change', 'activity/e1', { at: daysAgo(1) }],
    ['another kind of entry', 'change', 'activity/e1', { kind: 'add' }],
    ['an unknown kind of entry', 'change', 'activity/e1', { kind: 'nothing' }],
    ['an entry of a record that it does not change', 'change', 'activity/e1', { ids: [id, other] }],
    ['an entry of another record', 'change', 'activity/e1', { ids: [other] }],
    ['another author of the copy', 'deletion', `deleted/${id}`, { by: 'grace@x.y' }],
    ['another time of the copy', 'deletion', `deleted/${id}`, { at: daysAgo(1) }],
    ['another copy', 'deletion', `deleted/${id}`, { fields: grace }],
    ['another field of the copy', 'deletion', `deleted/${id}`, { more: 1 }],
    ['details of a present record', 'deletion', `details/${id}`, { isDeleted: false }],
    ['another time of the deletion', 'deletion', `details/${id}`, { deletedAt: earlier }],
    ['a deletion that never was', 'change', `details/${id}`, { deletedAt: at() }],
    ['a deletion that was later', 'restoration', `details/${id}`, { deletedAt: at() }],
    ['a changed password', 'deletion', `details/${id}`, { passwordChangedAt: at() }],
    ['a new password', 'restoration', `details/${id}`, { passwordChangedAt: at() }],
    ['an entry that it is new', 'restoration', 'activity/e1', { kind: 'add' }],
    ['an entry that it was restored', 'addition', 'activity/e1', { kind: 'restore', ids: [other] }],
    ['an old password', 'addition', `details/${other}`, { passwordChangedAt: earlier }],
    ['another author of the import', 'import', `activity/${importId}`, { by: 'grace@x.y' }],
    ['another time of the import', 'import', `activity/${importId}`, { at: daysAgo(1) }],
    ['other records', 'import', `activity/${importId}`, { ids: [id] }],
    ['a text as count', 'import', `activity/${importId}`, { count: '2' }],
    ['a long text as count', 'change', 'activity/e1', { count: 'x'.repeat(100_000) }],
    ['fewer records than none', 'deletion', 'activity/e1', { count: -1 }],
    ['the number of other records', 'deletion', 'activity/e1', { count: 1_000 }],
    ['more records than an import has', 'import', `activity/${importId}`, { count: 17 }],
    ['no records of an import', 'import', `activity/${importId}`, { count: 0 }],
  ]
  test.each(forged)('reject %s, with a %s', async (_, name, path, fields) => {
    const [before, writes] = changes[name] ?? [{}, {}]
    await environment.reset(before)
    await assertFails(commit(db(), { ...writes, [path]: { ...writes[path], ...fields } }))
  })

  test('reject writing only details, a copy, an entry or what changes nothing', async () => {
    await assertFails(updateDoc(doc(db(), `details/${id}`), { changedAt: at() }))
    await assertFails(deleteDoc(doc(db(), `details/${id}`)))
    await assertFails(setDoc(doc(db(), `deleted/${other}`), { fields: grace, at: at(), by }))
    for (const kind of ['add', 'change', 'delete', 'restore', 'import'])
      await assertFails(setDoc(doc(db(), 'activity/e1'), entry(kind)))
    await assertFails(commit(db(), { ...change, [`books/${id}`]: ada }))
    await assertFails(commit(db(), { ...rename, [`books/${id}`]: ada }))
    const old = {
      [`details/${id}`]: { ...details, entry: 'e0' },
      'activity/e0': entry('change', { at: earlier }),
    }
    await environment.write(old)
    await assertFails(
      commit(db(), {
        ...change,
        [`details/${id}`]: { ...now, passwordChangedAt: at(), entry: 'e0', isDeleted: false },
      }),
    )
  })

  test('let nobody change or delete an entry or a copy', async () => {
    await assertSucceeds(commit(db(), removal))
    for (const path of ['activity/e1', `deleted/${id}`]) {
      await assertFails(updateDoc(doc(db(), path), { by: 'grace@x.y' }))
      await assertFails(deleteDoc(doc(db(), path)))
    }
    await environment.write({ [`deleted/${other}`]: { ...copy, at: daysAgo(31) } })
    await assertSucceeds(deleteDoc(doc(db(), `deleted/${other}`)))
    await assertSucceeds(getDoc(doc(db(), 'activity/e1')))
    await assertFails(getDoc(doc(environment.signedIn('alan'), 'activity/e1')))
    await assertFails(getDoc(doc(environment.signedIn('alan'), `deleted/${id}`)))
    await assertFails(getDoc(doc(environment.signedIn('alan'), `details/${id}`)))
  })

  test('allow an import once, and no other records in its name later', async () => {
    await assertSucceeds(commit(db(), importing))
    await assertFails(setDoc(doc(db(), imported('1')), ada))
    await assertFails(commit(db(), { ...importing, [imported('1')]: ada }))
  })

  test('reject an import under the id of a deleted record, whose deletion reserves it', async () => {
    const [importedId, path] = [`${'0'.repeat(36)}f-ada`, imported('f')]
    const first = { [imported('0')]: ada, [path]: grace }
    await environment.write({ [path]: ada, [`details/${importedId}`]: details })
    const reserved = { ids: [], record: importedId }
    const reservation = { [`activity/${importId}`]: entry('reserve', reserved) }
    const removing = {
      [path]: null,
      [`deleted/${importedId}`]: { fields: ada, at: at(), by },
      [`details/${importedId}`]: { ...now, passwordChangedAt: earlier, deletedAt: at(), isDeleted: true },
      'activity/e1': entry('delete', { ids: [importedId] }),
    }
    await assertFails(commit(db(), removing))
    for (const more of [{ ids: [importId] }, { by: 'grace@x.y' }, { at: earlier }, { record: id }])
      await assertFails(
        commit(db(), { ...removing, [`activity/${importId}`]: entry('reserve', { ...reserved, ...more }) }),
      )
    await assertFails(commit(db(), reservation))
    await assertSucceeds(commit(db(), { ...removing, ...reservation }))
    await assertFails(commit(db(), { ...importing, ...first }))
    await assertFails(commit(db(), { ...first, ...reservation }))
    await assertFails(setDoc(doc(db(), path), grace))
  })

  test('reject records of an import whose entry only reserves its id', () =>
    assertFails(
      commit(db(), {
        ...importing,
        [`activity/${importId}`]: entry('reserve', { ids: [], record: `${'0'.repeat(36)}0-ada` }),
      }),
    ))

  test('reject an entry that the page shows to nobody, unless a deletion needs it', async () => {
    for (const more of [{}, { count: 1 }, { record: `${'0'.repeat(36)}0-ada` }, { record: id }])
      for (const name of ['e1', importId])
        await assertFails(commit(db(), { [`activity/${name}`]: entry('reserve', { ids: [], ...more }) }))
  })

  test('allow changing an imported record, and one from before there were details', async () => {
    await assertSucceeds(commit(db(), importing))
    const first = `${'0'.repeat(37)}-ada`
    const renamed = { ...ada, email: 'new@x.y' }
    for (const known of [first, other]) {
      await environment.write({ [`books/${known}`]: ada })
      const entryOf = `of-${known}`
      await assertSucceeds(
        commit(db(), {
          [`books/${known}`]: renamed,
          [`details/${known}`]: { changedAt: at(), changedBy: by, entry: entryOf, isDeleted: false },
          [`activity/${entryOf}`]: entry('change', { ids: [known] }),
        }),
      )
    }
  })

  test('allow reports in the own name, now', async () => {
    const report = { kind: 'copy', ids: [id], by, at: at() }
    await assertSucceeds(setDoc(doc(db(), 'activity/r1'), report))
    await assertSucceeds(
      setDoc(doc(db(), 'activity/r2'), { ...report, kind: 'export', ids: ['*'], count: 9 }),
    )
    const wrong = { by: 'grace@x.y', at: earlier, kind: 'add', ids: [], count: 'many', more: 1 }
    for (const [name, value] of Object.entries(wrong))
      await assertFails(setDoc(doc(db(), 'activity/r3'), { ...report, [name]: value }))
    for (const ids of [[{ a: 'x' }], 'x', ['x'.repeat(10_301)]])
      await assertFails(setDoc(doc(db(), 'activity/r3'), { ...report, ids }))
    for (const count of [-1, 0.5, 10_000_001])
      await assertFails(setDoc(doc(db(), 'activity/r3'), { ...report, count }))
    await assertFails(setDoc(doc(environment.signedIn('alan'), 'activity/r3'), { ...report, by: 'alan@x.y' }))
  })

  test.each(['made', 'opened', 'revoked', 'expired'])(
    'reject an entry with the id of one of a link: %s',
    async (what) => {
      const path = `activity/${'a'.repeat(64)}-${what}`
      for (const other of [
        { kind: 'copy', ids: [id], by, at: at() },
        entry('reserve', { ids: [], count: 1 }),
        entry('sign-in', { ids: [] }),
      ])
        await assertFails(setDoc(doc(db(), path), other))
      const { 'activity/e1': ofChange, ...rest } = change
      const details = { ...rest[`details/${id}`], entry: path.slice('activity/'.length) }
      await assertFails(commit(db(), { ...rest, [`details/${id}`]: details, [path]: ofChange ?? null }))
    },
  )

  test('keep a previous password only in the transaction that replaces it', async () => {
    const previous = { password: ada.password, replacedAt: at(), replacedBy: by }
    await assertFails(setDoc(doc(db(), `books/${id}/previous/p`), previous))
    await assertFails(commit(db(), { ...rename, [`books/${id}/previous/p`]: previous }))
    await assertSucceeds(commit(db(), { ...change, [`books/${id}/previous/p`]: previous }))
  })
})
