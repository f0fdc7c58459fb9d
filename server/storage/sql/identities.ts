import { toEmailKey } from '../../../contract/accounts.ts'
import type { Account, AnsweredChallenge, Identity, SsoOutcome, SsoSignIn } from '../types.ts'
import { accountReads, accountWrites, endMadeLinks } from './accounts.ts'
import { type Command, execute, lockRegister, selectAll, selectOne } from './command.ts'
import { logActivity } from './history.ts'
import { linkReads, linkWrites } from './links.ts'
import { answerChallenge, deletePasskeys, passkeyReads } from './passkeys.ts'
import { sessionWrites } from './sessions.ts'

const selectUidSql = 'SELECT uid FROM identities WHERE issuer = ? AND subject = ?'

const upsertIdentitySql = `
  INSERT INTO identities (issuer, subject, uid, "createdAt", "lastUsedAt") VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (issuer, subject) DO UPDATE
  SET uid = excluded.uid, "createdAt" = excluded."createdAt", "lastUsedAt" = excluded."lastUsedAt"`

/** Who signs in by single sign-on. The key is the issuer and the subject, never the email, which may change or go to somebody else. */
export const identityWrites = {
  /** Decides whether the person may sign in and to which account, connects it if it is the first time, and stores the session. */
  *signIn(signIn: SsoSignIn): Command<SsoOutcome> {
    const known = yield* signInKnown(signIn)
    if (known) return known
    // First sign-ins one at a time: the next then sees what this one has connected.
    yield* lockRegister()
    const connected = yield* signInKnown(signIn)
    if (connected) return connected
    if (!(yield* answerChallenge(signIn.challenge))) return { outcome: 'refused' }
    return yield* connectFirst(signIn)
  },

  /** Uses up the challenge. False if it was answered before, the session has ended, or the identity is not that of the account. */
  *confirm({ issuer, subject }: Identity, uid: string, sessionHash: string, challenge: AnsweredChallenge) {
    const session = yield* selectOne('SELECT 1 FROM sessions WHERE hash = ? AND uid = ?', sessionHash, uid)
    const found = yield* selectOne<{ uid: string }>(selectUidSql, issuer, subject)
    return (yield* answerChallenge(challenge)) && session !== undefined && found?.uid === uid
  },

  /**
   * Lets another person connect to the account, and ends its sessions and passkeys, which may be of the wrong one. Undefined if nobody
   * is connected.
   */
  *disconnect(uid: string): Command<string[] | undefined> {
    // Waits for a sign-in, whose session then ends; later ones wait for this.
    yield* execute('SELECT 1 FROM accounts WHERE uid = ? FOR NO KEY UPDATE', uid)
    if ((yield* execute('DELETE FROM identities WHERE uid = ?', uid)) === 0) return
    yield* deletePasskeys(uid)
    const ended = yield* sessionWrites.endAll(uid)
    yield* logActivity({ kind: 'disconnect-sso', account: uid })
    return ended
  },
}

/** Undefined if the identity is unknown or its account was removed. */
function* signInKnown(signIn: SsoSignIn): Command<SsoOutcome | undefined> {
  const { identity, challenge, session, addressHash, now } = signIn
  const { issuer, subject } = identity
  const uid = (yield* selectOne<{ uid: string }>(selectUidSql, issuer, subject))?.uid
  if (uid === undefined) return
  // Waits for a removal or `disconnect`, which then have ended this.
  const account = yield* selectOne<Account>('SELECT * FROM accounts WHERE uid = ? FOR SHARE', uid)
  if (!account) return
  if (!(yield* answerChallenge(challenge))) return { outcome: 'refused', uid }
  const sql = 'UPDATE identities SET "lastUsedAt" = ? WHERE issuer = ? AND subject = ? AND uid = ?'
  if ((yield* execute(sql, now, issuer, subject, uid)) === 0) return { outcome: 'refused' }
  yield* sessionWrites.add({ ...session, uid }, account.passwordHash, addressHash)
  return { outcome: 'done', account, ended: [] }
}

