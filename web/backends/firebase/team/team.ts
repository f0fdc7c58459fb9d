import type { Auth } from 'firebase/auth'
import {
  type DocumentData,
  type DocumentReference,
  doc,
  type Firestore,
  getDocFromServer,
  getDocsFromServer,
  limit,
  orderBy,
  query,
  serverTimestamp,
  type Transaction,
  where,
} from 'firebase/firestore'
import { type Colleague, isAccountEmail, letInDays } from '../../../../contract/accounts.ts'
import { cleanEmail } from '../../../../contract/employees.ts'
import { linkTtlMs } from '../../../../contract/links.ts'
import { t } from '../../../language/translate.ts'
import { createSecret } from '../../create-secret.ts'
import { loadLookAlikes } from '../../load-look-alikes.ts'
import { hasCode, ServiceError, type TeamService } from '../../ports.ts'
import { createServiceError } from '../../service-error.ts'
import { read, readAll, toIso } from '../firestore.ts'
import { reauthenticate } from '../identity.ts'
import type { Session } from '../session.ts'
import { createTransactions } from '../transactions.ts'
import type { Guests } from './guests.ts'
import { createHandovers } from './handovers.ts'
import {
  deleteAll,
  deleteSome,
  entryIds,
  hashSecret,
  hasMakerStayed,
  invitationsOf,
  log,
  membersOf,
} from './members.ts'

const dayMs = 24 * 60 * 60_000
const maxListed = 1_000

const noResetLinks = () =>
  t('Here everyone resets their own password: “Forgot your password?” on the sign-in screen sends an email.')

/** Members and invitations are documents, and the rules (firestore.rules) decide who may write which. */
export function createTeamService(db: Firestore, auth: Auth, session: Session, guests: Guests): TeamService {
  const members = membersOf(db)
  const invitations = invitationsOf(db)
  const runTransaction = createTransactions(db)

  return {
    ...createInvitations(db, session),
    ...createHandovers(db, session, guests),
    takeHandover: guests.takeHandover,

    async listColleagues() {
      await session.requireUid()
      const { docs } = await read(db, () => getDocsFromServer(members))
      const order = ({ removedAt = '', createdAt }: Colleague) => `${removedAt} ${createdAt}`
      const colleagues = docs.map((member) => toColleague(member.id, member.data()))
      const { markLookAlikes } = await loadLookAlikes()
      return markLookAlikes(colleagues).sort((a, b) => order(a).localeCompare(order(b)))
    },

    async removeColleague(id, password) {
      const uid = await session.requireUid()
      if (id === uid) throw createServiceError('not-found')
      if (auth.currentUser) await reauthenticate(auth.currentUser, password)
      const colleague = doc(members, id)
      const about = await aboutMember(colleague, session)
      await runTransaction(async (transaction) => {
        // Read, so that two who remove each other at the same moment do not both succeed. The colleague can write to the other one.
        await transaction.get(doc(members, uid))
        const entry = log(db, transaction, { kind: 'remove-account', ...about })
        transaction.update(colleague, { removedAt: serverTimestamp(), removedBy: session.email(), entry })
      }).catch(throwNotFoundUnless(colleague, (member) => !member.removedAt))
      // In the background: they are void.
      void deleteAll(query(invitations, where('byUid', '==', id)), runTransaction).catch(() => {})
    },

    async letIn(id) {
      await session.requireUid()
      const colleague = doc(members, id)
      const about = await aboutMember(colleague, session)
      const back = { removedAt: null, removedBy: null, returnedAt: serverTimestamp() }
      await runTransaction((transaction) => {
        const entry = log(db, transaction, { kind: 'let-in-account', ...about })
        transaction.update(colleague, { ...back, entry })
      }).catch(throwNotFoundUnless(colleague, (member) => toColleague(id, member).canReturn))
    },

    createPasswordReset: () => Promise.reject(new ServiceError('not-allowed', noResetLinks())),
    checkPasswordReset: refuseLink,
    resetPassword: refuseLink,
  }
}

/** What the activity says of an act on a member. Rejects with `not-found` if there is none. */
async function aboutMember(ref: DocumentReference, session: Session) {
  const member = await read(ref.firestore, () => getDocFromServer(ref))
  if (!member.exists()) throw createServiceError('not-found')
  return { by: session.email(), member: ref.id, account: member.get('email') }
}

