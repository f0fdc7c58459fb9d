import { activityOfAccount, activityOfReplacement } from '../activity.ts'
import type { Account, AccountStorage, PasswordReplacement } from '../storage.ts'
import { insertActivitySql, nowSql, toActivityColumns } from './activity.ts'
import { batchQueries } from './batch-queries.ts'
import type { Pool } from './connect.ts'
import { throwReadError, throwWriteError } from './errors.ts'
import { deleteSessionsSql, insertSession } from './sessions.ts'
import { inPooledTransaction, type Query } from './transaction.ts'

const columns = ['uid', 'email', 'emailKey', 'passwordHash', 'createdAt'] as const

/** Its parameters are `toColumns`. An import may bring a person's account back. */
export const insertAccountsSql = `
  WITH added AS (
    INSERT INTO accounts (uid, email, "emailKey", "passwordHash", "createdAt")
    SELECT * FROM unnest ($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    ON CONFLICT DO NOTHING RETURNING uid, email, "createdAt"
  )
  INSERT INTO people (uid, email, "createdAt") SELECT uid, email, "createdAt" FROM added
  ON CONFLICT (uid) DO UPDATE SET email = excluded.email, "removedAt" = NULL, "removedRevision" = NULL
  RETURNING uid`

export const toColumns = (accounts: Account[]) =>
  columns.map((column) => accounts.map((account) => account[column]))

export function createAccountReader(
  source: Pick<Pool, 'query'>,
): Pick<AccountStorage, 'findByEmailKey' | 'list' | 'listLastSeen'> {
  const read = (sql: string, values: unknown[] = []) => source.query(sql, values).catch(throwReadError)
  return {
    // PostgreSQL rejects text with U+0000; no stored email contains it.
    findByEmailKey: async (emailKey) =>
      (await read('SELECT * FROM accounts WHERE "emailKey" = $1', [emailKey.replaceAll('\0', ' ')])).rows[0],
    list: async () => (await read('SELECT * FROM accounts ORDER BY "createdAt", uid')).rows,
    listLastSeen: async () =>
      new Map((await read('SELECT uid, at FROM "lastSeen"')).rows.map(({ uid, at }) => [uid, at])),
  }
}

export function createAccountStorage(pool: Pool): AccountStorage {
  const write = (sql: string, values: unknown[]) => pool.query(sql, values).catch(throwWriteError)
  const addInBatch = batchQueries((requested: AddedAccount[]) =>
    inPooledTransaction(pool, (query) => addAccounts(query, requested)),
  )
  const isDone = async (writing: ReturnType<typeof write>) => (await writing).rowCount === 1

  return {
    ...createAccountReader(pool),
    add: (account, by) => addInBatch({ account, by }),
    setPasswordHash: (uid, passwordHash, expectedHash) =>
      isDone(write(updateHashSql, [uid, passwordHash, expectedHash])),
    replacePassword: (replacement) => replacePassword(pool, replacement),
    remove: (uid) =>
      inPooledTransaction(pool, async (query) => {
        if ((await query('DELETE FROM accounts WHERE uid = $1', [uid])).rowCount === 0) return false
        await query(removePersonSql, [uid])
        await query(insertActivitySql(), toActivityColumns([{ kind: 'remove-account', account: uid }]))
        return true
      }),
  }
}

interface AddedAccount {
  account: Account
  by: string | undefined
}

async function addAccounts(query: Query, requested: AddedAccount[]) {
  const { rows } = await query(insertAccountsSql, toColumns(requested.map(({ account }) => account)))
  const added = new Set(rows.map(({ uid }) => uid))
  const isAdded = ({ account: { uid } }: AddedAccount) => added.has(uid)
  const activity = requested.filter(isAdded).map(({ account: { uid }, by }) => activityOfAccount(uid, by))
  await query(insertActivitySql(), toActivityColumns(activity))
  return isAdded
}

/** FOR SHARE waits for a running write of records, and later ones wait for this removal. */
const removePersonSql = `
  WITH head AS (SELECT revision FROM register FOR SHARE)
  UPDATE people SET "removedAt" = ${nowSql}, "removedRevision" = head.revision FROM head WHERE uid = $1`

const updateHashSql = `UPDATE accounts SET "passwordHash" = $2
  WHERE uid = $1 AND "passwordHash" = coalesce($3, "passwordHash")`

function replacePassword(pool: Pool, replacement: PasswordReplacement): Promise<string[] | undefined> {
  const { uid, passwordHash, expectedHash, resetLink, newSession } = replacement
  return inPooledTransaction(pool, async (query) => {
    // The next statement then sees whether a concurrent replacement has used up the link.
    if (resetLink) await query('SELECT FROM accounts WHERE uid = $1 FOR NO KEY UPDATE', [uid])
    const changed = await query(
      `${updateHashSql} AND ($4::text IS NULL OR EXISTS (
         SELECT FROM "resetLinks" WHERE uid = $1 AND hash = $4 AND "expiresAt" > $5))`,
      [uid, passwordHash, expectedHash, resetLink?.hash, resetLink?.now],
    )
    if (changed.rowCount === 0) return
    await query('DELETE FROM "resetLinks" WHERE uid = $1', [uid])
    const { rows } = await query(deleteSessionsSql, [uid])
    if (newSession) await insertSession(query, newSession.session, passwordHash, newSession.addressHash)
    await query(insertActivitySql(), toActivityColumns([activityOfReplacement(replacement)]))
    return rows.map(({ hash }) => hash)
  })
}
