import { readFileSync } from 'node:fs'
import { assertFails, assertSucceeds, type TokenOptions } from '@firebase/rules-unit-testing'
import {
  collectionGroup,
  deleteDoc,
  doc,
  type Firestore,
  collection as pick,
  type QueryDocumentSnapshot,
  query,
  serverTimestamp,
  setDoc,
  where,
  writeBatch,
} from 'firebase/firestore'
import { Check } from 'typebox/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { employeeFieldsSchema, fieldNames, fieldRules, maxFieldLength } from '../../contract/employees.ts'
import { createRecordId } from '../../contract/firestore.ts'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'
import {
  daysAgo,
  getDoc,
  getDocs,
  shippedRules,
  startRules,
  type TestRules,
  tokenOf,
} from '../support/firebase/rules.ts'
import { ada } from '../support/people.ts'

const existingId = createRecordId(newIdempotencyKey(), 'somebody')
const newId = () => createRecordId(newIdempotencyKey(), 'ada')
const member = (email: string) => ({ email, removedAt: null, removedBy: null })

let environment: TestRules

const signedIn = (token?: TokenOptions) => environment.signedIn('ada', token)

const resetFirestore = (email = 'ada@x.y') =>
  environment.reset({ [`books/${existingId}`]: ada, 'members/ada': member(email) })

const book = (db: Firestore, id = existingId) => doc(db, 'books', id)

/** Saves a record, or with null deletes it, with what the rules require beside it. `existingId` has no details yet. */
function save(db: Firestore, id: string, data: object | null, email = 'ada@x.y') {
  const kind = id !== existingId ? 'add' : data ? 'change' : 'delete'
  const [at, entry] = [serverTimestamp(), doc(pick(db, 'activity'))]
  const isNewPassword = data && (kind === 'add' || (data as typeof ada).password !== ada.password)
  const batch = writeBatch(db)
    .set(entry, { kind, ids: [id], by: email, at })
    .set(doc(db, 'details', id), {
      ...{ changedAt: at, changedBy: email, entry: entry.id, isDeleted: !data },
      ...(isNewPassword && { passwordChangedAt: at }),
      ...(!data && { deletedAt: at }),
    })
  if (data) batch.set(book(db, id), data)
  else batch.delete(book(db, id)).set(doc(db, 'deleted', id), { fields: ada, at, by: email })
  return batch
}

/** The operations on `books` in section 7 of the specification. */
const operations: [string, (db: Firestore, email?: string) => Promise<unknown>][] = [
  ['list', (db) => getDocs(pick(db, 'books'))],
  ['get', (db) => getDoc(book(db))],
  ['add', (db, email) => save(db, newId(), ada, email).commit()],
  ['update', (db, email) => save(db, existingId, { ...ada, email: 'new@x.y' }, email).commit()],
  ['delete', (db, email) => save(db, existingId, null, email).commit()],
]

