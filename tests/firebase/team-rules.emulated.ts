import { assertFails, assertSucceeds } from '@firebase/rules-unit-testing'
import {
  collection,
  deleteDoc,
  doc,
  type Firestore,
  onSnapshot,
  serverTimestamp,
  setDoc,
  updateDoc,
  writeBatch,
} from 'firebase/firestore'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toLowerAscii } from '../../contract/emails/to-lower-ascii.ts'
import { hashSecret } from '../../web/backends/firebase/team/members.ts'
import {
  changeRules,
  daysAgo,
  getDoc,
  getDocs,
  startRules,
  type TestRules,
  tokenOf,
} from '../support/firebase/rules.ts'
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
const newcomer = { ...present('eve'), joinedAt: at(), seenAt: at(), entry: 'e' }

/** What the activity says of a member. */
const entryOf = (kind: string, by: string, uid: string, account: string | null) => ({
  ...{ kind, ids: [], at: at(), by: `${by}@x.y`, member: uid, account },
})

/** Writes a member together with an entry of the activity. */
function save(db: Firestore, uid: string, data: object, entry: object = {}, isNew = false) {
  const batch = writeBatch(db).set(doc(db, 'activity/e'), entry)
  const fields = { entry: 'e', ...data }
  return (isNew ? batch.set(member(db, uid), fields) : batch.update(member(db, uid), fields)).commit()
}
const join = (db: Firestore, uid: string, fields: object = {}, entry: object = {}) =>
  save(db, uid, { ...newcomer, ...fields }, { ...entryOf('sign-up', 'eve', uid, null), ...entry }, true)

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
    await assertSucceeds(join(as('eve'), 'eve'))
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
  ])('reject a member %s', (_, fields) => assertFails(join(as('eve'), 'eve', fields)))

  test('reject making a member for somebody else', async () => {
    await assertFails(join(as('eve'), 'other'))
  })

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
    await assertFails(join(anonymous, 'eve'))
  })

  const removal = { removedAt: at(), removedBy: 'ada@x.y' }
  const back = { removedAt: null, removedBy: null, returnedAt: at() }
  const remove = (by: string, uid: string, fields: object = {}, entry: object = {}, db = as(by)) => {
    const data = { ...removal, removedBy: `${by}@x.y`, ...fields }
    return save(db, uid, data, { ...entryOf('remove-account', by, uid, `${uid}@x.y`), ...entry })
  }
  const letIn = (by: string, uid: string, fields: object = {}, entry: object = {}) =>
    save(
      as(by),
      uid,
      { ...back, ...fields },
      { ...entryOf('let-in-account', by, uid, `${uid}@x.y`), ...entry },
    )

  test.each<[string, object]>([
    ['of another kind', { kind: 'let-in-account' }],
    ['in the name of somebody else', { by: 'grace@x.y' }],
    ['at another time', { at: daysAgo(1) }],
    ['about somebody else', { account: 'alan@x.y' }],
    ['of another member', { member: 'alan' }],
    ['with another field', { record: 'x' }],
    ['of records', { ids: ['x'] }],
  ])('reject a removal with an entry of the activity %s', async (_, entry) => {
    await assertFails(remove('ada', 'grace', {}, entry))
    await assertSucceeds(remove('ada', 'grace'))
  })

  test('reject a removal, a return and a member without an entry, with an earlier one, and an entry alone', async () => {
    await assertFails(updateDoc(member(as('ada'), 'grace'), removal))
    await assertFails(updateDoc(member(as('ada'), 'alan'), back))
    await assertFails(setDoc(member(as('eve'), 'eve'), newcomer))
    const entry = entryOf('remove-account', 'ada', 'grace', 'grace@x.y')
    await assertFails(setDoc(doc(as('ada'), 'activity/e'), entry))
    await assertFails(remove('ada', 'grace', { entry: 'other' }))
    await environment.write({ 'activity/old': { ...entry, at: daysAgo(1) } })
    await assertFails(updateDoc(member(as('ada'), 'grace'), { ...removal, entry: 'old' }))
    for (const wrong of [{ kind: 'accept-invitation' }, { account: 'ada@x.y' }, { by: 'ada@x.y' }])
      await assertFails(join(as('eve'), 'eve', {}, wrong))
    await assertFails(letIn('ada', 'alan', {}, { kind: 'remove-account' }))
    await assertSucceeds(letIn('ada', 'alan'))
  })

  test('let a member remove another and let him in again, who can’t read between', async () => {
    await assertSucceeds(remove('ada', 'grace'))
    await assertFails(getDoc(doc(as('grace'), bookPath)))
    await assertSucceeds(getDoc(member(as('grace'), 'grace')))
    await environment.clear('activity/e')
    for (const returnedAt of [null, daysAgo(1)]) await assertFails(letIn('ada', 'grace', { returnedAt }))
    await assertSucceeds(letIn('ada', 'grace'))
    await assertSucceeds(getDoc(doc(as('grace'), bookPath)))
  })

  test.each<[string, string, object]>([
    ['oneself, so that the last member stays', 'ada', {}],
    ['in the name of somebody else', 'grace', { removedBy: 'grace@x.y' }],
    ['at another time', 'grace', { removedAt: daysAgo(1) }],
    ['and change more', 'grace', { email: 'x@x.y' }],
    ['who was removed already', 'alan', {}],
  ])('reject removing a member %s', (_, uid, fields) => assertFails(remove('ada', uid, fields)))

  test('reject a removal without entering the password again', () =>
    assertFails(remove('ada', 'grace', {}, {}, as('ada', 600))))

  test('reject everything of a removed member, also to let himself in, join again or remove others', async () => {
    const db = as('alan')
    await assertFails(getDocs(collection(db, 'books')))
    await assertFails(setDoc(doc(db, bookPath), ada))
    await assertFails(letIn('alan', 'alan'))
    await assertFails(join(db, 'alan', { email: 'alan@x.y' }, { by: 'alan@x.y' }))
    await assertFails(deleteDoc(member(db, 'alan')))
    await assertFails(remove('alan', 'grace'))
    const invitation = { email: null, by: 'alan@x.y', byUid: 'alan', createdAt: at(), expiresAt: daysAgo(-1) }
    await assertFails(saveInvitation(db, 'f'.repeat(64), invitation))
    await assertFails(setDoc(doc(db, 'activity/own'), ownEntry('alan')))
    await assertFails(getDocs(collection(db, 'activity')))
  })

  test.each([
    ['Kim@x.y', 'kIM@x.y', true],
    ['kim@x.y', '\u212aim@x.y', false],
    ['ida@x.y', '\u0130da@x.y', false],
    ['ida@x.y', '\u0131da@x.y', false],
    ['\u00c9ve@x.y', '\u00e9ve@x.y', false],
    ['\u0130da@x.y', 'i\u0307da@x.y', false],
  ])('take the email %s of a member for %s, as pages do: %s', async (email, token, isSame) => {
    await environment.write({ 'members/grace': { ...present('grace'), email } })
    const reading = getDoc(doc(environment.signedIn('grace', tokenOf(token)), bookPath))
    await (isSame ? assertSucceeds(reading) : assertFails(reading))
    expect(toLowerAscii(email) === toLowerAscii(token)).toBe(isSame)
  })

  test('reject everything of a member whose account has another email than the member, until the console has entered it', async () => {
    const by = 'gracie@x.y'
    const renamed = environment.signedIn('grace', tokenOf(by))
    const times = { createdAt: at(), expiresAt: daysAgo(-1) }
    const calls: (() => Promise<unknown>)[] = [
      () => getDocs(collection(renamed, 'books')),
      () => getDocs(collection(renamed, 'members')),
      () => updateDoc(member(renamed, 'grace'), { seenAt: at() }),
      () => remove('ada', 'ada', { removedBy: by }, { by }, renamed),
      () => saveInvitation(renamed, 'f'.repeat(64), { email: null, by, byUid: 'grace', ...times }),
      () => setDoc(doc(renamed, 'activity', 'x'), { kind: 'copy', ids: ['a'], by, at: at() }),
    ]
    for (const call of calls) await assertFails(call())
    await assertFails(updateDoc(member(renamed, 'grace'), { email: by }))
    await assertSucceeds(getDoc(member(renamed, 'grace')))
    for (const email of [by, ' Gracie@X.y ']) {
      await reset()
      await environment.write({ 'members/grace': { ...present('grace'), email } })
      for (const call of calls) await assertSucceeds(call())
      await assertFails(getDocs(collection(as('grace'), 'books')))
    }
  })

  test('reject letting in whom Firebase’s console has removed, or after 30 days', async () => {
    await assertFails(letIn('ada', 'old'))
    await environment.write({ 'members/alan': { ...present('alan'), removedAt: daysAgo(2) } })
    await assertFails(letIn('ada', 'alan'))
    await environment.write({ 'members/alan': removed('alan', 2) })
    await assertSucceeds(letIn('ada', 'alan'))
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
    await remove('ada', 'grace')
    await environment.write({ [bookPath]: { ...ada, email: 'not-for-grace@x.y' } })
    expect(await promise).toBe('permission-denied')
    expect(emails).toEqual([ada.email])
  })
})

