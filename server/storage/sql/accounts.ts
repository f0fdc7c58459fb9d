import { toEmailKey } from '../../../contract/accounts.ts'
import { activityOfAccount, activityOfReplacement } from '../activity.ts'
import type { Person } from '../history.ts'
import type { Account, PasswordReplacement } from '../storage.ts'
import { type Command, execute, selectAll, selectOne } from './command.ts'
import { logActivity } from './history.ts'
import { sessionCommands } from './sessions.ts'

const insertAccountSql = `
  INSERT INTO accounts (uid, email, "emailKey", "passwordHash", "createdAt") VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

/** An import may bring a person's account back. */
const upsertPersonSql = `
  INSERT INTO people (uid, email, "createdAt") VALUES (?, ?, ?)
  ON CONFLICT (uid) DO UPDATE SET email = excluded.email, "removedAt" = NULL, "removedRevision" = NULL`

/** False if its email has an account. */
export function* insertAccount(account: Account): Command<boolean> {
  const { uid, email, emailKey, passwordHash, createdAt } = account
  if ((yield* execute(insertAccountSql, uid, email, emailKey, passwordHash, createdAt)) === 0) return false
  yield* execute(upsertPersonSql, uid, email, createdAt)
  return true
}

const updateHashSql = `
  UPDATE accounts SET "passwordHash" = ? WHERE uid = ? AND "passwordHash" = coalesce(?, "passwordHash")`

const updatePersonSql = `
  UPDATE people SET "removedAt" = now_ms(), "removedRevision" = latest_revision() WHERE uid = ?`

/** The commands that write accounts; see `AccountStorage`. */
export const accountCommands = {
  *addAccount(account: Account, by?: string): Command<boolean> {
    const isAdded = yield* insertAccount(account)
    if (isAdded) yield* logActivity(activityOfAccount(account.uid, by))
    return isAdded
  },

  *setPasswordHash(uid: string, passwordHash: string, expectedHash?: string): Command<boolean> {
    return (yield* execute(updateHashSql, passwordHash, uid, expectedHash)) === 1
  },

  *replacePassword(replacement: PasswordReplacement): Command<string[] | undefined> {
    const { uid, passwordHash, expectedHash, resetLink, newSession } = replacement
    if (resetLink) {
      // The next statement then sees whether a concurrent replacement has used up the link.
      yield* execute('SELECT 1 FROM accounts WHERE uid = ? FOR NO KEY UPDATE', uid)
      const sql = 'SELECT 1 FROM "resetLinks" WHERE uid = ? AND hash = ? AND "expiresAt" > ?'
      if (!(yield* selectOne(sql, uid, resetLink.hash, resetLink.now))) return
    }
    if (!(yield* accountCommands.setPasswordHash(uid, passwordHash, expectedHash))) return
    yield* execute('DELETE FROM "resetLinks" WHERE uid = ?', uid)
    const ended = yield* sessionCommands.endAllSessions(uid)
    if (newSession)
      yield* sessionCommands.addSession(newSession.session, passwordHash, newSession.addressHash)
    if (!replacement.isRemoval) yield* logActivity(activityOfReplacement(replacement))
    return ended
  },

  *removeAccount(uid: string): Command<boolean> {
    if ((yield* execute('DELETE FROM accounts WHERE uid = ?', uid)) === 0) return false
    yield* execute(updatePersonSql, uid)
    yield* logActivity({ kind: 'remove-account', account: uid })
    return true
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
export const findByEmailKey = (emailKey: string) =>
  selectOne<Account>('SELECT * FROM accounts WHERE "emailKey" = ?', emailKey.replaceAll('\0', ' '))

export const listAccounts = () => selectAll<Account>('SELECT * FROM accounts ORDER BY "createdAt", uid')

export function* listLastSeen(): Command<Map<string, number>> {
  const rows = yield* selectAll<{ uid: string; at: number }>('SELECT uid, at FROM "lastSeen"')
  return new Map(rows.map(({ uid, at }) => [uid, at]))
}
