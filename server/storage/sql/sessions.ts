import { type Account, type AuthenticatedSession, maxRememberedAddresses, type Session } from '../types.ts'
import { addNews } from './activity.ts'
import { type Command, execute, selectAll, selectOne } from './command.ts'
import { logActivity, logNumbered } from './history.ts'

/**
 * FOR SHARE waits for a running removal or password change of the account, and then inserts nothing. Later ones wait
 * until this session is committed, so they end it.
 */
const insertSessionSql = `
  INSERT INTO sessions (hash, uid, "createdAt", "lastSeenAt", browser)
  SELECT ?, uid, ?, ?, ? FROM accounts WHERE uid = ? AND "passwordHash" = ? FOR SHARE`

const upsertLastSeenSql = `
  INSERT INTO "lastSeen" (uid, at) VALUES (?, ?)
  ON CONFLICT (uid) DO UPDATE SET at = greatest("lastSeen".at, excluded.at)`

const upsertAddressSql = `
  INSERT INTO "signedInFrom" (hash, uid, "lastAt") VALUES (?, ?, ?)
  ON CONFLICT (hash) DO UPDATE SET "lastAt" = excluded."lastAt"`

const deleteOldAddressesSql = `
  DELETE FROM "signedInFrom" WHERE hash IN (
    SELECT hash FROM "signedInFrom" WHERE uid = ? ORDER BY "lastAt" DESC LIMIT 1000 OFFSET ${maxRememberedAddresses})`

const hashesOf = (rows: { hash: string }[]) => rows.map(({ hash }) => hash)

/** Whether the account was ever signed in to before, and from this browser. */
const seenSql = `
  SELECT EXISTS (SELECT 1 FROM "lastSeen" WHERE uid = ?) AS "isKnown",
    EXISTS (SELECT 1 FROM "seenBrowsers" WHERE uid = ? AND browser = ?) AS "isSeen"`

const insertBrowserSql = 'INSERT INTO "seenBrowsers" (uid, browser) VALUES (?, ?) ON CONFLICT DO NOTHING'

/**
 * Adds the session that replaces others of the account. False if `passwordHash` is not the account's current one: a sign-in that runs
 * while the password changes must not add a session that `endAll` has missed. `addressHash` is remembered with the account, as is the
 * name of the browser, also after the session has ended.
 */
export function* insertSession(
  session: Session,
  passwordHash: string,
  addressHash?: string,
): Command<boolean> {
  const { hash, uid, createdAt, lastSeenAt, browser } = session
  const added = yield* execute(insertSessionSql, hash, createdAt, lastSeenAt, browser, uid, passwordHash)
  if (added === 0) return false
  yield* execute(upsertLastSeenSql, uid, lastSeenAt)
  yield* execute(insertBrowserSql, uid, browser ?? '')
  if (addressHash !== undefined) {
    yield* execute(upsertAddressSql, addressHash, uid, createdAt)
    yield* execute(deleteOldAddressesSql, uid)
  }
  return true
}

function* logEnded(hashes: string[], by: string | undefined): Command<string[]> {
  if (by !== undefined && hashes.length > 0)
    yield* logActivity({ kind: 'end-sessions', by, count: hashes.length })
  return hashes
}

