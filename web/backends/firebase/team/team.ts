import type { Auth } from 'firebase/auth'
import {
  type DocumentData,
  doc,
  type Firestore,
  getDocFromServer,
  getDocsFromServer,
  query,
  serverTimestamp,
  where,
} from 'firebase/firestore'
import { type Colleague, isAccountEmail, letInDays } from '../../../../contract/accounts.ts'
import { trimSpace } from '../../../../contract/employees.ts'
import { linkTtlMs } from '../../../../contract/links.ts'
import { t } from '../../../language/translate.ts'
import { createSecret } from '../../create-secret.ts'
import { ServiceError, type TeamService } from '../../ports.ts'
import { createServiceError } from '../../service-error.ts'
import { read, toIso } from '../firestore.ts'
import { reauthenticate } from '../identity.ts'
import type { Session } from '../session.ts'
import { createTransactions } from '../transactions.ts'
import type { Guests } from './guests.ts'
import { createHandovers } from './handovers.ts'
import { hashSecret, invitationsOf, membersOf } from './members.ts'

const dayMs = 24 * 60 * 60_000

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
      const { docs } = await read(getDocsFromServer(members))
      const order = ({ removedAt = '', createdAt }: Colleague) => `${removedAt} ${createdAt}`
      return docs
        .map((member) => toColleague(member.id, member.data()))
        .sort((a, b) => order(a).localeCompare(order(b)))
    },

    async removeColleague(id, password) {
      const uid = await session.requireUid()
      if (id === uid) throw createServiceError('not-found')
      if (auth.currentUser) await reauthenticate(auth.currentUser, password)
      const { docs } = await read(getDocsFromServer(query(invitations, where('byUid', '==', id))))
      await runTransaction(async (transaction) => {
        // Read, so that two who remove each other at the same moment do not both succeed.
        await transaction.get(doc(members, uid))
        const colleague = await transaction.get(doc(members, id))
        if (!colleague.exists() || colleague.get('removedAt')) throw createServiceError('not-found')
        transaction.update(colleague.ref, { removedAt: serverTimestamp(), removedBy: session.email() })
        for (const { ref } of docs) transaction.delete(ref)
      })
    },

    async letIn(id) {
      await session.requireUid()
      await runTransaction(async (transaction) => {
        const colleague = await transaction.get(doc(members, id))
        if (!colleague.exists() || !toColleague(id, colleague.data()).canReturn)
          throw createServiceError('not-found')
        transaction.update(colleague.ref, {
          removedAt: null,
          removedBy: null,
          returnedAt: serverTimestamp(),
        })
      })
    },

    createPasswordReset: () => Promise.reject(new ServiceError('not-allowed', noResetLinks())),
    checkPasswordReset: refuseLink,
    resetPassword: refuseLink,
  }
}

function createInvitations(db: Firestore, session: Session) {
  const invitations = invitationsOf(db)
  const runTransaction = createTransactions(db)

  async function readInvitation(token: string): Promise<DocumentData> {
    const invitation = await read(getDocFromServer(doc(invitations, await hashSecret(token))))
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
      const data = { email: email ? trimSpace(email) : null, by: session.email(), byUid, expiresAt }
      await runTransaction((transaction) => transaction.set(doc(invitations, id), data))
      return { id, token, expiresAt: expiresAt.toISOString(), ...about(data) }
    },

    async listInvitations() {
      await session.requireUid()
      const { docs } = await read(getDocsFromServer(invitations))
      return docs
        .filter((invitation) => isOpen(invitation.data()))
        .map((invitation) => ({
          id: invitation.id,
          expiresAt: toIso(invitation.get('expiresAt')) ?? '',
          ...about(invitation.data()),
        }))
        .sort((a, b) => a.expiresAt.localeCompare(b.expiresAt))
    },

    async revokeInvitation(id: string) {
      await session.requireUid()
      await runTransaction((transaction) => void transaction.delete(doc(invitations, id)))
    },
  } satisfies Partial<TeamService>
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