function* connectFirst(signIn: SsoSignIn): Command<SsoOutcome> {
  const { identity, email, newAccount, admitsAll, now } = signIn
  const present = email && (yield* accountReads.findByEmailKey(email.emailKey))
  const own = yield* selectOne<{ uid: string }>(selectUidSql, identity.issuer, identity.subject)
  if (present) {
    // Whose account was removed gets back one with the same email, never a colleague's by a new email.
    const isOwn = !own || (yield* readEmailKey(own.uid)) === email.emailKey
    return isOwn ? yield* takeOver(signIn, present) : { outcome: 'removed', ...own }
  }
  const former = own ?? (email && (yield* findRemoved(email.emailKey)))
  if (!email) return former ? { outcome: 'removed', ...former } : { outcome: 'unverified' }
  const account = { ...newAccount, ...email }
  const invitation =
    signIn.invitation === undefined
      ? undefined
      : yield* findInvitation(signIn.invitation, email.emailKey, now)
  if (typeof invitation === 'object') yield* linkWrites.acceptInvitation(invitation.hash, account, now)
  else if (former) return { outcome: 'removed', ...former }
  else if (admitsAll) yield* accountWrites.add(account, account.uid)
  else return { outcome: invitation ?? 'closed' }
  return yield* connect(signIn, account, [])
}

function* findInvitation(hash: string, emailKey: string, now: number) {
  const found = yield* linkReads.findInvitation(hash, now)
  if (!found) return 'invalid-link' as const
  return found.email === null || toEmailKey(found.email) === emailKey ? found : ('other-email' as const)
}

/** The email of an account, also of one that was removed. */
function* readEmailKey(uid: string): Command<string | undefined> {
  const person = yield* selectOne<{ email: string }>('SELECT email FROM people WHERE uid = ?', uid)
  return person && toEmailKey(person.email)
}

/** The removed account that had the email, however long ago. */
function* findRemoved(emailKey: string): Command<{ uid: string } | undefined> {
  const sql = 'SELECT uid, email FROM people WHERE "removedAt" IS NOT NULL'
  const removed = yield* selectAll<{ uid: string; email: string }>(sql)
  const found = removed.find(({ email }) => toEmailKey(email) === emailKey)
  return found && { uid: found.uid }
}

/** Whoever has signed up with somebody else's address must keep no way in. */
function* takeOver(signIn: SsoSignIn, { uid }: Account): Command<SsoOutcome> {
  const { issuer, subject } = signIn.identity
  const { passwordHash } = signIn.newAccount
  const account = yield* selectOne<Account>('SELECT * FROM accounts WHERE uid = ? FOR NO KEY UPDATE', uid)
  if (!account) return { outcome: 'refused' }
  const otherSql = 'SELECT 1 FROM identities WHERE issuer = ? AND uid = ? AND subject <> ?'
  if (yield* selectOne(otherSql, issuer, uid, subject)) return { outcome: 'other-person', uid }
  const passkeys = (yield* passkeyReads.list(uid)).length
  const ended = (yield* accountWrites.replacePassword({ uid, passwordHash, isLogged: false })) ?? []
  yield* endMadeLinks(uid)
  const replaced = { passwordHash: account.passwordHash, passkeys }
  return yield* connect(signIn, { ...account, passwordHash }, ended, replaced)
}

function* connect(
  { identity, session, addressHash, now }: SsoSignIn,
  account: Account,
  ended: string[],
  replaced?: { passwordHash: string; passkeys: number },
): Command<SsoOutcome> {
  const { uid, passwordHash } = account
  yield* execute(upsertIdentitySql, identity.issuer, identity.subject, uid, now, now)
  yield* logActivity({ kind: 'connect-sso', by: uid })
  yield* sessionWrites.add({ ...session, uid }, passwordHash, addressHash)
  return { outcome: 'done', account, ended, isFirst: true, ...(replaced && { replaced }) }
}

export const identityReads = {
  /** The account that signs in as this; undefined also if it was removed. */
  findAccount: ({ issuer, subject }: Identity) =>
    selectOne<Account>(
      'SELECT accounts.* FROM identities JOIN accounts USING (uid) WHERE issuer = ? AND subject = ?',
      issuer,
      subject,
    ),

  /** The `uid` of the accounts that sign in by single sign-on, or of this one if it does. */
  *listConnected(uid?: string): Command<string[]> {
    const sql = 'SELECT DISTINCT uid FROM identities'
    const rows = yield* uid === undefined
      ? selectAll<{ uid: string }>(sql)
      : selectAll<{ uid: string }>(`${sql} WHERE uid = ?`, uid)
    return rows.map((row) => row.uid)
  },
}
