import type { ClientBase, Pool } from 'pg'
import type { Account, AccountStorage, PasswordReplacement } from '../storage.ts'
import { batchQueries } from './batch-queries.ts'
import { throwReadError, throwWriteError } from './errors.ts'
import { deleteSessionsSql, insertSession } from './sessions.ts'

const columns = ['uid', 'email', 'emailKey', 'passwordHash', 'createdAt'] as const

export function createAccountReader(
  source: Pick<Pool, 'query'>,
): Pick<AccountStorage, 'findByEmailKey' | 'list'> {
  const read = (sql: string, values: unknown[] = []) => source.query(sql, values).catch(throwReadError)
  return {
    // PostgreSQL rejects text with U+0000; no stored email contains it.
    findByEmailKey: async (emailKey) =>
      (await read('SELECT * FROM accounts WHERE "emailKey" = $1', [emailKey.replaceAll('\0', ' ')])).rows[0],
    list: async () => (await read('SELECT * FROM accounts ORDER BY "createdAt", uid')).rows,
  }
}

export function createAccountStorage(pool: Pool): AccountStorage {
  const write = (sql: string, values: unknown[]) => pool.query(sql, values).catch(throwWriteError)
  const isDone = async (writing: ReturnType<typeof write>) => (await writing).rowCount === 1

  return {
    ...createAccountReader(pool),
    add: batchQueries(async (accounts: Account[]) => {
      const { rows } = await write(
        `INSERT INTO accounts (uid, email, "emailKey", "passwordHash", "createdAt")
         SELECT * FROM unnest ($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         ON CONFLICT DO NOTHING RETURNING uid`,
        columns.map((column) => accounts.map((account) => account[column])),
      )
      const added = new Set(rows.map(({ uid }) => uid))
      return ({ uid }: Account) => added.has(uid)
    }),
    setPasswordHash: (uid, passwordHash, expectedHash) =>
      isDone(write(updateHashSql, [uid, passwordHash, expectedHash])),
    replacePassword: (replacement) => replacePassword(pool, replacement),
    remove: (uid) => isDone(write('DELETE FROM accounts WHERE uid = $1', [uid])),
  }
}

const updateHashSql = `UPDATE accounts SET "passwordHash" = $2
  WHERE uid = $1 AND "passwordHash" = coalesce($3, "passwordHash")`

async function replacePassword(
  pool: Pool,
  { uid, passwordHash, expectedHash, newSession }: PasswordReplacement,
): Promise<string[] | undefined> {
  const client = await pool.connect().catch(throwReadError)
  let isFinished = false
  try {
    // Each statement sees what was committed before it: the sessions of a sign-in for which the first one has waited.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED').catch(throwReadError)
    const changed = await client.query(updateHashSql, [uid, passwordHash, expectedHash]).catch(throwReadError)
    const ended =
      changed.rowCount === 1 ? await replaceSessions(client, passwordHash, uid, newSession) : undefined
    await client.query('COMMIT').catch(throwWriteError)
    isFinished = true
    return ended
  } finally {
    // Closing the connection rolls back.
    client.release(!isFinished)
  }
}

async function replaceSessions(
  client: ClientBase,
  passwordHash: string,
  uid: string,
  newSession: PasswordReplacement['newSession'],
): Promise<string[]> {
  const { rows } = await client.query(deleteSessionsSql, [uid]).catch(throwReadError)
  if (newSession) {
    const { session, addressHash } = newSession
    await insertSession(client, session, passwordHash, addressHash).catch(throwReadError)
  }
  return rows.map(({ hash }) => hash)
}
