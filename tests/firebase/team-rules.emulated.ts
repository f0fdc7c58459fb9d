import { assertFails, assertSucceeds } from '@firebase/rules-unit-testing'
import {
  collection,
  deleteDoc,
  doc,
  type Firestore,
  getDoc,
  getDocs,
  onSnapshot,
  serverTimestamp,
  setDoc,
  updateDoc,
  writeBatch,
} from 'firebase/firestore'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashSecret } from '../../web/backends/firebase/team/members.ts'
import { daysAgo, shippedRules, startRules, type TestRules, tokenOf } from '../support/firebase/rules.ts'
import { ada } from '../support/people.ts'

const at = serverTimestamp
const bookPath = `books/${'a'.repeat(20)}`
const present = (name: string) => ({
  email: `${name}@x.y`,
  joinedAt: daysAgo(40),
  seenAt: daysAgo(2),
  ...{ invitedBy: null, removedAt: null, removedBy: null },
})
const removed = (name: string, days: number) => ({
  ...present(name),
  removedAt: daysAgo(days),
  removedBy: 'ada@x.y',
})
const newcomer = { ...present('eve'), joinedAt: at(), seenAt: at() }

let environment: TestRules
const as = (uid: string, secondsAgo?: number) =>
  environment.signedIn(uid, tokenOf(`${uid}@x.y`, {}, secondsAgo))
const member = (db: Firestore, uid: string) => doc(db, 'members', uid)

const start = (rules?: string) => async () => {
  environment = await startRules(rules)
}
const reset = () =>
  environment.reset({
    [bookPath]: ada,
    'members/ada': present('ada'),
    'members/grace': present('grace'),
    'members/alan': removed('alan', 2),
    'members/old': removed('old', 31),
  })

