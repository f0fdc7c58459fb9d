import type { DatabaseSync } from 'node:sqlite'
import {
  type AcceptOutcome,
  type Account,
  type Invitation,
  maxOpenInvitations,
  type PasswordReplacement,
  type ResetLink,
} from '../../storage.ts'

import type { ActivityLog } from '../history/commands.ts'

/** The commands that write one-time links. `insertAccount` is false if its email has an account. */
export function createLinkCommands(
  database: DatabaseSync,
  insertAccount: (account: Account) => boolean,
  { log }: ActivityLog,
) {
  const insertInvitation = database.prepare(
    `INSERT INTO invitations (hash, uid, email, expiresAt) SELECT ?, ?, ?, ?
     WHERE (SELECT count(*) FROM invitations) < ${maxOpenInvitations.total}
       AND (SELECT count(*) FROM invitations WHERE uid = ?) < ${maxOpenInvitations.perAccount}
       AND (? IS NULL OR EXISTS (SELECT 1 FROM accounts WHERE uid = ?))`,
  )
  const deleteInvitation = database.prepare('DELETE FROM invitations WHERE hash = ?')
  const selectInvitation = database.prepare('SELECT 1 FROM invitations WHERE hash = ? AND expiresAt > ?')
  const deleteExpired = ['invitations', 'resetLinks'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE expiresAt <= ?`),
  )
  const upsertResetLink = database.prepare(
    `INSERT INTO resetLinks (uid, hash, expiresAt) SELECT uid, ?, ? FROM accounts WHERE uid = ?
     ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, expiresAt = excluded.expiresAt`,
  )
  const selectResetLink = database.prepare(
    'SELECT 1 FROM resetLinks WHERE uid = ? AND hash = ? AND expiresAt > ?',
  )
  const deleteResetLink = database.prepare('DELETE FROM resetLinks WHERE uid = ?')

  function removeExpiredLinks(now: number): void {
    for (const statement of deleteExpired) statement.run(now)
  }

  return {
    /** Whether the account's link exists, if one is required. */
    hasResetLink: (uid: string, link: PasswordReplacement['resetLink']) =>
      !link || selectResetLink.get(uid, link.hash, link.now) !== undefined,
    removeResetLink: (uid: string) => void deleteResetLink.run(uid),

    commands: {
      addInvitation({ hash, uid, email, expiresAt }: Invitation, now: number): boolean {
        removeExpiredLinks(now)
        const isAdded = insertInvitation.run(hash, uid, email, expiresAt, uid, uid, uid).changes === 1
        if (isAdded) log({ kind: 'invite', by: uid })
        return isAdded
      },

      removeInvitation(hash: string, by: string): boolean {
        const isRemoved = deleteInvitation.run(hash).changes === 1
        if (isRemoved) log({ kind: 'revoke-invitation', by })
        return isRemoved
      },

      acceptInvitation(hash: string, account: Account, now: number): AcceptOutcome {
        if (!selectInvitation.get(hash, now)) return 'invalid-link'
        if (!insertAccount(account)) return 'account-exists'
        deleteInvitation.run(hash)
        log({ kind: 'accept-invitation', by: account.uid })
        return 'done'
      },

      setResetLink({ uid, hash, expiresAt }: ResetLink): boolean {
        const isSet = upsertResetLink.run(hash, expiresAt, uid).changes === 1
        if (isSet) log({ kind: 'create-reset-link', account: uid })
        return isSet
      },

      removeExpiredLinks,
    },
  }
}
