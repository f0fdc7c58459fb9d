import type { FieldName } from '../../../contract/employees.ts'
import { fieldColumnsSql } from '../field-columns.ts'
import type { NewActivity } from '../history.ts'
import {
  type AcceptOutcome,
  type Account,
  type Handover,
  type HandoverOutcome,
  type Invitation,
  type ListedHandover,
  type ListedInvitation,
  maxOpenLinks,
  type ResetLink,
  toPublicId,
} from '../storage.ts'
import { haveAccounts, insertAccount } from './accounts.ts'
import { type Command, execute, lockRegister, selectAll, selectOne } from './command.ts'
import { logActivity, personSql } from './history.ts'

/** Expired ones are deleted later, and do not count. */
const insertInvitationSql = `
  INSERT INTO invitations (hash, uid, email, "expiresAt")
  SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS bigint)
  WHERE (SELECT count(*) FROM invitations WHERE "expiresAt" > ?) < ${maxOpenLinks.total}
    AND (SELECT count(*) FROM invitations WHERE uid = ? AND "expiresAt" > ?) < ${maxOpenLinks.perAccount}`

const upsertResetLinkSql = `
  INSERT INTO "resetLinks" (uid, hash, "expiresAt") SELECT uid, ?, ? FROM accounts WHERE uid = ?
  ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, "expiresAt" = excluded."expiresAt"`

const invitationSql = 'SELECT * FROM invitations WHERE hash = ? AND "expiresAt" > ?'

const updateInvitedSql = `
  UPDATE people SET invitation = ?, "invitedBy" = (SELECT id FROM people WHERE uid = ?), "invitedFor" = ? WHERE uid = ?`

const updateMakerSql = `UPDATE people SET "resetLinkBy" = ${personSql}, "resetLinkAt" = now_ms() WHERE uid = ?`

/** SQL: without a maker it was opened. */
const isOpenSql = 'uid IS NOT NULL AND "expiresAt" > ?'

const insertHandoverSql = `
  INSERT INTO handovers (hash, seq, uid, sealed, "createdAt", "expiresAt")
  SELECT CAST(? AS text), CAST(? AS bigint), CAST(? AS text), CAST(? AS text), CAST(? AS bigint), CAST(? AS bigint)
  WHERE (SELECT count(*) FROM handovers WHERE ${isOpenSql}) < ${maxOpenLinks.total}
    AND (SELECT count(*) FROM handovers WHERE ${isOpenSql} AND uid = ?) < ${maxOpenLinks.perAccount}`

/** A record keeps the latest of the links that were opened. */
const deleteOpenedSql = `
  DELETE FROM handovers WHERE seq = ? AND "openedAt" < (SELECT max("openedAt") FROM handovers WHERE seq = ?)`

/** Never waits for a round of PostgreSQL, which may be removing one of them. */
const deleteExpiredSql = `
  DELETE FROM handovers WHERE hash IN (
    SELECT hash FROM handovers WHERE uid IS NOT NULL AND "expiresAt" <= ? FOR UPDATE SKIP LOCKED)`

/** Returns whether the statement has written a row. */
function* executeAndLog(entry: NewActivity, sql: string, ...values: unknown[]): Command<boolean> {
  const isDone = (yield* execute(sql, ...values)) > 0
  if (isDone) yield* logActivity(entry)
  return isDone
}

