import type { FieldName } from '../../../contract/employees.ts'
import { maxOpenLinks, maxSheetLinks, takeRepeatMs } from '../../../contract/links.ts'
import { fieldColumnsSql } from '../field-columns.ts'
import type { NewActivity } from '../history.ts'
import {
  type Account,
  type Handover,
  type Invitation,
  type ListedHandover,
  type ListedInvitation,
  type ListedSheet,
  makersKeptMs,
  maxTakenBytes,
  type ResetLink,
  toPublicId,
} from '../types.ts'
import { haveAccounts, insertAccount, wipeTakenSql } from './accounts.ts'
import { addNews } from './activity.ts'
import { type Command, execute, lockRegister, selectAll, selectOne } from './command.ts'
import { logActivity, logNumbered, logSeqs, personSql } from './history.ts'

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

const upsertMakerSql = `
  INSERT INTO "resetLinkMakers" (account, maker, at) VALUES (${personSql}, ${personSql}, now_ms())
  ON CONFLICT (account, maker) DO UPDATE SET at = excluded.at`

const isOpenSql = '"openedAt" IS NULL AND "expiresAt" > ?'

/** A record keeps the latest of the links that were opened. */
const deleteOpenedSql = `
  DELETE FROM handovers WHERE seq = ANY (?)
    AND "openedAt" < (SELECT max("openedAt") FROM handovers AS latest WHERE latest.seq = handovers.seq)`

/** The size of what was opened and can be opened again. */
const takenBytesSql = `
  SELECT coalesce(sum(octet_length(sealed)), 0) AS bytes FROM handovers WHERE uid IS NOT NULL AND "openedAt" IS NOT NULL`

/** Never waits for a round of PostgreSQL, which may be removing one of them. */
const expiredSql = (condition: string) =>
  `hash IN (SELECT hash FROM handovers WHERE uid IS NOT NULL AND ${condition} FOR UPDATE SKIP LOCKED)`

/** One statement inserts at most so many rows. */
const maxRows = 100

function isTooMuch(links: { uid: string; bytes: number }[], uid: string, sheet: string | undefined) {
  const limits = sheet === undefined ? { ...maxOpenLinks, bytes: Number.POSITIVE_INFINITY } : maxSheetLinks
  const own = links.filter((link) => link.uid === uid)
  const bytes = links.reduce((sum, link) => sum + link.bytes, 0)
  return own.length > limits.perAccount || links.length > limits.total || bytes > limits.bytes
}

/** Returns whether the statement has written a row. */
function* executeAndLog(entry: NewActivity, sql: string, ...values: unknown[]): Command<boolean> {
  const isDone = (yield* execute(sql, ...values)) > 0
  if (isDone) yield* logActivity(entry)
  return isDone
}