/**
 * The rules check what a write needs: a transaction that reads it too fails whenever somebody writes to it. So whether they have
 * refused because of the document is found out later.
 */
const throwNotFoundUnless =
  (ref: DocumentReference, isPossible: (data: DocumentData) => unknown) => async (error: unknown) => {
    if (!hasCode(error, 'not-allowed') && !hasCode(error, 'not-found')) throw error
    const found = await read(ref.firestore, () => getDocFromServer(ref))
    throw found.exists() && isPossible(found.data()) ? error : createServiceError('not-found')
  }

function createInvitations(db: Firestore, session: Session) {
  const invitations = invitationsOf(db)
  const runTransaction = createTransactions(db)

  async function readInvitation(token: string): Promise<DocumentData> {
    const hash = await hashSecret(token)
    const invitation = await read(db, () => getDocFromServer(doc(invitations, hash)))
    if (!invitation.exists() || !isOpen(invitation.data())) throw createServiceError('invalid-link')
    return invitation.data()
  }

  return {
    async checkInvitation(token: string) {
      const { email } = await readInvitation(token)
      return email === null ? {} : { email }
    },

    async createInvitation(email?: string) {
      const byUid = await session.requireUid()
      if (email !== undefined && !isAccountEmail(email))
        throw createServiceError('invalid-email', { field: 'email' })
      const token = createSecret()
      const id = await hashSecret(token)
      const expiresAt = new Date(Date.now() + linkTtlMs.invitation)
      const data = { email: email ? cleanEmail(email) : null, by: session.email(), byUid, expiresAt }
      const stored = { ...data, createdAt: serverTimestamp() }
      await runTransaction((transaction) => {
        transaction.set(doc(invitations, id), stored)
        log(db, transaction, { kind: 'invite', by: session.email(), link: id }, entryIds(id).made)
      })
      return { id, token, expiresAt: expiresAt.toISOString(), ...about(data) }
    },

    async listInvitations() {
      await session.requireUid()
      const now = new Date()
      // In the background, some at each visit: they are void.
      void deleteSome(query(invitations, where('expiresAt', '<', now)), runTransaction).catch(() => {})
      const open = query(invitations, where('expiresAt', '>', now), orderBy('expiresAt'), limit(maxListed))
      const found = await readAll(open)
      if (found.size === 0) return []
      const members = await readAll(membersOf(db))
      return [...found]
        .filter(([, invitation]) => hasMakerStayed(invitation, members))
        .map(([id, invitation]) => ({
          id,
          expiresAt: toIso(invitation.expiresAt) ?? '',
          ...about(invitation),
        }))
    },

    async revokeInvitation(id: string) {
      await session.requireUid()
      const by = session.email()
      await runTransaction((transaction) => revokeInvitation(db, transaction, id, by))
    },
  } satisfies Partial<TeamService>
}

async function revokeInvitation(db: Firestore, transaction: Transaction, id: string, by: string | null) {
  const invitation = doc(invitationsOf(db), id)
  if (!(await transaction.get(invitation)).exists()) return
  transaction.delete(invitation)
  log(db, transaction, { kind: 'revoke-invitation', by, link: id }, entryIds(id).revoked)
}

const refuseLink = () => Promise.reject(createServiceError('invalid-link'))

const isOpen = ({ expiresAt }: DocumentData) => Date.parse(toIso(expiresAt) ?? '') > Date.now()

const about = ({ email, by }: DocumentData) => ({ ...(email && { email }), ...(by && { invitedBy: by }) })

/** A member that was made or removed in Firebase's console may lack fields. */
function toColleague(id: string, data: DocumentData): Colleague {
  const removedAt = toIso(data.removedAt)
  const lastSeenAt = toIso(data.seenAt)
  const canReturn = data.removedBy && Date.parse(removedAt ?? '') > Date.now() - letInDays * dayMs
  return {
    id,
    email: String(data.email),
    createdAt: toIso(data.joinedAt) ?? new Date(0).toISOString(),
    ...(lastSeenAt && { lastSeenAt }),
    ...(removedAt && { removedAt }),
    ...(removedAt && data.removedBy && { removedBy: String(data.removedBy) }),
    ...(canReturn && { canReturn }),
    ...(data.invitedBy && { invitation: { anyEmail: data.anyEmail === true, by: String(data.invitedBy) } }),
  }
}