/** What ends sessions returns the hashes of those that existed. */
export const sessionWrites = {
  /** Adds the session of a sign-in; otherwise as `insertSession`. Other sessions of the account are told of a browser not seen before. */
  *add(session: Session, passwordHash: string, addressHash?: string): Command<boolean> {
    const { hash, uid, browser } = session
    const seen = yield* selectOne<{ isKnown: unknown; isSeen: unknown }>(seenSql, uid, uid, browser ?? '')
    if (!(yield* insertSession(session, passwordHash, addressHash))) return false
    const isNews = Boolean(seen?.isKnown) && !seen?.isSeen
    const kind = isNews ? 'sign-in-new-browser' : seen?.isKnown ? 'sign-in' : 'sign-in-first'
    const entry = yield* logNumbered({ kind, by: uid, browser })
    if (isNews) yield* addNews(entry, uid, hash)
    return true
  },

  *touch(hash: string, lastSeenAt: number): Command<void> {
    const sql = 'UPDATE sessions SET "lastSeenAt" = greatest("lastSeenAt", ?) WHERE hash = ? RETURNING uid'
    const touched = yield* selectOne<{ uid: string }>(sql, lastSeenAt, hash)
    if (touched) yield* execute(upsertLastSeenSql, touched.uid, lastSeenAt)
  },

  /** `by`: the account whose owner ends them. */
  *end(hashes: string[], by?: string): Command<string[]> {
    const sql = 'DELETE FROM sessions WHERE hash = ANY (?) RETURNING hash'
    return yield* logEnded(hashesOf(yield* selectAll(sql, hashes)), by)
  },

  /** `by`: the account, if its owner ends them and nothing else is logged. */
  *endAll(uid: string, by?: string): Command<string[]> {
    const sql = 'DELETE FROM sessions WHERE uid = ? RETURNING hash'
    return yield* logEnded(hashesOf(yield* selectAll(sql, uid)), by)
  },

  *endExpired(createdBefore: number, seenBefore: number): Command<string[]> {
    const sql = 'DELETE FROM sessions WHERE "createdAt" < ? OR "lastSeenAt" < ? RETURNING hash'
    return hashesOf(yield* selectAll(sql, createdBefore, seenBefore))
  },
}

const columnsSql = 'hash, "lastSeenAt", sessions."createdAt" AS since, accounts.*'
const fromSql = 'FROM sessions JOIN accounts USING (uid) WHERE hash'
const oneSessionSql = `SELECT ${columnsSql} ${fromSql} = ?`
/** With the revision, which most requests with a session need. PostgreSQL only. */
const sessionsSql = `SELECT ${columnsSql}, (SELECT revision FROM register) AS revision ${fromSql} = ANY (?)`

interface SessionRow extends Account {
  hash: string
  lastSeenAt: number
  since: number
  revision?: number
}

export const sessionReads = {
  /** A secret that differs between registers. The same on all servers of the database, and after a change of the records' key. */
  *readRegisterKey(): Command<string> {
    return (yield* selectOne<{ key: string }>('SELECT "challengeKey" AS key FROM register'))?.key ?? ''
  },

  /** True if an account was signed in to from this address, see `maxRememberedAddresses`. */
  *isRemembered(addressHash: string): Command<boolean> {
    return (yield* selectOne('SELECT 1 FROM "signedInFrom" WHERE hash = ?', addressHash)) !== undefined
  },

  *find(hash: string): Command<AuthenticatedSession | undefined> {
    const row = yield* selectOne<SessionRow>(oneSessionSql, hash)
    return row && toSession(row)
  },

  listByAccount: (uid: string) =>
    selectAll<Session>('SELECT * FROM sessions WHERE uid = ? ORDER BY "createdAt"', uid),

  /** Returns those hashes whose session does not exist or would be ended by `endExpired`. */
  *findEnded(hashes: string[], createdBefore: number, seenBefore: number): Command<string[]> {
    const sql = 'SELECT hash FROM sessions WHERE hash = ANY (?) AND "createdAt" >= ? AND "lastSeenAt" >= ?'
    const live = new Set(hashesOf(yield* selectAll(sql, hashes, createdBefore, seenBefore)))
    return hashes.filter((hash) => !live.has(hash))
  },
}

export function* findSessions(hashes: string[]): Command<AuthenticatedSession[]> {
  return (yield* selectAll<SessionRow>(sessionsSql, hashes)).map(toSession)
}

function toSession({ hash, lastSeenAt, since, revision, ...account }: SessionRow): AuthenticatedSession {
  const session = { hash, uid: account.uid, createdAt: since, lastSeenAt }
  return { session, account, ...(revision === undefined ? {} : { revision }) }
}
