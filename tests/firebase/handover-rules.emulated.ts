import { assertFails, assertSucceeds } from '@firebase/rules-unit-testing'
import {
  collection,
  deleteDoc,
  doc,
  type Firestore,
  serverTimestamp,
  setDoc,
  updateDoc,
  writeBatch,
} from 'firebase/firestore'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxSealedLength } from '../../contract/handovers.ts'
import { hashSecret } from '../../web/backends/firebase/team/members.ts'
import { daysAgo, getDoc, getDocs, startRules, type TestRules, tokenOf } from '../support/firebase/rules.ts'
import { ada } from '../support/people.ts'

const at = serverTimestamp
const id = 'a'.repeat(20)
const secret = 'the token of a link'
const madeAt = daysAgo(1)
const expiresAt = daysAgo(-6)
const present = (name: string) => ({ email: `${name}@x.y`, removedAt: null, removedBy: null })

/** As the page of a member makes it. */
const newLink = {
  ...{ record: id, sheet: null, by: 'ada@x.y', byUid: 'ada', createdAt: at(), expiresAt, wipeAt: expiresAt },
  ...{ takenBy: null, openedAt: null, secret: null, revokedAt: null, revokedBy: null },
}
const newHash = 'f'.repeat(64)
const newSealed = { text: 'sealed', by: 'ada@x.y' }
const madeLink = { ...newLink, createdAt: madeAt }

let environment: TestRules
let hash: string
const member = (uid = 'ada') => environment.signedIn(uid)
const guest = (uid = 'guest') =>
  environment.signedIn(uid, tokenOf('', { firebase: { sign_in_provider: 'anonymous' } }))
const link = (db: Firestore, name = hash) => doc(db, 'handovers', name)
const sealed = (db: Firestore, name = hash) => doc(db, 'sealed', name)
const everyoneElse = () => [environment.signedOut(), member('alan'), member('eve'), guest()]

/** An entry of the activity about a link, of which the id is made of its hash and what happened. */
const log = (db: Firestore, name: string, what: string) => doc(db, 'activity', `${name}-${what}`)
const about = (kind: string, name: string, more: object = {}) => ({
  ...{ kind, ids: [], at: at(), by: null, link: name, ...more },
})
const entryOf = (kind: string, name: string, by: string, more: object = {}) =>
  about(kind, name, { by, record: id, account: null, ...more })

function make(
  db: Firestore,
  fields: Partial<typeof newLink> | object = {},
  text: object = {},
  name = newHash,
  entry: object = {},
) {
  const data = { ...newLink, ...fields }
  return writeBatch(db)
    .set(link(db, name), data)
    .set(sealed(db, name), { ...newSealed, ...text })
    .set(log(db, name, 'made'), entryOf('hand-over', name, data.by, { record: data.record, ...entry }))
    .commit()
}
const claim = (db: Firestore, fields: object = {}, name = hash, entry: object = {}) =>
  writeBatch(db)
    .update(link(db, name), { takenBy: 'guest', openedAt: at(), secret, ...fields })
    .set(log(db, name, 'opened'), about('open-hand-over', name, entry))
    .commit()

/** `entry` by the end of its id. */
function wipe(db: Firestore, fields: object = {}, entry?: { what: string; data: object }) {
  const batch = writeBatch(db)
    .update(link(db), { wipeAt: null, ...fields })
    .delete(sealed(db))
  return (entry ? batch.set(log(db, hash, entry.what), entry.data) : batch).commit()
}
const revoke = (db: Firestore, fields: object = revocation, by = 'ada@x.y', more: object = {}) =>
  wipe(db, fields, { what: 'revoked', data: entryOf('revoke-hand-over', hash, by, more) })
const expire = (db: Firestore, more: object = {}) =>
  wipe(
    db,
    {},
    { what: 'expired', data: about('expire-hand-over', hash, { record: id, account: 'ada@x.y', ...more }) },
  )
const revocation = { revokedAt: at(), revokedBy: 'ada@x.y' }
const change = (fields: object) => environment.write({ [`handovers/${hash}`]: { ...madeLink, ...fields } })
const taken = { takenBy: 'guest', openedAt: madeAt, secret }

beforeAll(async () => {
  hash = await hashSecret(secret)
  environment = await startRules()
})
beforeEach(() =>
  environment.reset({
    [`books/${id}`]: ada,
    [`handovers/${hash}`]: madeLink,
    [`sealed/${hash}`]: newSealed,
    'members/ada': present('ada'),
    'members/grace': present('grace'),
    [`books/${id}/previous/x`]: {},
    'books/1': ada,
    'members/alan': { ...present('alan'), removedAt: daysAgo(2), removedBy: 'ada@x.y' },
  }),
)
afterAll(() => environment.stop())

