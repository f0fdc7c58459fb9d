import type { Pool } from 'pg'
import type { Account, AccountStorage } from '../storage.ts'
import { batchQueries } from './batch-queries.ts'
import { throwReadError, throwWriteError } from './errors.ts'

const columns = ['uid', 'email', 'emailKey', 'passwordHash', 'createdAt'] as const

export function createAccountStorage(source: Pick<Pool, 'query'>): AccountStorage {
  const read = (sql: string, values: unknown[] = []) => source.query(sql, values).catch(throwReadError)
  const write = (sql: string, values: unknown[]) => source.query(sql, values).catch(throwWriteError)
  const isDone = async (writing: ReturnType<typeof write>) => (await writing).rowCount === 1

  return {
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
    // PostgreSQL rejects text with U+0000; no stored email contains it.
    findByEmailKey: async (emailKey) =>
      (await read('SELECT * FROM accounts WHERE "emailKey" = $1', [emailKey.replaceAll('\0', ' ')])).rows[0],
    list: async () => (await read('SELECT * FROM accounts ORDER BY "createdAt", uid')).rows,
    setPasswordHash: (uid, passwordHash, expectedHash) =>
      isDone(
        write(
          `UPDATE accounts SET "passwordHash" = $2 WHERE uid = $1 AND "passwordHash" = coalesce($3, "passwordHash")`,
          [uid, passwordHash, expectedHash],
        ),
      ),
    remove: (uid) => isDone(write('DELETE FROM accounts WHERE uid = $1', [uid])),
  }
}
