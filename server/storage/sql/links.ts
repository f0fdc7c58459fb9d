import type { NewActivity } from '../history.ts'
import {
  type AcceptOutcome,
  type Account,
  type Invitation,
  type ListedInvitation,
  maxOpenInvitations,
  type ResetLink,
  toPublicId,
} from '../storage.ts'
import { insertAccount } from './accounts.ts'
import { type Command, execute, selectAll, selectOne } from './command.ts'
import { logActivity } from './history.ts'

/** Expired ones are deleted later, and do not count. */
const insertInvitationSql = `
  INSERT INTO invitations (hash, uid, email, "expiresAt")
  SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS bigint)
  WHERE (SELECT count(*) FROM invitations WHERE "expiresAt" > ?) < ${maxOpenInvitations.total}
    AND (SELECT count(*) FROM invitations WHERE uid = ? AND "expiresAt" > ?) < ${maxOpenInvitations.perAccount}`

const upsertResetLinkSql = `
  INSERT INTO "resetLinks" (uid, hash, "expiresAt") SELECT uid, ?, ? FROM accounts WHERE uid = ?
  ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, "expiresAt" = excluded."expiresAt"`

const invitationSql = 'SELECT * FROM invitations WHERE hash = ? AND "expiresAt" > ?'

const updateInvitedSql = `
  UPDATE people SET invitation = ?, "invitedBy" = (SELECT id FROM people WHERE uid = ?), "invitedFor" = ? WHERE uid = ?`

/** Returns whether the statement has written a row. */
function* executeAndLog(entry: NewActivity, sql: string, ...values: unknown[]): Command<boolean> {
  const isDone = (yield* execute(sql, ...values)) > 0
  if (isDone) yield* logActivity(entry)
  return isDone
}

/** The commands that write links; see `LinkStorage`. */
export const linkCommands = {
  *addInvitation({ hash, uid, email, expiresAt }: Invitation, now: number): Command<boolean> {
    if (uid !== null && !(yield* selectOne('SELECT 1 FROM accounts WHERE uid = ? FOR KEY SHARE', uid)))
      return false
    // Invitations are counted and added one at a time. After the account, as in its removal.
    yield* execute('SELECT 1 FROM register FOR UPDATE')
    const entry: NewActivity = { kind: 'invite', by: uid, invitation: toPublicId(hash) }
    return yield* executeAndLog(entry, insertInvitationSql, hash, uid, email, expiresAt, now, uid, now)
  },

  removeInvitation: (hash: string, by: string) =>
    executeAndLog(
      { kind: 'revoke-invitation', by, invitation: toPublicId(hash) },
      'DELETE FROM invitations WHERE hash = ?',
      hash,
    ),

  *acceptInvitation(hash: string, account: Account, now: number): Command<AcceptOutcome> {
    // A second use waits here until the first has committed.
    const used = yield* selectOne<Invitation>(`${invitationSql} FOR UPDATE`, hash, now)
    if (!used) return 'invalid-link'
    if (!(yield* insertAccount(account))) return 'account-exists'
    yield* execute('DELETE FROM invitations WHERE hash = ?', hash)
    const [invitation, { uid }] = [toPublicId(hash), account]
    yield* execute(updateInvitedSql, invitation, used.uid, used.email, uid)
    const maker = used.uid === null ? {} : { account: used.uid }
    yield* logActivity({ kind: 'accept-invitation', by: uid, invitation, ...maker })
    return 'done'
  },

  setResetLink: ({ uid, hash, expiresAt }: ResetLink) =>
    executeAndLog({ kind: 'create-reset-link', account: uid }, upsertResetLinkSql, hash, expiresAt, uid),

  *removeExpiredLinks(now: number): Command<void> {
    yield* execute('DELETE FROM invitations WHERE "expiresAt" <= ?', now)
    yield* execute('DELETE FROM "resetLinks" WHERE "expiresAt" <= ?', now)
  },
}

export const findInvitation = (hash: string, now: number) => selectOne<Invitation>(invitationSql, hash, now)

export const listInvitations = (now: number) =>
  selectAll<ListedInvitation>(
    `SELECT invitations.*, accounts.email AS "invitedBy" FROM invitations LEFT JOIN accounts USING (uid)
     WHERE "expiresAt" > ? ORDER BY "expiresAt", hash`,
    now,
  )

export const findByResetLink = (hash: string, now: number) =>
  selectOne<Account>(
    `SELECT accounts.* FROM "resetLinks" JOIN accounts USING (uid) WHERE hash = ? AND "expiresAt" > ?`,
    hash,
    now,
  )
