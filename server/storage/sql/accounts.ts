import { toEmailKey } from '../../../contract/accounts.ts'
import { activityOfAccount, activityOfReplacement } from '../activity.ts'
import type { Person } from '../history.ts'
import type { Account, PasswordReplacement } from '../types.ts'
import { type Command, execute, lockRegister, selectAll, selectOne } from './command.ts'
import { logActivity, personSql } from './history.ts'
import { deletePasskeys } from './passkeys.ts'
import { insertSession, sessionWrites } from './sessions.ts'

const insertAccountSql = `
  INSERT INTO accounts (uid, email, "emailKey", "passwordHash", "createdAt") VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

/** An import may bring a person's account back. */
const upsertPersonSql = `
  INSERT INTO people (uid, email, "createdAt") VALUES (?, ?, ?)
  ON CONFLICT (uid) DO UPDATE
  SET email = excluded.email, "removedAt" = NULL, "removedRevision" = NULL, "removedBy" = NULL`

/** False if its email has an account. */
export function* insertAccount(account: Account): Command<boolean> {
  const { uid, email, emailKey, passwordHash, createdAt } = account
  if ((yield* execute(insertAccountSql, uid, email, emailKey, passwordHash, createdAt)) === 0) return false
  yield* execute(upsertPersonSql, uid, email, createdAt)
  yield* forgetAccount(uid)
  yield* deletePasskeys(uid)
  return true
}

const updateHashSql = `
  UPDATE accounts SET "passwordHash" = ? WHERE uid = ? AND "passwordHash" = coalesce(?, "passwordHash")`

const updatePersonSql = `
  UPDATE people SET "removedAt" = now_ms(), "removedRevision" = latest_revision(), "removedBy" = ${personSql} WHERE uid = ?`

/** Links of other accounts for which no colleague has made one since this account has: it may still have them. */
const deleteMadeLinksSql = `
  DELETE FROM "resetLinks" WHERE uid IN (
    SELECT people.uid FROM "resetLinkMakers" AS made JOIN people ON people.id = made.account
    WHERE made.maker = ${personSql}
      AND made.at = (SELECT max(at) FROM "resetLinkMakers" AS latest WHERE latest.account = made.account))`

const keepAccountSql = `
  INSERT INTO "removedAccounts" (uid, email, "emailKey", "passwordHash", "createdAt")
  SELECT uid, email, "emailKey", "passwordHash", "createdAt" FROM accounts WHERE uid = ?`

/** Ends what an account has made that lets somebody in. */
export function* endMadeLinks(uid: string): Command<void> {
  yield* execute('DELETE FROM invitations WHERE uid = ?', uid)
  yield* execute(deleteMadeLinksSql, uid)
}

/** A removed account cannot be let back in then. Returns the number of accounts. */
const forgetAccount = (uid: string) => execute('DELETE FROM "removedAccounts" WHERE uid = ?', uid)

/** Removes an account that these people, of another database, show as removed. It can be let back in if it could there. */
export function* removeAgain(uid: string, people: Person[]): Command<void> {
  if (people.some(({ kept }) => kept === uid)) yield* execute(keepAccountSql, uid)
  yield* accountWrites.remove(uid)
}

/** Adds somebody whom another database shows as removed, unless known here: a later restore may bring the account. */
export function* rememberFormer({ uid, kept, ...person }: Person): Command<void> {
  const sql = `
    INSERT INTO people (uid, email, "createdAt", "removedAt", "removedRevision", "removedBy")
    VALUES (?, ?, ?, ?, latest_revision(), ${personSql}) ON CONFLICT DO NOTHING`
  yield* execute(sql, uid, person.email, person.createdAt, person.removedAt, person.removedBy)
  if (kept === null) yield* forgetAccount(uid)
}

/** SQL: keeps only the times of links that were opened. */
export const wipeTakenSql =
  'UPDATE handovers SET uid = NULL, sealed = NULL, "takeKey" = NULL WHERE "openedAt" IS NOT NULL'

/** SQL: several statements for a database that was restored. Links that were used or revoked since then must not work again. */
export const endAccessSql = `
  DELETE FROM sessions; DELETE FROM invitations; DELETE FROM "resetLinks";
  DELETE FROM handovers WHERE "openedAt" IS NULL; ${wipeTakenSql}`

/** Whether there are all these accounts. Waits for their removal, and a later one waits for this transaction. */
export function* haveAccounts(...uids: string[]): Command<boolean> {
  const sql = 'SELECT uid FROM accounts WHERE uid = ANY (?) ORDER BY uid FOR KEY SHARE'
  return (yield* selectAll(sql, uids)).length === new Set(uids).size
}

export const accountWrites = {
  /** False if an account with this `emailKey` exists. `by`: who adds it, its own `uid` at sign-up. */
  *add(account: Account, by?: string): Command<boolean> {
    const isAdded = yield* insertAccount(account)
    if (isAdded) yield* logActivity(activityOfAccount(account.uid, by))
    return isAdded
  },

  /** False if there is no such account, or if `expectedHash` is given and is not the account's hash. */
  *setPasswordHash(uid: string, passwordHash: string, expectedHash?: string): Command<boolean> {
    return (yield* execute(updateHashSql, passwordHash, uid, expectedHash)) === 1
  },

  /** Returns the hashes of the ended sessions; undefined where `setPasswordHash` returns false, or without the link. */
  *replacePassword(replacement: PasswordReplacement): Command<string[] | undefined> {
    const { uid, passwordHash, expectedHash, resetLink, newSession } = replacement
    if (resetLink) {
      // The next statement then sees whether a concurrent replacement has used up the link.
      yield* execute('SELECT 1 FROM accounts WHERE uid = ? FOR NO KEY UPDATE', uid)
      const sql = 'SELECT 1 FROM "resetLinks" WHERE uid = ? AND hash = ? AND "expiresAt" > ?'
      if (!(yield* selectOne(sql, uid, resetLink.hash, resetLink.now))) return
    }
    if (!(yield* accountWrites.setPasswordHash(uid, passwordHash, expectedHash))) return
    yield* execute('DELETE FROM "resetLinks" WHERE uid = ?', uid)
    const ended = yield* sessionWrites.endAll(uid)
    if (newSession) yield* insertSession(newSession.session, passwordHash, newSession.addressHash)
    else yield* deletePasskeys(uid)
    if (replacement.isLogged !== false) yield* logActivity(activityOfReplacement(replacement))
    return ended
  },

  /**
   * Removes its sessions, links and remembered addresses too, and of an account that a colleague has removed, what `letIn` needs; its
   * email stays. Returns false if there is none.
   */
  *remove(uid: string, by?: string): Command<boolean> {
    yield* lockRegister()
    yield* execute(`${wipeTakenSql} AND uid = ?`, uid)
    if ((yield* execute('DELETE FROM accounts WHERE uid = ?', uid)) === 1) {
      yield* execute(deleteMadeLinksSql, uid)
      yield* execute(updatePersonSql, by, uid)
    } else if ((yield* forgetAccount(uid)) === 0) return false
    yield* logActivity({ kind: 'remove-account', account: uid, by })
    return true
  },

  /**
   * Removes the account on behalf of another, and keeps what `letIn` needs. Returns the hashes of the ended sessions; undefined if
   * one of the two accounts does not exist, so that the last one stays.
   */
  *removeColleague(uid: string, by: string): Command<string[] | undefined> {
    yield* lockRegister()
    // In the order of ids, so that of two who remove each other one stays.
    const sql = 'SELECT uid FROM accounts WHERE uid = ANY (?) ORDER BY uid FOR UPDATE'
    if ((yield* selectAll(sql, [uid, by])).length < 2) return
    yield* execute(keepAccountSql, uid)
    const ended = yield* sessionWrites.endAll(uid)
    yield* accountWrites.remove(uid, by)
    return ended
  },

  /** Call when nothing is sent any more to a removed account: this is its `removedAt`, and what changes later is unknown to it. */
  *confirmRemoval(uid: string): Command<void> {
    const setSql = '"removedAt" = now_ms(), "removedRevision" = latest_revision()'
    yield* execute(`UPDATE people SET ${setSql} WHERE uid = ? AND "removedAt" IS NOT NULL`, uid)
  },

  /** Adds a removed account again. `not-found` also if `by` has no account. Without `by`, the operator does it. */
  *letIn(uid: string, by?: string): Command<'done' | 'not-found' | 'account-exists'> {
    if (by !== undefined && !(yield* haveAccounts(by))) return 'not-found'
    const sql = 'SELECT * FROM "removedAccounts" WHERE uid = ? FOR UPDATE'
    const account = yield* selectOne<Account>(sql, uid)
    if (!account) return 'not-found'
    if (!(yield* insertAccount(account))) return 'account-exists'
    yield* logActivity({ kind: 'let-in-account', account: uid, by })
    return 'done'
  },

  /** Deletes what `letIn` needs of accounts that were removed until then. */
  *forgetRemoved(removedUntil: number): Command<void> {
    const sql = 'DELETE FROM "removedAccounts" WHERE uid IN (SELECT uid FROM people WHERE "removedAt" <= ?)'
    yield* execute(sql, removedUntil)
  },
}

/** Returns a function that tells whether an account was removed, or its email has had one, and has none now. */
export function isFormer(people: Pick<Person, 'uid' | 'email' | 'removedAt'>[]) {
  const isPresent = ({ removedAt }: Pick<Person, 'removedAt'>) => removedAt === null
  const former = people.filter((person) => !isPresent(person))
  const known = new Set(former.flatMap(({ uid, email }) => [uid, toEmailKey(email)]))
  for (const { email } of people.filter(isPresent)) known.delete(toEmailKey(email))
  return ({ uid, emailKey }: Account) => known.has(uid) || known.has(emailKey)
}

/** PostgreSQL rejects text with U+0000; no stored email contains it. */
const toText = (emailKey: string) => emailKey.replaceAll('\0', ' ')

export const accountReads = {
  findByEmailKey: (emailKey: string) =>
    selectOne<Account>('SELECT * FROM accounts WHERE "emailKey" = ?', toText(emailKey)),

  list: () => selectAll<Account>('SELECT * FROM accounts ORDER BY "createdAt", uid'),

  /** Maps each `uid` to its last request, in milliseconds since 1970, even if its sessions have ended. */
  *listLastSeen(): Command<Map<string, number>> {
    const rows = yield* selectAll<{ uid: string; at: number }>('SELECT uid, at FROM "lastSeen"')
    return new Map(rows.map(({ uid, at }) => [uid, at]))
  },

  /** The account as it was, if a colleague has removed it and it can be let back in; the latest, if several had this email. */
  findRemoved: (emailKey: string) =>
    selectOne<Account>(
      `SELECT "removedAccounts".* FROM "removedAccounts" JOIN people USING (uid) WHERE "emailKey" = ?
       ORDER BY "removedAt" DESC`,
      toText(emailKey),
    ),

  /**
   * The emails of the colleagues who have made reset links for the account since then, and when each has last, in milliseconds
   * since 1970; the latest first.
   */
  listResetLinkMakers: (uid: string, since: number) =>
    selectAll<{ by: string; at: number }>(
      `SELECT maker.email AS "by", at FROM "resetLinkMakers" JOIN people AS maker ON maker.id = maker
       WHERE account = ${personSql} AND at > ? ORDER BY at DESC, maker.email`,
      uid,
      since,
    ),
}
