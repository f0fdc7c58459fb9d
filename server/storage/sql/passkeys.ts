import { maxPasskeys } from '../../../contract/passkeys.ts'
import type {
  Account,
  AnsweredChallenge,
  FoundPasskey,
  Passkey,
  PasskeyOutcome,
  PasskeyUse,
} from '../types.ts'
import { type Command, execute, selectAll, selectOne } from './command.ts'
import { logActivity } from './history.ts'
import { sessionWrites } from './sessions.ts'

const insertPasskeySql = `
  INSERT INTO passkeys (id, uid, name, "publicKey", counter, "isBackedUp", "createdAt") VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

const insertChallengeSql =
  'INSERT INTO "answeredChallenges" (nonce, "expiresAt") VALUES (?, ?) ON CONFLICT DO NOTHING'

/** False if it was answered before. */
export function* answerChallenge({ nonce, expiresAt }: AnsweredChallenge): Command<boolean> {
  return (yield* execute(insertChallengeSql, nonce, expiresAt)) === 1
}

export const deletePasskeys = (uid: string) => execute('DELETE FROM passkeys WHERE uid = ?', uid)

/** Clocks of servers differ by less: an answered challenge is forgotten only when all of them refuse it. */
const maxClockDifferenceMs = 60 * 60_000

/** What sets a password without the old one removes all passkeys of the account. A removed account is let back in without them. */
export const passkeyWrites = {
  *add(
    { id, uid, name, publicKey, counter, isBackedUp, createdAt }: Passkey,
    challenge: AnsweredChallenge,
    sessionHash: string,
  ): Command<PasskeyOutcome> {
    // Waits for a reset of the password or a removal, which end the session. Passkeys are counted and added one at a time.
    yield* execute('SELECT 1 FROM accounts WHERE uid = ? FOR NO KEY UPDATE', uid)
    const session = yield* selectOne('SELECT 1 FROM sessions WHERE hash = ? AND uid = ?', sessionHash, uid)
    if (!session || !(yield* answerChallenge(challenge))) return 'refused'
    if ((yield* passkeyReads.list(uid)).length >= maxPasskeys) return 'too-many-passkeys'
    const values = [id, uid, name, publicKey, counter, Number(isBackedUp), createdAt]
    if ((yield* execute(insertPasskeySql, ...values)) === 0) return 'refused'
    yield* logActivity({ kind: 'add-passkey', by: uid })
    return 'done'
  },

  /** False if the account has no such passkey. `by`: the account that removes it; undefined for the operator. */
  *remove(id: string, uid: string, by?: string): Command<boolean> {
    const removed = yield* execute('DELETE FROM passkeys WHERE id = ? AND uid = ?', id, uid)
    if (removed === 0) return false
    yield* logActivity({ kind: 'remove-passkey', by, ...(by === undefined ? { account: uid } : {}) })
    return true
  },

  /** Stores the session, and that the passkey was used; unless `done`, only that the challenge was answered. */
  *signIn(use: PasskeyUse): Command<PasskeyOutcome> {
    const { id, counter, isBackedUp, challenge, session, addressHash } = use
    // Before the passkey, as in a reset of the password, which this waits for.
    const sql = 'SELECT "passwordHash" FROM accounts WHERE uid = ? FOR SHARE'
    const account = yield* selectOne<Account>(sql, session.uid)
    const passkey = yield* selectOne<Passkey>('SELECT counter FROM passkeys WHERE id = ? FOR UPDATE', id)
    if (!account || !passkey || !(yield* answerChallenge(challenge))) return 'refused'
    // Authenticators that count nothing always send 0.
    if (passkey.counter >= Math.max(counter, 1)) return 'counter-went-back'
    yield* execute(
      'UPDATE passkeys SET counter = ?, "isBackedUp" = ?, "lastUsedAt" = ? WHERE id = ?',
      counter,
      Number(isBackedUp),
      session.createdAt,
      id,
    )
    const isAdded = yield* sessionWrites.add(session, account.passwordHash, addressHash)
    return isAdded ? 'done' : 'refused'
  },

  /** Removes what no request can use any more. */
  *removeExpired(now: number): Command<void> {
    yield* execute('DELETE FROM "answeredChallenges" WHERE "expiresAt" <= ?', now - maxClockDifferenceMs)
    yield* execute(
      `DELETE FROM passkeys WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.uid = passkeys.uid)
       AND NOT EXISTS (SELECT 1 FROM "removedAccounts" WHERE "removedAccounts".uid = passkeys.uid)`,
    )
  },
}

const toPasskey = (row: Passkey): Passkey => ({ ...row, isBackedUp: Boolean(row.isBackedUp) })

export const passkeyReads = {
  *list(uid: string): Command<Passkey[]> {
    const sql = 'SELECT * FROM passkeys WHERE uid = ? ORDER BY "createdAt", id'
    return (yield* selectAll<Passkey>(sql, uid)).map(toPasskey)
  },

  /** Runs the same statements for an unknown passkey. */
  *find(id: string): Command<FoundPasskey | undefined> {
    const row = yield* selectOne<Passkey>('SELECT * FROM passkeys WHERE id = ?', id)
    const uid = row?.uid ?? ''
    const account = yield* selectOne<Account>('SELECT * FROM accounts WHERE uid = ?', uid)
    const removed = yield* selectOne<Account>('SELECT * FROM "removedAccounts" WHERE uid = ?', uid)
    const found = account ?? removed
    return row && found && { passkey: toPasskey(row), account: found, isRemoved: !account }
  },

  /**
   * A secret that all servers of the database share. With the epoch, so that challenges from before a restore, whose answers are
   * forgotten, are not recognized.
   */
  *readChallengeKey(): Command<string> {
    const row = yield* selectOne<{ key: string }>('SELECT "challengeKey" || epoch AS key FROM register')
    return row?.key ?? ''
  },
}