describe('the shipped rules (§6)', () => {
  beforeAll(async () => {
    environment = await startRules()
  })
  beforeEach(() => resetFirestore())
  afterAll(() => environment.stop())

  test.each(operations)('allow a signed-in account to %s', async (_, call) => {
    await assertSucceeds(call(signedIn()))
  })

  test.each(operations)('allow neither anonymous visitors nor anonymous accounts to %s', async (_, call) => {
    await assertFails(call(environment.signedOut()))
    await assertFails(call(signedIn(tokenOf('ada@x.y', { firebase: { sign_in_provider: 'anonymous' } }))))
  })

  const wrong: [string, object][] = [
    ['with a fourth field', { ...ada, admin: true }],
    ...fieldNames.flatMap((name): [string, object][] => {
      const others = Object.fromEntries(Object.entries(ada).filter(([other]) => other !== name))
      const values = { 'a number as': 1, 'null as': null, 'a list as': ['x'] }
      const invalid = Object.entries({ ...values, 'a too long': 'x'.repeat(maxFieldLength + 1) })
      const missing: [string, object][] = [
        [`without ${name}`, others],
        [`with an empty ${name}`, { ...ada, [name]: '' }],
      ]
      return [
        ...(fieldRules[name].isOptional ? [] : missing),
        ...invalid.map(([what, value]): [string, object] => [
          `with ${what} ${name}`,
          { ...ada, [name]: value },
        ]),
      ]
    }),
  ]
  test.each(wrong)('reject creating or updating a record %s (§3)', async (_, fields) => {
    expect(Check(employeeFieldsSchema, fields)).toBe(false)
    await assertFails(save(signedIn(), newId(), fields).commit())
    await assertFails(save(signedIn(), existingId, fields).commit())
  })

  test('reject an update that adds a fourth field (§3)', () =>
    assertFails(save(signedIn(), existingId, { ...ada, email: 'new@x.y', admin: true }).commit()))

  test.each(['x', 'ü', '漢', '👩'])('allow the longest fields of the letter %s (§9)', async (letter) => {
    const longest = letter.repeat(maxFieldLength / letter.length)
    const fields = { ...ada, eName: longest, password: longest }
    expect(Check(employeeFieldsSchema, fields)).toBe(true)
    await assertSucceeds(save(signedIn(), newId(), fields).commit())
  })

  test.each([
    'first',
    '0'.repeat(32),
    `${'0'.repeat(32)}-`,
    `${'g'.repeat(32)}-ada`,
    `${'0'.repeat(32)}-${'a'.repeat(65)}`,
    'a'.repeat(19),
    'a'.repeat(21),
    `${'a'.repeat(19)}-`,
  ])('reject a new record with the id %s, which does not define an order', (id) =>
    assertFails(save(signedIn(), id, ada).commit()),
  )

  test.each([
    ['of a record added by a batch', createRecordId(newIdempotencyKey(), 'ada', 99_999)],
    ['from Firebase’s console', 'Zk3vQx9LmN0aBcDeF7Gh'],
    ['that an earlier version imported', `018bcfe568008${'0'.repeat(19)}-aZ-_0`],
    ['that is as long', `018bcfe568008${'0'.repeat(19)}-${'a'.repeat(64)}`],
  ])('allow adding or restoring a record with an id %s', (_, id) =>
    assertSucceeds(save(signedIn(), id, ada).commit()),
  )

  test('allow keeping only the replaced password, in the name of who replaces it, and deleting it after 30 days', async () => {
    const db = signedIn()
    const previous = pick(db, 'books', existingId, 'previous')
    const kept = { password: ada.password, replacedAt: serverTimestamp(), replacedBy: 'ada@x.y' }
    const replace = (data: object) =>
      save(db, existingId, { ...ada, password: 'new' })
        .set(doc(previous), data)
        .commit()
    const earlier = daysAgo(31)
    const wrong = { password: 'never there', replacedAt: earlier, replacedBy: 'eve@x.y', more: 1 }
    for (const [name, value] of Object.entries(wrong)) await assertFails(replace({ ...kept, [name]: value }))
    await assertSucceeds(replace(kept))
    const [stored] = (await getDocs(previous)).docs as [QueryDocumentSnapshot]
    await assertFails(deleteDoc(stored.ref))
    await assertFails(getDocs(collectionGroup(environment.signedOut(), 'previous')))
    await environment.write({ [stored.ref.path]: { ...kept, replacedAt: earlier } })
    const isOld = where('replacedAt', '<', new Date(earlier.getTime() + 1000))
    const old = query(collectionGroup(db, 'previous'), isOld)
    for (const { ref } of (await getDocs(old)).docs) await assertSucceeds(deleteDoc(ref))
  })

  test.each([
    ['another collection', 'accounts/ada'],
    ['a collection under a record', `books/${existingId}/history/ada`],
  ])('reject reading and writing %s', async (_, path) => {
    await assertFails(getDoc(doc(signedIn(), path)))
    await assertFails(setDoc(doc(signedIn(), path), ada))
    await assertFails(getDocs(pick(signedIn(), path.slice(0, path.lastIndexOf('/')))))
  })
})

describe('the membership functions of docs/firebase.md (§6)', () => {
  /** The alternatives to the shipped `isMember` in the document. */
  const alternatives = Array.from(
    readFileSync('docs/firebase.md', 'utf8').matchAll(/^ {2}function isMember\(\) \{[\s\S]*?^ {2}\}/gm),
    ([text]) => text,
  )
  const shipped = /^ {2}function isMember\(\) \{[\s\S]*?^ {2}\}/m
  const token = (email: string, isVerified = true) => tokenOf(email, { email_verified: isVerified })

  afterAll(async () => {
    environment = await startRules()
    await environment.stop()
  })

  test('there are two: for a domain and for a list', () => expect(alternatives).toHaveLength(2))

  const strangers = [tokenOf('ada@x.y'), token('ada@example.com', false), token('mallory@evil-example.com')]
  test.each([
    ['a domain', 0, ['ada@example.com', 'Ada@Example.com'], ['ada@example.com.evil.org', 'ada@exampleXcom']],
    ['a list', 1, ['ada@example.com'], ['mallory@example.com']],
  ])('%s admits its verified addresses only', async (_, index, members, others) => {
    environment = await startRules(shippedRules.replace(shipped, alternatives[index] ?? ''))
    for (const member of [...members, ...others].map((email) => token(email)).concat(strangers)) {
      const isOpen = members.includes(String(member.email)) && member.email_verified === true
      for (const [, call] of operations) {
        await resetFirestore(String(member.email))
        await (isOpen ? assertSucceeds : assertFails)(call(signedIn(member), String(member.email)))
      }
    }
    await environment.stop()
  })
})
