import {
  type Account,
  type AuthenticatedSession,
  maxRememberedAddresses,
  type Session,
  type SessionStorage,
} from '../storage.ts'
import { batchQueries } from './batch-queries.ts'
import type { Pool } from './connect.ts'
import { throwReadError, throwWriteError } from './errors.ts'
import type { Query } from './transaction.ts'

export function createSessionStorage(pool: Pool): SessionStorage {
  const write = (sql: string, values: unknown[]) => pool.query(sql, values).catch(throwWriteError)
  const hashesOf = ({ rows }: { rows: { hash: string }[] }) => rows.map(({ hash }) => hash)

  return {
    add: async (...session) => {
      const { rowCount } = await insertSession(write, ...session)
      return rowCount === 1
    },
    isRemembered: async (addressHash) =>
      (await pool.query('SELECT FROM "signedInFrom" WHERE hash = $1', [addressHash]).catch(throwReadError))
        .rowCount === 1,
    find: batchQueries((hashes) => findSessions(pool, hashes)),
    listByAccount: async (uid) =>
      (
        await pool
          .query('SELECT * FROM sessions WHERE uid = $1 ORDER BY "createdAt"', [uid])
          .catch(throwReadError)
      ).rows,
    touch: async (hash, lastSeenAt) => {
      await write(touchSql, [hash, lastSeenAt])
    },
    end: async (hashes) =>
      hashesOf(await write('DELETE FROM sessions WHERE hash = ANY ($1) RETURNING hash', [hashes])),
    endAll: async (uid) => hashesOf(await write(deleteSessionsSql, [uid])),
    findEnded: async (hashes, createdBefore, seenBefore) =>
      hashesOf(
        await pool
          .query(
            `SELECT hash FROM unnest ($1::text[]) AS given (hash) WHERE NOT EXISTS (
               SELECT FROM sessions
               WHERE sessions.hash = given.hash AND "createdAt" >= $2 AND "lastSeenAt" >= $3)`,
            [hashes, createdBefore, seenBefore],
          )
          .catch(throwReadError),
      ),
    endExpired: async (createdBefore, seenBefore) =>
      hashesOf(
        await write('DELETE FROM sessions WHERE "createdAt" < $1 OR "lastSeenAt" < $2 RETURNING hash', [
          createdBefore,
          seenBefore,
        ]),
      ),
  }
}

const touchSql = `
  WITH touched AS (
    UPDATE sessions SET "lastSeenAt" = greatest("lastSeenAt", $2) WHERE hash = $1 RETURNING uid, "lastSeenAt"
  )
  UPDATE "lastSeen" SET at = greatest(at, touched."lastSeenAt") FROM touched WHERE "lastSeen".uid = touched.uid`

export const deleteSessionsSql = 'DELETE FROM sessions WHERE uid = $1 RETURNING hash'

/** Inserts nothing unless `passwordHash` is the account's. */
export function insertSession(
  query: Query,
  { hash, uid, createdAt, lastSeenAt }: Session,
  passwordHash: string,
  addressHash?: string,
) {
  return query(insertSessionSql, [hash, uid, createdAt, lastSeenAt, passwordHash, addressHash])
}

/**
 * FOR SHARE waits for a running removal or password change of the account, and then inserts nothing. Later ones wait
 * until this session is committed, so they end it.
 */
const insertSessionSql = `
  WITH added AS (
    INSERT INTO sessions (hash, uid, "createdAt", "lastSeenAt")
    SELECT $1, uid, $3, $4 FROM accounts WHERE uid = $2 AND "passwordHash" = $5 FOR SHARE
    RETURNING uid, "createdAt"
  ), seen AS (
    INSERT INTO "lastSeen" (uid, at) SELECT uid, $4 FROM added
    ON CONFLICT (uid) DO UPDATE SET at = greatest("lastSeen".at, excluded.at)
  ), remembered AS (
    INSERT INTO "signedInFrom" (hash, uid, "lastAt")
    SELECT $6::text, uid, "createdAt" FROM added WHERE $6::text IS NOT NULL
    ON CONFLICT (hash) DO UPDATE SET "lastAt" = excluded."lastAt"
    RETURNING hash, uid
  ), forgotten AS (
    DELETE FROM "signedInFrom" WHERE hash IN (
      SELECT stored.hash FROM "signedInFrom" AS stored JOIN remembered USING (uid)
      WHERE stored.hash <> remembered.hash ORDER BY "lastAt" DESC OFFSET ${maxRememberedAddresses - 1})
  )
  SELECT uid FROM added`

interface SessionRow extends Account {
  hash: string
  lastSeenAt: number
  since: number
}

async function findSessions(pool: Pool, hashes: string[]) {
  const { rows } = await pool
    .query(
      `SELECT hash, "lastSeenAt", sessions."createdAt" AS since, accounts.*
       FROM sessions JOIN accounts USING (uid) WHERE hash = ANY ($1)`,
      [hashes],
    )
    .catch(throwReadError)
  const found = new Map<string, AuthenticatedSession>(
    rows.map(({ hash, lastSeenAt, since, ...account }: SessionRow) => [
      hash,
      { session: { hash, uid: account.uid, createdAt: since, lastSeenAt }, account },
    ]),
  )
  return (hash: string) => found.get(hash)
}
