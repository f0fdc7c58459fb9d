import {
  type Colleague,
  letInDays,
  type SignedIn,
  toEmailKey,
  toTimestamp,
  type User,
} from '../../../contract/accounts.ts'
import { cleanEmail } from '../../../contract/employees.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'

export interface Account {
  user: User
  password: string
  origin: Pick<Colleague, 'invitation'>
  lastSeenAt?: string
  resetLinks?: SignedIn['resetLinks']
}

export interface Session {
  id: string
  account: Account
  createdAt: string
  lastSeenAt: string
}

interface RemovedAccount {
  account: Account
  removedAt: string
  removedBy?: string
  /** The revision of the records when it was removed. */
  revision: number
}

export const dayMs = 24 * 60 * 60_000

export type Accounts = ReturnType<typeof createAccounts>

export interface AccountsState {
  accounts: Map<string, Account>
  removed: Map<string, RemovedAccount>
  sessions: Map<string, Session>
}

export const createAccountsState = (): AccountsState => ({
  accounts: new Map(),
  removed: new Map(),
  sessions: new Map(),
})

/** The accounts, also those that were removed, and their sessions. */
export function createAccounts({ accounts, removed, sessions }: AccountsState, getTime: () => number) {
  const now = () => toTimestamp(getTime())

  const find = (email: string) =>
    [...accounts.values()].find(({ user }) => toEmailKey(user.email) === toEmailKey(email))
  const sessionsOf = (account: Account) =>
    [...sessions.values()].filter((session) => session.account === account)
  const canReturn = ({ removedAt, removedBy }: RemovedAccount) =>
    removedBy !== undefined && Date.parse(removedAt) > getTime() - letInDays * dayMs

  function endSessions(account: Account, mustEnd: (session: Session) => boolean = () => true) {
    for (const session of sessionsOf(account)) if (mustEnd(session)) sessions.delete(session.id)
  }

  function toColleague({ user, origin, lastSeenAt }: Account): Colleague {
    const { uid: id, email, createdAt } = user
    return { ...origin, id, email, createdAt, ...(lastSeenAt && { lastSeenAt }) }
  }

  return {
    ...{ find, sessionsOf, endSessions },
    get: (uid: string) => accounts.get(uid),
    getRemoved: (uid: string) => removed.get(uid),

    /** The latest removed account of this email that can be let back in. */
    findRemoved: (email: string) =>
      [...removed.values()].findLast(
        (each) => canReturn(each) && toEmailKey(each.account.user.email) === toEmailKey(email),
      )?.account,

    create(email: string, password: string, origin: Account['origin']): Account {
      const user = { uid: newIdempotencyKey(), email: cleanEmail(email), createdAt: now() }
      const account = { user, password, origin }
      accounts.set(user.uid, account)
      return account
    },

    /** Without `by`, an email, the operator removes it. */
    remove(account: Account, revision: number, by?: string) {
      accounts.delete(account.user.uid)
      endSessions(account)
      removed.set(account.user.uid, {
        ...{ account, revision, removedAt: now() },
        ...(by && { removedBy: by }),
      })
    },

    /** Returns whether the account could be let back in. */
    letIn(uid: string): boolean {
      const found = removed.get(uid)
      if (!found || !canReturn(found)) return false
      removed.delete(uid)
      accounts.set(uid, found.account)
      return true
    },

    /** Those with an account, the oldest first, then those that were removed. */
    list: (): Colleague[] => [
      ...Array.from(accounts.values(), toColleague),
      ...Array.from(removed.values(), (each) => ({
        ...toColleague(each.account),
        removedAt: each.removedAt,
        ...(each.removedBy && { removedBy: each.removedBy }),
        ...(canReturn(each) && { canReturn: true as const }),
      })),
    ],

    startSession(account: Account): Session {
      const session = { id: newIdempotencyKey(), account, createdAt: now(), lastSeenAt: now() }
      sessions.set(session.id, session)
      account.lastSeenAt = now()
      return session
    },

    isLive: ({ id }: Session) => sessions.has(id),

    /** Returns the account of a session that has not ended. */
    use(session: Session | undefined): Account | undefined {
      if (!session || !sessions.has(session.id)) return
      session.lastSeenAt = now()
      session.account.lastSeenAt = now()
      return session.account
    },
  }
}
