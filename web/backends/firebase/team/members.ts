import type { User } from 'firebase/auth'
import {
  collection,
  doc,
  type Firestore,
  onSnapshot,
  serverTimestamp,
  Timestamp,
  type Transaction,
  updateDoc,
} from 'firebase/firestore'
import { hasCode } from '../../ports.ts'
import { createServiceError } from '../../service-error.ts'
import type { MemberState } from '../session.ts'
import { createTransactions } from '../transactions.ts'

/** A member tells at most once in this time that they were here, in ms: Firebase charges each as a write. */
const visitIntervalMs = 24 * 60 * 60_000

export const membersOf = (db: Firestore) => collection(db, 'members')
export const invitationsOf = (db: Firestore) => collection(db, 'invitations')
export const handoversOf = (db: Firestore) => collection(db, 'handovers')
export const sealedOf = (db: Firestore) => collection(db, 'sealed')

/**
 * Makes an account a member at its first sign-in. Resolves to `removed` if a colleague has removed it; rejects with `not-allowed`
 * if the rules exclude it.
 */
export function enter(db: Firestore, user: User): Promise<MemberState> {
  const own = doc(membersOf(db), user.uid)
  // The transaction reads: another tab may be faster, and other reads need the listener's connection, which may be lost.
  return createTransactions(db)(async (transaction) => {
    const member = await transaction.get(own)
    if (member.exists()) return member.get('removedAt') ? 'removed' : 'present'
    transaction.set(own, newMember(user, { invitedBy: null }))
    return 'present'
  })
}

/** Makes a new account a member, and uses up its invitation. Rejects with `invalid-link` if somebody else was faster. */
export async function join(db: Firestore, user: User, secret: string): Promise<void> {
  const invitation = doc(invitationsOf(db), await hashSecret(secret))
  await createTransactions(db)(async (transaction) => {
    const stored = await transaction.get(invitation)
    if (!stored.exists()) throw createServiceError('invalid-link')
    const { by: invitedBy, email } = stored.data()
    const member = newMember(user, { invitedBy, anyEmail: email === null, secret })
    transaction.set(doc(membersOf(db), user.uid), member).delete(invitation)
  }).catch((error) => {
    throw hasCode(error, 'not-allowed') ? createServiceError('invalid-link') : error
  })
}

const newMember = (
  { email }: User,
  origin: { invitedBy: string | null; anyEmail?: boolean; secret?: string },
) => ({
  email,
  ...origin,
  removedAt: null,
  removedBy: null,
  joinedAt: serverTimestamp(),
  seenAt: serverTimestamp(),
})

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
export async function hashSecret(secret: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Deletes what a link shows, as the rules allow it: with this change of the link. */
export function wipe(db: Firestore, transaction: Transaction, id: string, change: object = {}): void {
  transaction.update(doc(handoversOf(db), id), { ...change, wipeAt: null }).delete(doc(sealedOf(db), id))
}