describe('the rules of members', () => {
  beforeAll(start())
  beforeEach(reset)
  afterAll(() => environment.stop())

  test('let an account make its own member, which then reads', async () => {
    await assertFails(getDoc(doc(as('eve'), bookPath)))
    await assertSucceeds(setDoc(member(as('eve'), 'eve'), newcomer))
    await assertSucceeds(getDoc(doc(as('eve'), bookPath)))
  })

  test.each<[string, object]>([
    ['with the email of somebody else', { email: 'ada@x.y' }],
    ['with another time', { joinedAt: daysAgo(1) }],
    ['that was seen at another time', { seenAt: daysAgo(1) }],
    ['that is removed', { removedAt: at() }],
    ['that somebody removed', { removedBy: 'ada@x.y' }],
    ['with a text instead of yes or no', { anyEmail: 'x'.repeat(100_000) }],
    ['with a long secret', { secret: 'x'.repeat(100_000) }],
    ['with a made-up invitation', { invitedBy: 'ada@x.y' }],
    ['with another field', { isAdmin: true }],
  ])('reject a member %s', (_, fields) =>
    assertFails(setDoc(member(as('eve'), 'eve'), { ...newcomer, ...fields })),
  )

  test('reject making a member for somebody else', () =>
    assertFails(setDoc(member(as('eve'), 'other'), newcomer)))

  test('reject a visitor, an anonymous account and an account that has not joined', async () => {
    const anonymous = environment.signedIn(
      'eve',
      tokenOf('eve@x.y', { firebase: { sign_in_provider: 'anonymous' } }),
    )
    for (const db of [environment.signedOut(), anonymous, as('eve')]) {
      await assertFails(getDocs(collection(db, 'members')))
      await assertFails(getDoc(member(db, 'ada')))
      await assertFails(getDocs(collection(db, 'invitations')))
      await assertFails(updateDoc(member(db, 'ada'), { seenAt: at() }))
    }
    await assertFails(setDoc(member(anonymous, 'eve'), newcomer))
  })

  const removal = { removedAt: at(), removedBy: 'ada@x.y' }
  const back = { removedAt: null, removedBy: null, returnedAt: at() }

  test('let a member remove another and let him in again, who can’t read between', async () => {
    await assertSucceeds(updateDoc(member(as('ada'), 'grace'), removal))
    await assertFails(getDoc(doc(as('grace'), bookPath)))
    await assertSucceeds(getDoc(member(as('grace'), 'grace')))
    for (const returnedAt of [null, daysAgo(1)])
      await assertFails(updateDoc(member(as('ada'), 'grace'), { ...back, returnedAt }))
    await assertSucceeds(updateDoc(member(as('ada'), 'grace'), back))
    await assertSucceeds(getDoc(doc(as('grace'), bookPath)))
  })

  test.each<[string, string, object]>([
    ['oneself, so that the last member stays', 'ada', removal],
    ['in the name of somebody else', 'grace', { ...removal, removedBy: 'grace@x.y' }],
    ['at another time', 'grace', { ...removal, removedAt: daysAgo(1) }],
    ['and change more', 'grace', { ...removal, email: 'x@x.y' }],
    ['who was removed already', 'alan', removal],
  ])('reject removing a member %s', (_, uid, fields) =>
    assertFails(updateDoc(member(as('ada'), uid), fields)),
  )

  test('reject a removal without entering the password again', () =>
    assertFails(updateDoc(member(as('ada', 600), 'grace'), removal)))

  test('reject everything of a removed member, also to let himself in, join again or remove others', async () => {
    const db = as('alan')
    await assertFails(getDocs(collection(db, 'books')))
    await assertFails(setDoc(doc(db, bookPath), ada))
    await assertFails(updateDoc(member(db, 'alan'), back))
    await assertFails(setDoc(member(db, 'alan'), { ...newcomer, email: 'alan@x.y' }))
    await assertFails(deleteDoc(member(db, 'alan')))
    await assertFails(updateDoc(member(db, 'grace'), { removedAt: at(), removedBy: 'alan@x.y' }))
    await assertFails(
      setDoc(doc(db, 'invitations', 'f'.repeat(64)), {
        ...{ email: null, by: 'alan@x.y', byUid: 'alan', createdAt: at(), expiresAt: daysAgo(-1) },
      }),
    )
  })

  test('reject letting in whom Firebase’s console has removed, or after 30 days', async () => {
    await assertSucceeds(updateDoc(member(as('ada'), 'alan'), back))
    await assertFails(updateDoc(member(as('ada'), 'old'), back))
    await environment.write({ 'members/alan': { ...present('alan'), removedAt: daysAgo(2) } })
    await assertFails(updateDoc(member(as('ada'), 'alan'), back))
  })

  test('let members tell that they were here, at most once an hour, now and themselves only', async () => {
    await assertSucceeds(updateDoc(member(as('ada'), 'ada'), { seenAt: at() }))
    for (const minutes of [0, 59]) {
      await environment.write({ 'members/ada': { ...present('ada'), seenAt: daysAgo(minutes / (24 * 60)) } })
      await assertFails(updateDoc(member(as('ada'), 'ada'), { seenAt: at() }))
    }
    const { seenAt: _, ...fromConsole } = present('ada')
    for (const before of [{ ...fromConsole, seenAt: daysAgo(61 / (24 * 60)) }, fromConsole]) {
      await environment.write({ 'members/ada': before })
      await assertSucceeds(updateDoc(member(as('ada'), 'ada'), { seenAt: at() }))
    }
    await assertFails(updateDoc(member(as('ada'), 'ada'), { seenAt: daysAgo(1) }))
    await assertFails(updateDoc(member(as('ada'), 'grace'), { seenAt: at() }))
    await assertFails(updateDoc(member(as('ada'), 'ada'), { email: 'x@x.y' }))
    await assertFails(deleteDoc(member(as('ada'), 'grace')))
  })

  test('end the listener of a removed member at the next change', async () => {
    const { promise, reject, resolve } = Promise.withResolvers<string>()
    const emails: unknown[] = []
    onSnapshot(
      doc(as('grace'), bookPath),
      (book) => void emails.push(book.get('email')),
      ({ code }) => resolve(code),
    )
    await expect
      .poll(() => emails)
      .toEqual([ada.email])
      .catch(reject)
    await updateDoc(member(as('ada'), 'grace'), removal)
    await environment.write({ [bookPath]: { ...ada, email: 'not-for-grace@x.y' } })
    expect(await promise).toBe('permission-denied')
    expect(emails).toEqual([ada.email])
  })
})

