import type { Pool } from 'pg'
import type { AccountStorage } from '../port.ts'
import { asRead, asWrite } from './errors.ts'

export function accountsOn(pool: Pool): AccountStorage {
  const read = (sql: string, values: unknown[] = []) => pool.query(sql, values).catch(asRead)
  /** Whether a row was written. */
  const write = async (sql: string, values: unknown[]) =>
    (await pool.query(sql, values).catch(asWrite)).rowCount === 1

  return {
    add: ({ uid, email, emailKey, passwordHash, createdAt }) =>
      write(
        `INSERT INTO accounts (uid, email, "emailKey", "passwordHash", "createdAt")
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
        [uid, email, emailKey, passwordHash, createdAt],
      ),
    // PostgreSQL refuses a text with U+0000; no account has an email with one.
    findByEmailKey: async (emailKey) =>
      (await read('SELECT * FROM accounts WHERE "emailKey" = $1', [emailKey.replaceAll('\0', ' ')])).rows[0],
    list: async () => (await read('SELECT * FROM accounts ORDER BY "createdAt", uid')).rows,
    setPasswordHash: (uid, passwordHash) =>
      write('UPDATE accounts SET "passwordHash" = $2 WHERE uid = $1', [uid, passwordHash]),
    remove: (uid) => write('DELETE FROM accounts WHERE uid = $1', [uid]),
  }
}