/** What a page tells of its user. */
const ownEntry = (uid: string, more: object = {}) => ({
  ...{ kind: 'sign-in', ids: [], at: at(), by: `${uid}@x.y`, browser: 'Firefox on Linux', ...more },
})

test.each<[string, object]>([
  ['in the name of somebody else', { by: 'grace@x.y' }],
  ['at another time', { at: daysAgo(1) }],
  ['of another kind', { kind: 'refuse-sign-in' }],
  ['with a long name of the browser', { browser: 'x'.repeat(101) }],
  ['with a number as browser', { browser: 1 }],
  ['with a browser that turns the text behind it round', { browser: '\u202eFirefox on Linux' }],
  ['with a browser that names somebody else', { browser: 'Firefox on Linux · by grace@x.y' }],
  ['of records', { ids: ['x'] }],
  ['with another field', { account: 'grace@x.y' }],
])('the rules let a member tell of an own sign-in, and not %s', async (_, fields) => {
  await start()()
  await reset()
  const own = doc(as('ada'), 'activity/own')
  await assertFails(setDoc(own, ownEntry('ada', fields)))
  await assertFails(setDoc(doc(as('eve'), 'activity/own'), ownEntry('eve')))
  const { browser: _browser, ...unknown } = ownEntry('ada')
  await assertSucceeds(setDoc(own, unknown))
  await assertSucceeds(setDoc(doc(as('ada'), 'activity/new'), ownEntry('ada', { kind: 'change-password' })))
  await environment.stop()
})

