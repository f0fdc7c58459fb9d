import {
  type InvitationInfo,
  isAccountEmail,
  type NewResetLink,
  toEmailKey,
  toTimestamp,
} from '../../../contract/accounts.ts'
import { AppError } from '../../app-error.ts'
import { present } from '../../http/json-body.ts'
import {
  type Account,
  type AccountStorage,
  type LinkStorage,
  type ListedInvitation,
  toPublicId,
} from '../../storage/storage.ts'
import { createToken, hashToken } from '../sessions.ts'
import { createHandovers } from './handovers.ts'

const hourMs = 60 * 60 * 1000

/** The same for a token that is unknown, expired or used. */
export const invalidResetError = new AppError('invalid-link', { field: 'token' })

export const noAccountError = new AppError('not-found', { message: 'There is no such account any more.' })

export const linkLimits = { invitationTtlMs: 7 * 24 * hourMs, resetTtlMs: hourMs }

export type Links = ReturnType<typeof createLinks>

/** The links of one kind that nobody has used. */
export interface OpenLinks {
  list(): Promise<object[]>
  /** `by` is the account that revokes it. False if there is none with this public id. */
  revoke(id: string, by: string): Promise<boolean>
}

interface LinksOptions {
  storage: LinkStorage
  accounts: Pick<AccountStorage, 'findByEmailKey'>
  /** Milliseconds since 1970. */
  now?: () => number
}

/** One-time links: invitations, hand-overs, and links that set a new password. Their tokens are stored nowhere. */
export function createLinks({ storage, accounts, now = Date.now }: LinksOptions) {
  const issue = (ttlMs: number) => ({ ...createToken(), expiresAt: now() + ttlMs })

  return {
    /**
     * Creates an invitation of this account, or of the operator. `email` is the only one that may use it. Throws
     * `invalid-email`, `account-exists` or `too-many-invitations`.
     */
    async invite(uid: string | null, email?: string): Promise<InvitationInfo & { token: string }> {
      const boundEmail = email?.trim() ?? null
      if (boundEmail !== null) {
        if (!isAccountEmail(boundEmail)) throw new AppError('invalid-email', { field: 'email' })
        if (await accounts.findByEmailKey(toEmailKey(boundEmail)))
          throw new AppError('account-exists', { field: 'email' })
      }
      const { token, hash, expiresAt } = issue(linkLimits.invitationTtlMs)
      const invitation = { hash, uid, email: boundEmail, expiresAt }
      if (!(await storage.addInvitation(invitation, now()))) throw new AppError('too-many-invitations')
      return { ...toInfo({ ...invitation, invitedBy: null }), token }
    },

    /** Throws `invalid-link` if the invitation does not exist, was used, was revoked, or has expired. */
    async findInvitation(token: string) {
      const invitation = await storage.findInvitation(hashToken(token), now())
      if (!invitation) throw new AppError('invalid-link', { field: 'invitation' })
      return invitation
    },

    /** Adds the account and uses up the invitation. Throws `invalid-link` or `account-exists`. */
    async accept(token: string, account: Account): Promise<void> {
      const outcome = await storage.acceptInvitation(hashToken(token), account, now())
      if (outcome === 'invalid-link') throw new AppError(outcome, { field: 'invitation' })
      if (outcome === 'account-exists') throw new AppError(outcome, { field: 'email' })
    },

    invitations: {
      list: async (): Promise<InvitationInfo[]> => (await storage.listInvitations(now())).map(toInfo),
      async revoke(id: string, by: string) {
        const found = (await storage.listInvitations(now())).find(({ hash }) => toPublicId(hash) === id)
        return found !== undefined && storage.removeInvitation(found.hash, by)
      },
    },

    /**
     * Creates the link that sets a new password of an account. It replaces an earlier one. `by` is the account that makes it.
     * Throws `not-found` if one of the two is gone.
     */
    async createReset(uid: string, by?: string): Promise<NewResetLink> {
      const { token, hash, expiresAt } = issue(linkLimits.resetTtlMs)
      const isSet = await storage.setResetLink({ uid, hash, expiresAt, by })
      if (!isSet) throw noAccountError
      return { token, expiresAt: toTimestamp(expiresAt) }
    },

    /** Returns the account whose password the link sets, and the link for `replacePassword`. Throws `invalid-link`. */
    async findReset(token: string) {
      const resetLink = { hash: hashToken(token), now: now() }
      const account = await storage.findByResetLink(resetLink.hash, resetLink.now)
      if (!account) throw invalidResetError
      return { account, resetLink }
    },

    ...createHandovers(storage, now),

    removeExpired: () => storage.removeExpired(now()),
  }
}

const toInfo = ({ hash, email, expiresAt, invitedBy }: ListedInvitation) =>
  present({ id: toPublicId(hash), email, expiresAt, invitedBy })
