import type { DatabaseSync } from 'node:sqlite'
import type { Account, Invitation, LinkStorage, ListedInvitation, ResetLink } from '../storage.ts'
import type { Write } from './writer/client.ts'

export function createLinkStorage(reader: DatabaseSync, write: Write): LinkStorage {
  const selectInvitation = reader.prepare('SELECT * FROM invitations WHERE hash = ? AND expiresAt > ?')
  const selectInvitations = reader.prepare(
    `SELECT invitations.*, accounts.email AS invitedBy FROM invitations LEFT JOIN accounts USING (uid)
     WHERE expiresAt > ? ORDER BY expiresAt, hash`,
  )
  const selectAccount = reader.prepare(
    `SELECT accounts.* FROM resetLinks JOIN accounts USING (uid) WHERE hash = ? AND expiresAt > ?`,
  )
  return {
    addInvitation: (invitation: Invitation, now: number) => write('addInvitation', invitation, now),
    findInvitation: async (hash: string, now: number) =>
      selectInvitation.get(hash, now) as unknown as Invitation | undefined,
    listInvitations: async (now: number) => selectInvitations.all(now) as unknown as ListedInvitation[],
    removeInvitation: (hash: string, by: string) => write('removeInvitation', hash, by),
    acceptInvitation: (hash: string, account: Account, now: number) =>
      write('acceptInvitation', hash, account, now),
    setResetLink: (link: ResetLink) => write('setResetLink', link),
    findByResetLink: async (hash: string, now: number) =>
      selectAccount.get(hash, now) as unknown as Account | undefined,
    removeExpired: (now: number) => write('removeExpiredLinks', now),
  }
}
