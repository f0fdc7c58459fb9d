import {
  type InvitationInfo,
  isAccountEmail,
  type NewResetLink,
  toEmailKey,
  toTimestamp,
} from '../../../contract/accounts.ts'
import { cleanEmail } from '../../../contract/employees.ts'
import type {
  CreatedSheet,
  HandoverInfo,
  NewHandover,
  SheetInfo,
  TakenHandover,
} from '../../../contract/handovers.ts'
import { endOfHandover, linkTtlMs } from '../../../contract/links.ts'
import { AppError } from '../../app-error.ts'
import { toResponse } from '../../http/json-body.ts'
import {
  type Account,
  type AccountStorage,
  type HandoverOutcome,
  type LinkStorage,
  type ListedHandover,
  type ListedInvitation,
  toPublicId,
} from '../../storage/storage.ts'
import { createToken, hashToken } from '../sessions.ts'

/** The same for a token that is unknown, expired or used. */
export const invalidResetError = new AppError('invalid-link', { field: 'token' })

export const noAccountError = new AppError('not-found', { message: 'There is no such account any more.' })

export type Links = ReturnType<typeof createLinks>

/** The links of one kind that nobody has used. */
export interface OpenLinks<Info> {
  list(): Promise<Info[]>
  /** `by` is the account that revokes it. False if there is none with this public id. */
  revoke(id: string, by: string): Promise<boolean>
}

/** One-time links: invitations, hand-overs, and links that set a new password. Their tokens are stored nowhere. */
export function createLinks(
  storage: LinkStorage,
  accounts: Pick<AccountStorage, 'findByEmailKey'>,
  now = Date.now,
) {
  const issue = (ttlMs: number) => ({ ...createToken(), expiresAt: now() + ttlMs })

  /** Returns what lists links of one kind, and revokes the one with a public id. */
  function openLinks<Row extends { hash: string }, Info extends object>(
    listAll: (now: number) => Promise<Row[]>,
    toInfo: (row: Row) => Info,
    remove: (hash: string, by: string) => Promise<boolean>,
  ): OpenLinks<Info> {
    return {
      list: async () => (await listAll(now())).map(toInfo),
      async revoke(id, by) {
        const found = (await listAll(now())).find(({ hash }) => toPublicId(hash) === id)
        return found !== undefined && remove(found.hash, by)
      },
    }
  }

  return {
    /**
     * Creates an invitation of this account, or of the operator. `email` is the only one that may use it. Throws
     * `invalid-email`, `account-exists` or `too-many-invitations`.
     */
    async invite(uid: string | null, email?: string): Promise<InvitationInfo & { token: string }> {
      const boundEmail = email === undefined ? null : cleanEmail(email)
      if (boundEmail !== null) {
        if (!isAccountEmail(boundEmail)) throw new AppError('invalid-email', { field: 'email' })
        if (await accounts.findByEmailKey(toEmailKey(boundEmail)))
          throw new AppError('account-exists', { field: 'email' })
      }
      const { token, hash, expiresAt } = issue(linkTtlMs.invitation)
      const invitation = { hash, uid, email: boundEmail, expiresAt }
      if (!(await storage.addInvitation(invitation, now()))) throw new AppError('too-many-invitations')
      return { ...toInvitationInfo({ ...invitation, invitedBy: null }), token }
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

    invitations: openLinks(storage.listInvitations, toInvitationInfo, storage.removeInvitation),

    /**
     * Creates the link that sets a new password of an account. It replaces an earlier one. `by` is the account that makes it.
     * Throws `not-found` if one of the two is gone, or it is for the maker's own account.
     */
    async createReset(uid: string, by?: string): Promise<NewResetLink> {
      const { token, hash, expiresAt } = issue(linkTtlMs.reset)
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

    handovers: openLinks(storage.listHandovers, toHandoverInfo, (hash, by) =>
      storage.removeHandovers('hash', hash, by),
    ),

    sheets: {
      list: async (): Promise<SheetInfo[]> => (await storage.listSheets(now())).map(toResponse),
      revoke: (id: string, by: string) => storage.removeHandovers('sheet', id, by),
    },

    removeExpired: () => storage.removeExpired(now()),
  }
}

function toInvitationInfo({ hash, email, expiresAt, invitedBy }: ListedInvitation): InvitationInfo {
  return toResponse({ id: toPublicId(hash), email, expiresAt, invitedBy })
}

function toHandoverInfo({ hash, uid: _, ...rest }: ListedHandover): HandoverInfo {
  return toResponse({ id: toPublicId(hash), ...rest })
}

/** Makes and opens hand-overs. What they show is encrypted with a key that never reaches the server. */
function createHandovers(storage: LinkStorage, now: () => number) {
  async function addLinks(uid: string, handovers: NewHandover[], sheet?: string) {
    const expiresAt = endOfHandover(now(), handovers[0]?.hours)
    const tokens = handovers.map(createToken)
    const links = handovers.map(({ hours: _, ...given }, i) => ({
      ...given,
      hash: tokens[i]?.hash ?? '',
      uid,
      expiresAt,
    }))
    const outcomes = await storage.addHandovers(links, now(), sheet)
    return {
      expiresAt: toTimestamp(expiresAt),
      links: tokens.map((token, i) => ({ ...token, outcome: outcomes[i] as HandoverOutcome })),
    }
  }

  return {
    /** Creates a link. Throws `not-found`, `too-many-handovers`, or `conflict` if the record is no longer as `seen`. */
    async handOver(uid: string, handover: NewHandover) {
      const { expiresAt, links } = await addLinks(uid, [handover])
      const [{ hash, token, outcome }] = links as [(typeof links)[0]]
      if (outcome === 'conflict')
        throw new AppError(outcome, {
          message: 'Someone has changed this record. Look at it, then make the link again.',
        })
      if (outcome !== 'done') throw new AppError(outcome)
      return { id: toPublicId(hash), token, expiresAt }
    },

    /** Creates links to several records, all but those that have changed. Throws `too-many-handovers`. */
    async createSheet(uid: string, handovers: NewHandover[]): Promise<CreatedSheet> {
      const id = toPublicId(createToken().hash)
      const { expiresAt, links } = await addLinks(uid, handovers, id)
      if (links.some(({ outcome }) => outcome === 'too-many-handovers'))
        throw new AppError('too-many-handovers')
      return { id, expiresAt, tokens: links.map(({ token, outcome }) => (outcome === 'done' ? token : null)) }
    },

    /**
     * Uses up the link; for some minutes, whoever has done it with a `key` can repeat it. Throws `invalid-link`: the same for a
     * token that is unknown, used, expired, revoked or void.
     */
    async takeHandover(token: string, key?: string): Promise<TakenHandover> {
      const taken = await storage.takeHandover(hashToken(token), now(), key)
      if (!taken)
        throw new AppError('invalid-link', {
          field: 'token',
          message: 'This link was already used, or is no longer valid. Ask whoever sent it for a new one.',
        })
      return taken
    },
  }
}