describe('the rules of invitations', () => {
  const secret = 'the secret of a link'
  let hash: string
  const invitation = (more: object = {}) => ({
    ...{ email: null, by: 'ada@x.y', byUid: 'ada', createdAt: daysAgo(1), expiresAt: daysAgo(-6) },
    ...more,
  })
  const newHash = 'f'.repeat(64)
  const invite = (uid: string, more: object = {}, id = newHash) => {
    const data = invitation({ by: `${uid}@x.y`, byUid: uid, createdAt: at(), ...more })
    return setDoc(doc(as(uid), 'invitations', id), data)
  }
  const joinWith = (uid: string, fields: object = {}, used = hash) => {
    const db = as(uid)
    const data = { ...newcomer, email: `${uid}@x.y`, invitedBy: 'ada@x.y', anyEmail: true, secret, ...fields }
    return writeBatch(db)
      .set(member(db, uid), data)
      .delete(doc(db, 'invitations', used))
      .commit()
  }

  beforeAll(async () => {
    hash = await hashSecret(secret)
    await start(shippedRules.replace("return 'open'", "return 'invited'"))()
  })
  beforeEach(async () => {
    await reset()
    await environment.write({ [`invitations/${hash}`]: invitation() })
  })
  afterAll(async () => {
    await environment.stop()
    await start()()
    await environment.stop()
  })

  test('let one account join, once, with a link that nobody needs to be signed in to check', async () => {
    await assertSucceeds(getDoc(doc(environment.signedOut(), 'invitations', hash)))
    await assertFails(setDoc(member(as('eve'), 'eve'), newcomer))
    await assertSucceeds(joinWith('eve'))
    await assertFails(joinWith('mallory'))
  })

  test('of two at once one joins', async () => {
    const joined = await Promise.allSettled(['eve', 'mallory', 'oscar'].map((uid) => joinWith(uid)))
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.each<[string, object]>([
    ['the hash instead of the secret', { secret: 'something else' }],
    ['no secret', { secret: null }],
    ['another inviter', { invitedBy: 'grace@x.y' }],
    ['a claim that it was for this email', { anyEmail: false }],
  ])('reject joining with %s', (_, fields) => assertFails(joinWith('eve', fields)))

  test.each<[string, object]>([
    ['that has expired', { expiresAt: daysAgo(1) }],
    ['for another email', { email: 'mallory@x.y' }],
    ['of a removed member', { byUid: 'alan' }],
  ])('reject an invitation %s', async (_, fields) => {
    await environment.write({ [`invitations/${hash}`]: invitation(fields) })
    await assertFails(joinWith('eve', { anyEmail: !('email' in fields) }))
  })

  test('reject joining without using the invitation up, and using it up without joining', async () => {
    const data = { ...newcomer, invitedBy: 'ada@x.y', anyEmail: true, secret }
    await assertFails(setDoc(member(as('eve'), 'eve'), data))
    await assertFails(deleteDoc(doc(as('eve'), 'invitations', hash)))
    await assertFails(deleteDoc(doc(environment.signedOut(), 'invitations', hash)))
    await assertFails(joinWith('alan', { email: 'alan@x.y' }))
  })

  test('let a member invite for an email of any letter case, and revoke', async () => {
    await environment.write({ [`invitations/${hash}`]: invitation({ email: 'Eve@X.Y' }) })
    await assertSucceeds(joinWith('eve', { anyEmail: false }))
    await assertSucceeds(invite('grace'))
    await assertSucceeds(deleteDoc(doc(as('grace'), 'invitations', newHash)))
  })

  test('reject an invitation from before the removal of its maker, who has returned, but no later one', async () => {
    await environment.write({ 'members/ada': { ...present('ada'), returnedAt: daysAgo(0.5) } })
    await assertFails(joinWith('eve'))
    const { createdAt: _, ...former } = invitation()
    await environment.write({ [`invitations/${hash}`]: former })
    await assertFails(joinWith('eve'))
    await environment.write({ [`invitations/${hash}`]: invitation({ createdAt: daysAgo(0.4) }) })
    await assertSucceeds(joinWith('eve'))
  })

  test('let an account join with an invitation from before its time was stored', async () => {
    const { createdAt: _, ...former } = invitation()
    await environment.write({ [`invitations/${hash}`]: former })
    await assertSucceeds(joinWith('eve'))
  })

  test.each(['new', 'F'.repeat(64), 'f'.repeat(65), 'f'.repeat(1000)])(
    'reject making an invitation with the id %s',
    (id) => assertFails(invite('grace', {}, id)),
  )

  test.each<[string, object]>([
    ['in the name of somebody else', { by: 'ada@x.y' }],
    ['that is void with somebody else only', { byUid: 'ada' }],
    ['that is valid for long', { expiresAt: daysAgo(-9) }],
    ['with another field', { more: 1 }],
    ['that is said to be older', { createdAt: daysAgo(1) }],
    ['that is said to be newer', { createdAt: daysAgo(-1) }],
    ['for a number as email', { email: 1 }],
    ['for a long email', { email: `${'x'.repeat(251)}@x.y` }],
  ])('reject making an invitation %s', (_, fields) => assertFails(invite('grace', fields)))

  test('reject changing an invitation', () =>
    assertFails(updateDoc(doc(as('ada'), 'invitations', hash), { expiresAt: daysAgo(-8) })))
})

describe('the rules where nobody may sign up', () => {
  beforeAll(start(shippedRules.replace("return 'open'", "return 'closed'")))
  beforeEach(reset)
  afterAll(async () => {
    await environment.stop()
    await start()()
    await environment.stop()
  })

  test('let no account become a member but those that the console makes', async () => {
    await assertFails(setDoc(member(as('eve'), 'eve'), newcomer))
    await environment.write({ 'members/eve': { email: 'eve@x.y', joinedAt: daysAgo(0) } })
    await assertSucceeds(getDoc(doc(as('eve'), bookPath)))
    await assertSucceeds(updateDoc(member(as('eve'), 'eve'), { seenAt: at() }))
  })
})
