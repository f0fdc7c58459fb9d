import type { NewActivity } from '../history.ts'
import { type LinkStorage, maxOpenInvitations } from '../storage.ts'
import { insertAccountsSql, toColumns } from './accounts.ts'
import { insertActivitySql, toActivityColumns } from './activity.ts'
import type { Pool } from './connect.ts'
import { throwReadError, throwWriteError } from './errors.ts'
import { inPooledTransaction } from './transaction.ts'

export function createLinkStorage(pool: Pool): LinkStorage {
  const read = (sql: string, values: unknown[]) => pool.query(sql, values).catch(throwReadError)
  const write = (sql: string, values: unknown[]) => pool.query(sql, values).catch(throwWriteError)
  /** Whether the statement has written a row. */
  const logIfDone = (entry: NewActivity, sql: string, values: unknown[]) =>
    inPooledTransaction(pool, async (query) => {
      if ((await query(sql, values)).rowCount === 0) return false
      await query(insertActivitySql(), toActivityColumns([entry]))
      return true
    })

  return {
    addInvitation: ({ hash, uid, email, expiresAt }, now) =>
      inPooledTransaction(pool, async (query) => {
        if (uid !== null) {
          const inviter = await query('SELECT FROM accounts WHERE uid = $1 FOR KEY SHARE', [uid])
          if (inviter.rowCount === 0) return false
        }
        // Invitations are counted and added one at a time. After the account, as in its removal.
        await query('SELECT FROM register FOR UPDATE', [])
        const { rowCount } = await query(insertInvitationSql, [hash, uid, email, expiresAt, now])
        if (rowCount === 0) return false
        await query(insertActivitySql(), toActivityColumns([{ kind: 'invite', by: uid }]))
        return true
      }),
    findInvitation: async (hash, now) =>
      (await read('SELECT * FROM invitations WHERE hash = $1 AND "expiresAt" > $2', [hash, now])).rows[0],
    listInvitations: async (now) => (await read(listInvitationsSql, [now])).rows,
    removeInvitation: (hash, by) =>
      logIfDone({ kind: 'revoke-invitation', by }, 'DELETE FROM invitations WHERE hash = $1', [hash]),
    acceptInvitation: (hash, account, now) =>
      inPooledTransaction(pool, async (query) => {
        const found = await query(lockInvitationSql, [hash, now])
        if (found.rowCount === 0) return 'invalid-link'
        const added = await query(insertAccountsSql, toColumns([account]))
        if (added.rowCount === 0) return 'account-exists'
        await query('DELETE FROM invitations WHERE hash = $1', [hash])
        const entry: NewActivity = { kind: 'accept-invitation', by: account.uid }
        await query(insertActivitySql(), toActivityColumns([entry]))
        return 'done'
      }),
    setResetLink: ({ uid, hash, expiresAt }) =>
      logIfDone({ kind: 'create-reset-link', account: uid }, setResetLinkSql, [uid, hash, expiresAt]),
    findByResetLink: async (hash, now) =>
      (
        await read(
          `SELECT accounts.* FROM "resetLinks" JOIN accounts USING (uid) WHERE hash = $1 AND "expiresAt" > $2`,
          [hash, now],
        )
      ).rows[0],
    removeExpired: async (now) => void (await write(removeExpiredSql, [now])),
  }
}

/** Expired ones are deleted later, and do not count. */
const insertInvitationSql = `
  INSERT INTO invitations (hash, uid, email, "expiresAt") SELECT $1::text, $2::text, $3::text, $4::bigint
  WHERE (SELECT count(*) FROM invitations WHERE "expiresAt" > $5) < ${maxOpenInvitations.total}
    AND (SELECT count(*) FROM invitations WHERE uid = $2 AND "expiresAt" > $5) < ${maxOpenInvitations.perAccount}`

const listInvitationsSql = `
  SELECT invitations.*, accounts.email AS "invitedBy" FROM invitations LEFT JOIN accounts USING (uid)
  WHERE "expiresAt" > $1 ORDER BY "expiresAt", hash`

/** A second use waits here until the first has committed. */
const lockInvitationSql = 'SELECT FROM invitations WHERE hash = $1 AND "expiresAt" > $2 FOR UPDATE'

const setResetLinkSql = `
  INSERT INTO "resetLinks" (uid, hash, "expiresAt") SELECT uid, $2, $3 FROM accounts WHERE uid = $1
  ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, "expiresAt" = excluded."expiresAt"`

const removeExpiredSql = `
  WITH invitations AS (DELETE FROM invitations WHERE "expiresAt" <= $1)
  DELETE FROM "resetLinks" WHERE "expiresAt" <= $1`
