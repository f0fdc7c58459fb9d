import { readFileSync } from 'node:fs'
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
  type TokenOptions,
} from '@firebase/rules-unit-testing'
import {
  deleteDoc,
  doc,
  type Firestore,
  getDoc,
  getDocs,
  collection as pick,
  setDoc,
  setLogLevel,
  updateDoc,
} from 'firebase/firestore'
import { Check } from 'typebox/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { employeeFieldsSchema, maxFieldLength } from '../../contract/employees.ts'
import { createRecordId } from '../../contract/firestore.ts'
import { createOrderedIds } from '../../server/commands/firebase/ids.ts'
import { newIdempotencyKey } from '../../web/backends/idempotency-key.ts'

const rules = readFileSync('firestore.rules', 'utf8')
const ada = { eName: 'Ada Lovelace', email: 'ada@example.com', password: 'analytical engine' }
const existingId = createRecordId(newIdempotencyKey(), 'somebody')
const newId = () => createRecordId(newIdempotencyKey(), 'ada')
const passwordToken = { firebase: { sign_in_provider: 'password' } } as TokenOptions

let environment: RulesTestEnvironment

/** Firestore as a person sees it, under these rules. */
async function useRules(text: string) {
  // The SDK logs every refusal, and refusals are what is asked for.
  setLogLevel('silent')
  const { project, firestore } = inject('emulators')
  const address = { host: '127.0.0.1', port: firestore }
  environment = await initializeTestEnvironment({
    projectId: project,
    firestore: { ...address, rules: text },
  })
}

function signedIn(token: TokenOptions = passwordToken): Firestore {
  return environment.authenticatedContext('ada', token).firestore() as unknown as Firestore
}

function signedOut(): Firestore {
  return environment.unauthenticatedContext().firestore() as unknown as Firestore
}

async function resetFirestore() {
  await environment.clearFirestore()
  await environment.withSecurityRulesDisabled(async (context) => {
    await setDoc(doc(context.firestore() as unknown as Firestore, 'books', existingId), ada)
  })
}

/** The five calls of the specification's point 7 on `books`. */
const operations: [string, (db: Firestore) => Promise<unknown>][] = [
  ['list', (db) => getDocs(pick(db, 'books'))],
  ['get', (db) => getDoc(doc(db, 'books', existingId))],
  ['add', (db) => setDoc(doc(db, 'books', newId()), ada)],
  ['update', (db) => updateDoc(doc(db, 'books', existingId), { ...ada, eName: 'Ada' })],
  ['delete', (db) => deleteDoc(doc(db, 'books', existingId))],
]