/** The commands that write links; see `LinkStorage`. */
export const linkCommands = {
  *addInvitation({ hash, uid, email, expiresAt }: Invitation, now: number): Command<boolean> {
    yield* lockRegister()
    if (uid !== null && !(yield* haveAccounts(uid))) return false
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

  *setResetLink({ uid, hash, expiresAt, by }: ResetLink): Command<boolean> {
    if (by !== undefined && !(yield* haveAccounts(uid, by))) return false
    const entry: NewActivity = { kind: 'create-reset-link', account: uid, by }
    if (!(yield* executeAndLog(entry, upsertResetLinkSql, hash, expiresAt, uid))) return false
    if (by !== undefined) yield* execute(updateMakerSql, by, uid)
    return true
  },

  /** `revision` is that of the record as its maker saw it. */
  *addHandover(
    { hash, record, uid, sealed, expiresAt }: Omit<Handover, 'seen'>,
    revision: number,
    now: number,
  ): Command<HandoverOutcome> {
    yield* lockRegister()
    if (!(yield* haveAccounts(uid))) return 'too-many-handovers'
    const found = yield* selectOne<{ seq: number }>(
      'SELECT seq FROM books WHERE id = ? AND revision = ?',
      record,
      revision,
    )
    if (!found) return 'conflict'
    const { seq } = found
    yield* execute(deleteOpenedSql, seq, seq)
    const values = [hash, seq, uid, sealed, now, expiresAt, now, now, uid]
    const isAdded = yield* executeAndLog({ kind: 'hand-over', by: uid, seq }, insertHandoverSql, ...values)
    return isAdded ? 'done' : 'too-many-handovers'
  },

  *removeHandover(hash: string, by: string): Command<boolean> {
    yield* lockRegister()
    const sql = 'DELETE FROM handovers WHERE hash = ? AND uid IS NOT NULL RETURNING seq'
    const removed = yield* selectOne<{ seq: number }>(sql, hash)
    if (removed) yield* logActivity({ kind: 'revoke-hand-over', by, seq: removed.seq })
    return removed !== undefined
  },

  *takeHandover(hash: string, now: number) {
    yield* lockRegister()
    const found = yield* selectOne<{ seq: number; uid: string; sealed: string }>(
      `SELECT seq, uid, sealed FROM handovers WHERE hash = ? AND ${isOpenSql}`,
      hash,
      now,
    )
    if (!found) return
    const { seq, uid, sealed } = found
    yield* execute('UPDATE handovers SET uid = NULL, sealed = NULL, "openedAt" = ? WHERE hash = ?', now, hash)
    yield* logActivity({ kind: 'open-hand-over', seq, account: uid })
    const maker = yield* selectOne<{ email: string }>('SELECT email FROM people WHERE uid = ?', uid)
    return { sealed, by: maker?.email ?? '' }
  },

  *removeExpiredLinks(now: number): Command<void> {
    yield* execute('DELETE FROM invitations WHERE "expiresAt" <= ?', now)
    yield* execute('DELETE FROM "resetLinks" WHERE "expiresAt" <= ?', now)
    yield* execute(deleteExpiredSql, now)
  },
}

export const findInvitation = (hash: string, now: number) => selectOne<Invitation>(invitationSql, hash, now)

export const listInvitations = (now: number) =>
  selectAll<ListedInvitation>(
    `SELECT invitations.*, accounts.email AS "invitedBy" FROM invitations LEFT JOIN accounts USING (uid)
     WHERE "expiresAt" > ? ORDER BY "expiresAt", hash`,
    now,
  )

export const findRecord = (id: string) =>
  selectOne<Record<FieldName, unknown> & { revision: number }>(
    `SELECT revision, ${fieldColumnsSql} FROM books WHERE id = ? AND NOT removed`,
    id,
  )

export const listHandovers = (now: number) =>
  selectAll<ListedHandover>(
    `SELECT hash, books.id AS record, uid, handovers."createdAt", "expiresAt", accounts.email AS "by"
     FROM handovers JOIN books USING (seq) JOIN accounts USING (uid) WHERE ${isOpenSql} ORDER BY "expiresAt", hash`,
    now,
  )

export const findByResetLink = (hash: string, now: number) =>
  selectOne<Account>(
    `SELECT accounts.* FROM "resetLinks" JOIN accounts USING (uid) WHERE hash = ? AND "expiresAt" > ?`,
    hash,
    now,
  )
