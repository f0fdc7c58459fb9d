import type { User } from 'firebase/auth'
import {
  collection,
  type DocumentData,
  doc,
  type Firestore,
  getDocsFromServer,
  limit,
  onSnapshot,
  type Query,
  query,
  serverTimestamp,
  Timestamp,
  type Transaction,
  updateDoc,
} from 'firebase/firestore'
import type { ActivityKind } from '../../../../contract/activity/activity.ts'
import { toLowerAscii } from '../../../../contract/emails/to-lower-ascii.ts'
import { nameBrowser } from '../../../../contract/identity/browser-name.ts'
import { hashText } from '../../../lib/hash-text.ts'
import { hasCode } from '../../ports.ts'
import { createServiceError } from '../../service-error.ts'
import { type Documents, read } from '../firestore.ts'
import { activityOf } from '../recorded-writes.ts'
import type { MemberState } from '../session.ts'
import { createTransactions, type RunTransaction } from '../transactions.ts'

/** A member tells at most once in this time that they were here, in ms: Firebase charges each as a write. */
const visitIntervalMs = 24 * 60 * 60_000

const maxInvitationMs = 8 * 24 * 60 * 60_000
const maxDeletedTogether = 20

export const membersOf = (db: Firestore) => collection(db, 'members')
export const invitationsOf = (db: Firestore) => collection(db, 'invitations')
export const handoversOf = (db: Firestore) => collection(db, 'handovers')
export const sealedOf = (db: Firestore) => collection(db, 'sealed')

/** Writes an entry of the activity, in the transaction of what it logs; the rules require it. Without an `id` it gets one. */
export function log(
  db: Firestore,
  transaction: Transaction,
  entry: { kind: ActivityKind; by: string | null } & DocumentData,
  id?: string,
): string {
  const ref = id === undefined ? doc(activityOf(db)) : doc(activityOf(db), id)
  transaction.set(ref, { ids: [], at: serverTimestamp(), ...entry })
  return ref.id
}

/** Logs what a page tells of the own account, and the rules can't check. */
export function logOwn(
  db: Firestore,
  transaction: Transaction,
  { email }: User,
  kind: 'sign-in' | 'change-password',
) {
  const browser = globalThis.navigator && nameBrowser(navigator.userAgent)
  log(db, transaction, { kind, by: email, ...(browser && { browser }) })
}

/**
 * Makes an account a member at its first sign-in, and with `isSignIn` logs that it has signed in. Resolves to `removed` if a
 * colleague has removed it; rejects with `not-allowed` if the rules exclude it.
 */
export function enter(db: Firestore, user: User, isSignIn = false): Promise<MemberState> {
  const own = doc(membersOf(db), user.uid)
  // The transaction reads: another tab may be faster, and other reads need the listener's connection, which may be lost.
  return createTransactions(db)(async (transaction) => {
    const member = await transaction.get(own)
    const state = member.exists() ? toState(member.data(), user) : 'present'
    if (state !== 'present') return state
    if (!member.exists()) addMember(db, transaction, user, { invitedBy: null })
    // The rules do not know a new member yet: that it has joined says it.
    else if (isSignIn) logOwn(db, transaction, user, 'sign-in')
    return state
  })
}

/** Compares the emails as the rules do. */
function toState({ removedAt, email }: DocumentData, user: User): MemberState {
  if (removedAt) return 'removed'
  return toLowerAscii(String(email).trim()) === toLowerAscii(user.email ?? '') ? 'present' : 'renamed'
}

/** Makes a new account a member, and uses up its invitation. Rejects with `invalid-link` if somebody else was faster. */
export async function join(db: Firestore, user: User, secret: string): Promise<void> {
  const invitation = doc(invitationsOf(db), await hashSecret(secret))
  await createTransactions(db)(async (transaction) => {
    const stored = await transaction.get(invitation)
    if (!stored.exists()) throw createServiceError('invalid-link')
    const { by: invitedBy, email } = stored.data()
    addMember(db, transaction, user, { invitedBy, anyEmail: email === null, secret })
    transaction.delete(invitation)
  }).catch((error) => {
    throw hasCode(error, 'not-allowed') ? createServiceError('invalid-link') : error
  })
}

function addMember(
  db: Firestore,
  transaction: Transaction,
  { uid, email }: User,
  origin: { invitedBy: string | null; anyEmail?: boolean; secret?: string },
): void {
  const kind = origin.invitedBy === null ? 'sign-up' : 'accept-invitation'
  const entry = log(db, transaction, { kind, by: email, account: origin.invitedBy, member: uid })
  transaction.set(doc(membersOf(db), uid), {
    ...{ email, ...origin, entry, removedAt: null, removedBy: null },
    ...{ joinedAt: serverTimestamp(), seenAt: serverTimestamp() },
  })
}

/** Calls `onRemoved` as soon as the member is removed: the listener of the records would notice it at the next change only. */
export function watchMember(db: Firestore, user: User, onRemoved: () => void): () => void {
  const own = doc(membersOf(db), user.uid)
  let hasVisited = false
  return onSnapshot(
    own,
    (member) => {
      if (member.get('removedAt')) return onRemoved()
      if (hasVisited || !member.exists() || member.metadata.fromCache) return
      hasVisited = true
      const seenAt: unknown = member.get('seenAt')
      const lastVisit = seenAt instanceof Timestamp ? seenAt.toMillis() : 0
      if (Date.now() - lastVisit > visitIntervalMs)
        updateDoc(own, { seenAt: serverTimestamp() }).catch(() => {})
    },
    () => {},
  )
}

/** The id of what a link opens: its secret can't be found out from it. */
export const hashSecret = (secret: string): Promise<string> => hashText(secret)

/** Whether whoever has made a link may work, and has not been away since. */
export function hasMakerStayed(link: DocumentData, members: Documents): boolean {
  const maker = members.get(link.byUid)
  // Older invitations have no `createdAt`: this is the earliest possible, as in the rules.
  const madeAt = (link.createdAt ?? link.expiresAt).toMillis() - (link.createdAt ? 0 : maxInvitationMs)
  return maker !== undefined && !maker.removedAt && !(maker.returnedAt?.toMillis() > madeAt)
}

/** Deletes the documents of a query, however many, some at a time: a transaction has a limit. */
export async function deleteAll(found: Query, runTransaction: RunTransaction): Promise<void> {
  while ((await deleteSome(found, runTransaction)) === maxDeletedTogether);
}

/** Deletes the first documents of a query. Resolves to their number. */
export async function deleteSome(found: Query, runTransaction: RunTransaction): Promise<number> {
  const { docs } = await read(found.firestore, () =>
    getDocsFromServer(query(found, limit(maxDeletedTogether))),
  )
  if (docs.length === 0) return 0
  await runTransaction((transaction) => {
    for (const { ref } of docs) transaction.delete(ref)
  })
  return docs.length
}

/** The ids of the entries about a link, which the rules require: of an invitation the first two. */
export const entryIds = (hash: string) => ({
  made: `${hash}-made`,
  revoked: `${hash}-revoked`,
  opened: `${hash}-opened`,
  expired: `${hash}-expired`,
})

/** Deletes what a link shows, as the rules allow it: with this change of the link. */
export function wipe(db: Firestore, transaction: Transaction, id: string, change: object = {}): void {
  transaction.update(doc(handoversOf(db), id), { ...change, wipeAt: null }).delete(doc(sealedOf(db), id))
}