/** One-time links. An expired link is the same as none. A restore of the database deletes all. */
export const linkWrites = {
  /** False if there are `maxOpenLinks`, or the account is gone. */
  *addInvitation({ hash, uid, email, expiresAt }: Invitation, now: number): Command<boolean> {
    yield* lockRegister()
    if (uid !== null && !(yield* haveAccounts(uid))) return false
    const entry: NewActivity = { kind: 'invite', by: uid, invitation: toPublicId(hash) }
    return yield* executeAndLog(entry, insertInvitationSql, hash, uid, email, expiresAt, now, uid, now)
  },

  /** False if there is no such invitation. `by`: the account that revokes it. */
  removeInvitation: (hash: string, by: string) =>
    executeAndLog(
      { kind: 'revoke-invitation', by, invitation: toPublicId(hash) },
      'DELETE FROM invitations WHERE hash = ?',
      hash,
    ),

  /** Adds the account and uses up the invitation, both or neither. */
  *acceptInvitation(
    hash: string,
    account: Account,
    now: number,
  ): Command<'done' | 'invalid-link' | 'account-exists'> {
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

  /** Replaces an earlier link of the account. False if it, or `by`, has no account, or both are the same. */
  *setResetLink({ uid, hash, expiresAt, by }: ResetLink): Command<boolean> {
    if (by === uid || (by !== undefined && !(yield* haveAccounts(uid, by)))) return false
    const entry: NewActivity = { kind: 'create-reset-link', account: uid, by }
    if (!(yield* executeAndLog(entry, upsertResetLinkSql, hash, expiresAt, uid))) return false
    if (by !== undefined) yield* execute(upsertMakerSql, uid, by)
    return true
  },

  /**
   * `revision` is that of the record as its maker saw it. Returns the hashes of those that are added; undefined if there would be
   * too many.
   */
  *insertHandovers(
    links: (Omit<Handover, 'seen'> & { revision: number })[],
    now: number,
    sheet?: string,
  ): Command<string[] | undefined> {
    yield* lockRegister()
    const { uid = '' } = links[0] ?? {}
    const sql = 'SELECT id, seq, revision FROM books WHERE id = ANY (?)'
    const ids = links.map(({ record }) => record)
    const rows = yield* selectAll<{ id: string; seq: number; revision: number }>(sql, ids)
    const found = new Map(rows.map((row) => [row.id, row]))
    const added = links.flatMap((link) => {
      const row = found.get(link.record)
      return row?.revision === link.revision ? [{ ...link, seq: row.seq, bytes: link.sealed.length }] : []
    })
    const seqs = added.map(({ seq }) => seq)
    const replacedSql = `${isOpenSql} AND sheet IS NOT NULL AND seq = ANY (?)`
    const replaced = [now, sheet === undefined ? [] : seqs]
    const others = yield* selectAll<{ uid: string; bytes: number }>(
      `SELECT uid, octet_length(sealed) AS bytes FROM handovers
       WHERE ${isOpenSql} AND sheet IS ${sheet === undefined ? '' : 'NOT'} NULL
         AND NOT (seq = ANY (?))`,
      ...replaced,
    )
    if (!(yield* haveAccounts(uid)) || isTooMuch([...others, ...added], uid, sheet)) return
    yield* execute(deleteOpenedSql, seqs)
    yield* execute(`DELETE FROM handovers WHERE ${replacedSql}`, ...replaced)
    for (let i = 0; i < added.length; i += maxRows) {
      const rows = added
        .slice(i, i + maxRows)
        .map(({ hash, seq, sealed, expiresAt }) => [hash, seq, uid, sealed, now, expiresAt, sheet])
      yield* execute(
        `INSERT INTO handovers (hash, seq, uid, sealed, "createdAt", "expiresAt", sheet)
         VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?)').join()}`,
        ...rows.flat(),
      )
    }
    yield* logSeqs('hand-over', uid, seqs)
    return added.map(({ hash }) => hash)
  },

  /** Removes the open link with this hash, or all of a sheet. False if there are none. `by`: the account that revokes them. */
  *removeHandovers(column: 'hash' | 'sheet', value: string, by: string): Command<boolean> {
    yield* lockRegister()
    const removed = yield* selectAll<{ seq: number }>(
      `DELETE FROM handovers WHERE ${column} = ? AND "openedAt" IS NULL RETURNING seq`,
      value,
    )
    const seqs = removed.map(({ seq }) => seq)
    yield* logSeqs('revoke-hand-over', by, seqs)
    return seqs.length > 0
  },

  /**
   * Resolves once for each link, and then to undefined; with the `key` of that first call again, for `takeRepeatMs` and within
   * `maxTakenBytes`. `by`: the email of its maker.
   */
  *takeHandover(hash: string, now: number, key?: string) {
    const find = () =>
      selectOne<{ seq: number; uid: string; sealed: string; openedAt: number | null }>(
        `SELECT seq, uid, sealed, "openedAt" FROM handovers
         WHERE hash = ? AND (${isOpenSql} OR "takeKey" = ? AND "openedAt" > ?)`,
        hash,
        now,
        key,
        now - takeRepeatMs,
      )
    // Twice, so that links of no use never make writes wait.
    if (!(yield* find())) return
    yield* lockRegister()
    const found = yield* find()
    if (!found) return
    const { seq, uid, sealed } = found
    if (found.openedAt === null) {
      yield* execute('UPDATE handovers SET "openedAt" = ?, "takeKey" = ? WHERE hash = ?', now, key, hash)
      const { bytes = 0 } = (yield* selectOne<{ bytes: number }>(takenBytesSql)) ?? {}
      if (key === undefined || bytes > maxTakenBytes) yield* execute(`${wipeTakenSql} AND hash = ?`, hash)
      const entry = yield* logNumbered({ kind: 'open-hand-over', seq, account: uid })
      yield* addNews(entry, uid)
    }
    const maker = yield* selectOne<{ email: string }>('SELECT email FROM people WHERE uid = ?', uid)
    return { sealed, by: maker?.email ?? '' }
  },

  *removeExpired(now: number): Command<void> {
    yield* execute('DELETE FROM invitations WHERE "expiresAt" <= ?', now)
    yield* execute('DELETE FROM "resetLinks" WHERE "expiresAt" <= ?', now)
    yield* execute('DELETE FROM "resetLinkMakers" WHERE at <= ?', now - makersKeptMs)
    yield* execute(
      'DELETE FROM news WHERE NOT EXISTS (SELECT 1 FROM activity WHERE activity.id = entry AND at > ?)',
      now - makersKeptMs,
    )
    const expired = yield* selectAll<{ seq: number; uid: string }>(
      `DELETE FROM handovers WHERE ${expiredSql('"openedAt" IS NULL AND "expiresAt" <= ?')} RETURNING seq, uid`,
      now,
    )
    for (const [uid, links] of Map.groupBy(expired, ({ uid }) => uid))
      yield* logSeqs(
        'expire-hand-over',
        undefined,
        links.map(({ seq }) => seq),
        uid,
      )
    yield* execute(`${wipeTakenSql} AND ${expiredSql('"openedAt" <= ?')}`, now - takeRepeatMs)
  },
}

/** Lists begin with the next to expire. */
export const linkReads = {
  findInvitation: (hash: string, now: number) => selectOne<Invitation>(invitationSql, hash, now),

  listInvitations: (now: number) =>
    selectAll<ListedInvitation>(
      `SELECT invitations.*, accounts.email AS "invitedBy" FROM invitations LEFT JOIN accounts USING (uid)
       WHERE "expiresAt" > ? ORDER BY "expiresAt", hash`,
      now,
    ),

  findByResetLink: (hash: string, now: number) =>
    selectOne<Account>(
      `SELECT accounts.* FROM "resetLinks" JOIN accounts USING (uid) WHERE hash = ? AND "expiresAt" > ?`,
      hash,
      now,
    ),

  listHandovers: (now: number) =>
    selectAll<ListedHandover>(
      `SELECT hash, books.id AS record, uid, handovers."createdAt", "expiresAt", sheet, accounts.email AS "by"
       FROM handovers JOIN books USING (seq) JOIN accounts USING (uid) WHERE ${isOpenSql} ORDER BY "expiresAt", hash`,
      now,
    ),

  /** Those with open links. */
  listSheets: (now: number) =>
    selectAll<ListedSheet>(
      `SELECT sheet AS id, max(accounts.email) AS "by", min(handovers."createdAt") AS "createdAt",
         max("expiresAt") AS "expiresAt", count(*) - count("openedAt") AS open, count("openedAt") AS opened
       FROM handovers LEFT JOIN accounts USING (uid) WHERE sheet IS NOT NULL AND "expiresAt" > ?
       GROUP BY sheet HAVING count(*) > count("openedAt") ORDER BY 4, 1`,
      now,
    ),
}

export const findRecords = (ids: string[]) =>
  selectAll<Record<FieldName, unknown> & { id: string; revision: number }>(
    `SELECT id, revision, ${fieldColumnsSql} FROM books WHERE id = ANY (?) AND NOT removed`,
    ids,
  )