describe('the rules of hand-overs', () => {
  test('reject a link, its opening and its revocation whose entry was there before', async () => {
    const before = { kind: 'copy', ids: [id], by: 'ada@x.y', at: daysAgo(1) }
    for (const name of [`${newHash}-made`, `${hash}-opened`, `${hash}-revoked`, `${hash}-expired`])
      await environment.write({ [`activity/${name}`]: before })
    const db = member()
    const made = writeBatch(db).set(link(db, newHash), newLink).set(sealed(db, newHash), newSealed)
    await assertFails(made.commit())
    const opened = { takenBy: 'guest', openedAt: at(), secret }
    await assertFails(updateDoc(link(guest()), opened))
    await assertFails(wipe(member(), revocation))
    await change({ expiresAt: daysAgo(0.5), wipeAt: daysAgo(0.5) })
    await assertFails(wipe(member()))
  })

  test('let a member make a link with its text, which members list and nobody reads', async () => {
    await assertSucceeds(make(member()))
    await assertSucceeds(getDocs(collection(member('grace'), 'handovers')))
    for (const db of [member(), member('grace'), ...everyoneElse()]) {
      await assertFails(getDoc(sealed(db)))
      await assertFails(getDocs(collection(db, 'sealed')))
    }
    for (const db of everyoneElse()) {
      await assertFails(getDoc(link(db)))
      await assertFails(getDocs(collection(db, 'handovers')))
    }
  })

  test('reject a link made by a stranger, a removed member, an anonymous account or a visitor', async () => {
    const names = ['alan', 'eve', 'guest']
    for (const byUid of names) await assertFails(make(member(byUid), { by: `${byUid}@x.y`, byUid }))
    await assertFails(make(guest(), { by: '', byUid: 'guest' }))
    await assertFails(make(environment.signedOut()))
  })

  test.each<[string, object, object?]>([
    ['another maker', { by: 'grace@x.y' }],
    ['the account of another maker', { byUid: 'grace' }],
    ['another time', { createdAt: madeAt }],
    ['an end in the past', { expiresAt: madeAt, wipeAt: madeAt }],
    ['a late end', { expiresAt: daysAgo(-9), wipeAt: daysAgo(-9) }],
    ['another time to wipe it', { wipeAt: daysAgo(-5) }],
    ['no time to wipe it', { wipeAt: null }],
    ['a record that does not exist', { record: 'b'.repeat(20) }],
    ['a path as record', { record: `${id}/previous/x` }],
    ['a number as record', { record: 1 }],
    ['a number as sheet', { sheet: 1 }],
    ['a long sheet', { sheet: 'x'.repeat(101) }],
    ['a claim', { takenBy: 'guest' }],
    ['a time of opening', { openedAt: at() }],
    ['a secret', { secret }],
    ['a revocation', { revokedAt: at() }],
    ['who has revoked it', { revokedBy: 'ada@x.y' }],
    ['another field', { more: 1 }],
    ['another maker of the text', {}, { by: 'grace@x.y' }],
    ['a text that is no base64url', {}, { text: 'not this!' }],
    ['an empty text', {}, { text: '' }],
    ['a text that is too long', {}, { text: 'x'.repeat(maxSealedLength + 1) }],
    ['another field of the text', {}, { more: 1 }],
  ])('reject a new link with %s', (_, fields, text) => assertFails(make(member(), fields, text)))

  test.each(['new', 'F'.repeat(64), 'f'.repeat(1000)])('reject a new link with the id %s', (name) =>
    assertFails(make(member(), {}, {}, name)),
  )

  test('reject opening a link with a long secret', async () => {
    const long = 'x'.repeat(101)
    const name = await hashSecret(long)
    await environment.write({ [`handovers/${name}`]: madeLink })
    await assertFails(claim(guest(), { secret: long }, name))
  })

  test('allow the longest text', () =>
    assertSucceeds(make(member(), {}, { text: 'x'.repeat(maxSealedLength) })))

  test('reject a text without its link, of another link, and one that replaces another', async () => {
    const db = member()
    await assertFails(setDoc(sealed(db, newHash), newSealed))
    await assertFails(setDoc(sealed(db), { ...newSealed, text: 'other' }))
    await assertFails(updateDoc(sealed(db), { text: 'other' }))
    await assertFails(make(db, {}, {}, hash))
    await assertFails(make(member('grace'), { by: 'grace@x.y', byUid: 'grace' }))
    const batch = writeBatch(db)
      .set(link(db, newHash), newLink)
      .set(log(db, newHash, 'made'), entryOf('hand-over', newHash, 'ada@x.y'))
    await assertFails(batch.set(sealed(db, 'another'), newSealed).commit())
  })

  test('let one anonymous account claim a link, which alone reads its text, and then nothing else', async () => {
    const uids = Array.from({ length: 20 }, (_, i) => `guest-${i}`)
    const claims = await Promise.allSettled(uids.map((uid) => claim(guest(uid), { takenBy: uid })))
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const reads = await Promise.allSettled(uids.map((uid) => getDoc(sealed(guest(uid)))))
    const texts = reads.flatMap((each) => (each.status === 'fulfilled' ? [each.value.data()] : []))
    expect(texts).toEqual([newSealed])
    const winner = guest(uids[claims.findIndex(({ status }) => status === 'fulfilled')])
    for (const name of [
      'books',
      'details',
      'deleted',
      'activity',
      'members',
      'invitations',
      'handovers',
      'sealed',
    ])
      await assertFails(getDocs(collection(winner, name)))
    for (const path of [`books/${id}`, `handovers/${hash}`, 'members/ada', 'sealed/other'])
      await assertFails(getDoc(doc(winner, path)))
    for (const db of [member(), member('grace'), member('alan'), environment.signedOut()])
      await assertFails(getDoc(sealed(db)))
  })

  test.each<[string, object]>([
    ['for somebody else', { takenBy: 'another' }],
    ['for nobody', { takenBy: null }],
    ['at another time', { openedAt: madeAt }],
    ['with another secret', { secret: 'a guess' }],
    ['without the secret', { secret: null }],
    ['that prolongs the link', { expiresAt: daysAgo(-7) }],
    ['that changes who has made it', { by: 'grace@x.y' }],
    ['that keeps the text', { wipeAt: daysAgo(-7) }],
    ['that adds a field', { more: 1 }],
  ])('reject a claim %s', (_, fields) => assertFails(claim(guest(), fields)))

  test('reject a claim by a member, a removed one, a stranger or a visitor', async () => {
    for (const uid of ['ada', 'grace', 'alan', 'eve']) await assertFails(claim(member(uid), { takenBy: uid }))
    await assertFails(claim(environment.signedOut()))
    await assertFails(claim(guest(), {}, 'unknown'))
  })

  test.each<[string, () => Promise<void>]>([
    ['that was claimed', () => change({ takenBy: 'another' })],
    ['that the same account has claimed', () => change(taken)],
    ['that was revoked', () => change({ revokedAt: madeAt })],
    ['that has expired', () => change({ expiresAt: daysAgo(0) })],
    ['of a removed member', () => change({ byUid: 'alan' })],
    ['of somebody who is no member', () => change({ byUid: 'eve' })],
    [
      'of somebody who was let in since',
      () => environment.write({ 'members/ada': { ...present('ada'), returnedAt: daysAgo(0) } }),
    ],
    [
      'to a password that was changed since',
      () => environment.write({ [`details/${id}`]: { passwordChangedAt: daysAgo(0) } }),
    ],
    [
      'to a record that was deleted since, and restored',
      () =>
        environment.write({ [`details/${id}`]: { passwordChangedAt: daysAgo(3), deletedAt: daysAgo(0) } }),
    ],
    ['to a record that does not exist', () => change({ record: 'b'.repeat(20) })],
  ])('reject a claim of a link %s', async (_, before) => {
    await before()
    await assertFails(claim(guest()))
  })

  test('allow a claim where all that happened was before', async () => {
    await environment.write({
      [`details/${id}`]: { passwordChangedAt: daysAgo(2), deletedAt: daysAgo(3), changedAt: daysAgo(0) },
      'members/ada': { ...present('ada'), returnedAt: daysAgo(2) },
    })
    await assertSucceeds(claim(guest()))
  })

  test('let who has claimed a link wipe its text, together with its time, and nobody else', async () => {
    await assertFails(wipe(guest()))
    await assertFails(deleteDoc(sealed(guest())))
    await change(taken)
    for (const db of [guest('another'), member(), member('alan'), environment.signedOut()]) {
      await assertFails(wipe(db))
      await assertFails(deleteDoc(sealed(db)))
    }
    await assertFails(deleteDoc(sealed(guest())))
    await assertFails(updateDoc(link(guest()), { wipeAt: null }))
    await assertFails(wipe(guest(), { openedAt: at() }))
    await assertFails(wipe(guest(), revocation))
    await assertSucceeds(wipe(guest()))
    await assertFails(make(member(), {}, {}, hash))
    await assertFails(setDoc(sealed(member()), newSealed))
  })

  test('let a member revoke a link that nobody has opened, with its text, in the own name and now', async () => {
    const wrong = [
      { revokedBy: 'grace@x.y' },
      { revokedAt: madeAt },
      { takenBy: 'ada' },
      { wipeAt: expiresAt },
    ]
    for (const db of everyoneElse()) await assertFails(revoke(db))
    for (const uid of ['alan', 'eve'])
      await assertFails(revoke(member(uid), { ...revocation, revokedBy: `${uid}@x.y` }, `${uid}@x.y`))
    await assertFails(revoke(guest(), { ...revocation, revokedBy: '' }, ''))
    for (const fields of wrong) await assertFails(revoke(member(), { ...revocation, ...fields }))
    await assertFails(updateDoc(link(member()), { ...revocation, wipeAt: null }))
    await assertFails(updateDoc(link(member()), revocation))
    await assertFails(wipe(member(), revocation))
    for (const more of [
      { by: 'grace@x.y' },
      { at: madeAt },
      { kind: 'hand-over' },
      { record: 'x' },
      { link: newHash },
    ])
      await assertFails(revoke(member(), revocation, 'ada@x.y', more))
    const by = 'grace@x.y'
    await assertSucceeds(revoke(member('grace'), { ...revocation, revokedBy: by }, by))
    await environment.clear(`activity/${hash}-revoked`)
    await assertFails(revoke(member()))
    await change(taken)
    await assertFails(revoke(member()))
  })

  test('reject a link, and its opening, without an entry of the activity or with another, and an entry alone', async () => {
    const db = member()
    await assertFails(
      writeBatch(db).set(link(db, newHash), newLink).set(sealed(db, newHash), newSealed).commit(),
    )
    const wrong = [
      { by: 'grace@x.y' },
      { at: madeAt },
      { kind: 'reveal' },
      { record: 'x' },
      { link: hash },
      { ids: [id] },
    ]
    for (const entry of wrong) await assertFails(make(member(), {}, {}, newHash, entry))
    await assertFails(setDoc(log(member(), newHash, 'made'), entryOf('hand-over', newHash, 'ada@x.y')))
    await assertFails(setDoc(log(member(), hash, 'made'), entryOf('hand-over', hash, 'ada@x.y')))
    await assertFails(setDoc(log(guest(), hash, 'opened'), about('open-hand-over', hash)))
    await assertFails(updateDoc(link(guest()), { takenBy: 'guest', openedAt: at(), secret }))
    for (const entry of [
      { by: 'ada@x.y' },
      { at: madeAt },
      { kind: 'hand-over' },
      { record: id },
      { link: newHash },
    ])
      await assertFails(claim(guest(), {}, hash, entry))
    await assertSucceeds(claim(guest()))
    await assertFails(setDoc(log(guest(), hash, 'opened-again'), about('open-hand-over', hash)))
  })

  test('let a member wipe the text of an expired link, also of one that was opened; of others, an entry tells', async () => {
    for (const [opened, end] of [
      [{}, expire],
      [taken, wipe],
    ] as const) {
      await environment.write({ [`sealed/${hash}`]: newSealed })
      await change({ ...opened, expiresAt: daysAgo(-1) })
      await assertFails(end(member()))
      await change({ ...opened, expiresAt: daysAgo(0) })
      for (const db of [environment.signedOut(), member('alan'), guest('another')]) await assertFails(end(db))
      await assertFails((end === wipe ? expire : wipe)(member()))
      await assertSucceeds(end(member('grace')))
    }
  })

  test.each([
    { by: 'ada@x.y' },
    { at: madeAt },
    { account: 'grace@x.y' },
    { record: 'x' },
    { link: newHash },
    { kind: 'open-hand-over' },
  ])('reject an expired link with an entry of the activity with %o', async (more) => {
    await change({ expiresAt: daysAgo(0) })
    await assertFails(expire(member(), more))
    await assertSucceeds(expire(member()))
  })

  test('let nobody delete a link, or change it otherwise', async () => {
    for (const db of [member(), member('grace'), ...everyoneElse()]) {
      await assertFails(deleteDoc(link(db)))
      for (const fields of [{ expiresAt: daysAgo(-7) }, { record: 'other' }, { by: 'x' }, { openedAt: at() }])
        await assertFails(updateDoc(link(db), fields))
    }
  })

  test('allow as many links in one transaction as the page makes, and revokes', async () => {
    const db = member()
    const records = Array.from({ length: 6 }, (_, i) => `${i}`.repeat(20))
    await environment.write(Object.fromEntries(records.map((record) => [`books/${record}`, ada])))
    const [made, revoked] = [writeBatch(db), writeBatch(db)]
    for (const [i, record] of records.entries()) {
      const name = `${i}`.repeat(64)
      made
        .set(link(db, name), { ...newLink, record })
        .set(sealed(db, name), newSealed)
        .set(log(db, name, 'made'), entryOf('hand-over', name, 'ada@x.y', { record }))
      revoked
        .update(link(db, name), { ...revocation, wipeAt: null })
        .delete(sealed(db, name))
        .set(log(db, name, 'revoked'), entryOf('revoke-hand-over', name, 'ada@x.y', { record }))
    }
    await assertSucceeds(made.commit())
    await assertSucceeds(revoked.commit())
  })
})