const invitationEntry = (kind: string, by: string, link: string, more: object = {}) => ({
  ...{ kind, ids: [], at: at(), by, link, ...more },
})

/** Makes an invitation together with its entry of the activity. */
const saveInvitation = (
  db: Firestore,
  id: string,
  data: { by: string } & Record<string, unknown>,
  entry: object = {},
) =>
  writeBatch(db)
    .set(doc(db, 'invitations', id), data)
    .set(doc(db, 'activity', `${id}-made`), invitationEntry('invite', data.by, id, entry))
    .commit()

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
    return saveInvitation(as(uid), id, data)
  }
  const revoke = (uid: string, id: string, entry: object = {}) => {
    const db = as(uid)
    const data = invitationEntry('revoke-invitation', `${uid}@x.y`, id, entry)
    return writeBatch(db)
      .delete(doc(db, 'invitations', id))
      .set(doc(db, 'activity', `${id}-revoked`), data)
      .commit()
  }
  const joinWith = (uid: string, fields: object = {}, used = hash) => {
    const db = as(uid)
    const data = { ...newcomer, email: `${uid}@x.y`, invitedBy: 'ada@x.y', anyEmail: true, secret, ...fields }
    return writeBatch(db)
      .set(member(db, uid), data)
      .set(doc(db, 'activity/e'), entryOf('accept-invitation', uid, uid, data.invitedBy))
      .delete(doc(db, 'invitations', used))
      .commit()
  }

  beforeAll(async () => {
    hash = await hashSecret(secret)
    await start(changeRules("return 'open'", "return 'invited'"))()
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
    await assertFails(join(as('eve'), 'eve'))
    await assertSucceeds(joinWith('eve'))
    await environment.clear('activity/e')
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
    const data = { invitedBy: 'ada@x.y', anyEmail: true, secret }
    await assertFails(
      join(as('eve'), 'eve', data, entryOf('accept-invitation', 'eve', 'eve', data.invitedBy)),
    )
    await assertFails(deleteDoc(doc(as('eve'), 'invitations', hash)))
    await assertFails(deleteDoc(doc(environment.signedOut(), 'invitations', hash)))
    await assertFails(joinWith('alan', { email: 'alan@x.y' }))
  })

  test('let a member invite for an email of any letter case, and revoke', async () => {
    await environment.write({ [`invitations/${hash}`]: invitation({ email: 'Eve@X.Y' }) })
    await assertSucceeds(joinWith('eve', { anyEmail: false }))
    await assertSucceeds(invite('grace'))
    for (const wrong of [{ kind: 'invite' }, { by: 'ada@x.y' }, { at: daysAgo(1) }, { link: hash }])
      await assertFails(revoke('grace', newHash, wrong))
    await assertFails(deleteDoc(doc(as('grace'), 'invitations', newHash)))
    await assertSucceeds(revoke('grace', newHash))
    await assertFails(revoke('grace', 'e'.repeat(64)))
  })

  test('reject an invitation without an entry of the activity, or with another, and an entry alone', async () => {
    const data = invitation({ createdAt: at() })
    await assertFails(setDoc(doc(as('ada'), 'invitations', newHash), data))
    for (const wrong of [
      { kind: 'revoke-invitation' },
      { by: 'grace@x.y' },
      { at: daysAgo(1) },
      { record: '' },
    ])
      await assertFails(saveInvitation(as('ada'), newHash, data, wrong))
    const entry = invitationEntry('invite', data.by, newHash)
    await assertFails(setDoc(doc(as('ada'), 'activity', `${newHash}-made`), entry))
    await assertFails(setDoc(doc(as('ada'), 'activity', `${hash}-made`), { ...entry, link: hash }))
    await assertSucceeds(saveInvitation(as('ada'), newHash, data))
  })

  test('reject an invitation, and its revocation, whose entry was there before', async () => {
    const data = invitation({ createdAt: at() })
    await environment.write({
      [`activity/${newHash}-made`]: { ...invitationEntry('invite', data.by, newHash), at: daysAgo(1) },
      [`activity/${hash}-revoked`]: { ...entryOf('reveal', 'ada', '', null), at: daysAgo(1) },
    })
    await assertFails(setDoc(doc(as('ada'), 'invitations', newHash), data))
    await assertFails(deleteDoc(doc(as('grace'), 'invitations', hash)))
  })

  test('let members delete invitations that are void, without an entry', async () => {
    const isVoid = [{ expiresAt: daysAgo(1) }, { byUid: 'alan' }]
    for (const fields of isVoid) {
      await environment.write({ [`invitations/${newHash}`]: invitation(fields) })
      await assertSucceeds(deleteDoc(doc(as('grace'), 'invitations', newHash)))
    }
    await environment.write({
      [`invitations/${newHash}`]: invitation(),
      'members/ada': { ...present('ada'), returnedAt: daysAgo(0.5) },
    })
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
  beforeAll(start(changeRules("return 'open'", "return 'closed'")))
  beforeEach(reset)
  afterAll(async () => {
    await environment.stop()
    await start()()
    await environment.stop()
  })

  test('let no account become a member but those that the console makes', async () => {
    await assertFails(join(as('eve'), 'eve'))
    await environment.write({ 'members/eve': { email: 'eve@x.y', joinedAt: daysAgo(0) } })
    await assertSucceeds(getDoc(doc(as('eve'), bookPath)))
    await assertSucceeds(updateDoc(member(as('eve'), 'eve'), { seenAt: at() }))
  })
})