describe('6 the rules as they are shipped', () => {
  beforeAll(() => useRules(rules))
  beforeEach(resetFirestore)
  afterAll(() => environment.cleanup())

  test.each(operations)('whoever is signed in may %s', async (_, call) => {
    await assertSucceeds(call(signedIn()))
  })

  test.each(operations)('nobody else may %s', (_, call) => assertFails(call(signedOut())))

  test.each(operations)('an anonymous account may not %s', (_, call) =>
    assertFails(call(signedIn({ firebase: { sign_in_provider: 'anonymous' } } as TokenOptions))),
  )

  test('a removed record may be put back under its id', async () => {
    await deleteDoc(doc(signedIn(), 'books', existingId))
    await assertSucceeds(setDoc(doc(signedIn(), 'books', existingId), ada))
  })

  const wrong: [string, object][] = [
    ['without a password', { eName: 'Ada', email: 'ada@example.com' }],
    ['with a fourth field', { ...ada, admin: true }],
    ['with an empty name', { ...ada, eName: '' }],
    ['with a number for a name', { ...ada, eName: 1 }],
    ['with null for an email', { ...ada, email: null }],
    ['with a list for a password', { ...ada, password: ['x'] }],
    ['with a password that is too long', { ...ada, password: 'x'.repeat(maxFieldLength + 1) }],
  ]
  test.each(wrong)('3 a record %s is refused, new or changed', async (_, fields) => {
    expect(Check(employeeFieldsSchema, fields)).toBe(false)
    await assertFails(setDoc(doc(signedIn(), 'books', newId()), fields))
    await assertFails(setDoc(doc(signedIn(), 'books', existingId), fields))
  })

  test('3 an update that leaves a fourth field behind is refused', () =>
    assertFails(updateDoc(doc(signedIn(), 'books', existingId), { admin: true })))

  test.each(['x', 'ü', '漢'])('9 the longest field is allowed in %s', async (letter) => {
    const longest = letter.repeat(maxFieldLength)
    const fields = { ...ada, eName: longest, password: longest }
    expect(Check(employeeFieldsSchema, fields)).toBe(true)
    await assertSucceeds(setDoc(doc(signedIn(), 'books', newId()), fields))
  })

  test('9 the longest field is allowed in letters of two code units', async () => {
    const eName = '👩'.repeat(maxFieldLength / 2)
    await assertSucceeds(setDoc(doc(signedIn(), 'books', newId()), { ...ada, eName }))
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
  ])('a new record under the id %s, which has no place in the order, is refused', (id) =>
    assertFails(setDoc(doc(signedIn(), 'books', id), ada)),
  )

  test('a new record of a batch is allowed under its id', () =>
    assertSucceeds(setDoc(doc(signedIn(), 'books', createRecordId(newIdempotencyKey(), 'ada', 99_999)), ada)))

  test('a removed record that was made in Firebase’s console may be put back under the id it got there', () =>
    assertSucceeds(setDoc(doc(pick(signedIn(), 'books')), ada)))

  test.each(['aZ-_0', 'a'.repeat(64)])(
    'a record from elsewhere is allowed with its id there, %s',
    async (id) => {
      const [brought = ''] = createOrderedIds([id])
      await assertSucceeds(setDoc(doc(signedIn(), 'books', brought), ada))
    },
  )

  test.each([
    ['another collection', 'accounts/ada'],
    ['a collection under a record', `books/${existingId}/history/ada`],
  ])('%s is closed, to read and to write', async (_, path) => {
    await assertFails(getDoc(doc(signedIn(), path)))
    await assertFails(setDoc(doc(signedIn(), path), ada))
    await assertFails(getDocs(pick(signedIn(), path.slice(0, path.lastIndexOf('/')))))
  })
})

describe('6 who may come in, as docs/firebase.md closes it', () => {
  /** The functions that the document offers in place of the shipped `isMember`. */
  const offered = Array.from(
    readFileSync('docs/firebase.md', 'utf8').matchAll(/^ {2}function isMember\(\) \{[\s\S]*?^ {2}\}/gm),
    ([text]) => text,
  )
  const shipped = /^ {2}function isMember\(\) \{[\s\S]*?^ {2}\}/m
  const verified = (email: string) => ({ ...passwordToken, email, email_verified: true }) as TokenOptions
  const unverified = (email: string) => ({ ...passwordToken, email, email_verified: false }) as TokenOptions
  const openFor = async (token: TokenOptions, isOpen: boolean) => {
    await resetFirestore()
    for (const [, call] of operations) await (isOpen ? assertSucceeds : assertFails)(call(signedIn(token)))
  }

  afterAll(async () => {
    await useRules(rules)
    await environment.cleanup()
  })

  test('the document offers a domain and a list', () => expect(offered).toHaveLength(2))

  test('a domain: its verified addresses and no others', async () => {
    await environment.cleanup()
    await useRules(rules.replace(shipped, offered[0] ?? ''))
    await openFor(verified('ada@example.com'), true)
    await openFor(verified('Ada@Example.com'), true)
    await openFor(unverified('ada@example.com'), false)
    await openFor(verified('ada@example.com.evil.org'), false)
    await openFor(verified('ada@evil-example.com'), false)
    await openFor(verified('ada@exampleXcom'), false)
    await openFor(passwordToken, false)
  })

  test('a list: its verified addresses and no others', async () => {
    await environment.cleanup()
    await useRules(rules.replace(shipped, offered[1] ?? ''))
    await openFor(verified('ada@example.com'), true)
    await openFor(unverified('ada@example.com'), false)
    await openFor(verified('mallory@example.com'), false)
    await openFor(passwordToken, false)
  })
})
