import {
  type Colleague,
  type InvitationInfo,
  type SignUpPolicy,
  toTimestamp,
} from '../../../contract/accounts.ts'
import type { ActivityEntry } from '../../../contract/activity/activity.ts'
import type { HandoverInfo } from '../../../contract/handovers.ts'
import { createServiceError } from '../service-error.ts'
import { type Account, type AccountsState, createAccounts, createAccountsState } from './accounts.ts'
import { createDatabaseState, createMemoryDatabase, type DatabaseState } from './database.ts'

/** A link to a credential: open, or the latest of its record that was opened. */
export interface Handover extends HandoverInfo {
  sealed: string
  maker: Account
  opened?: { at: number; key: string }
}

export interface ServiceSettings {
  signUp: SignUpPolicy
  /** How long deleted records can be restored; 0: not at all. */
  keptDays: number
}

/** The links by their tokens. Those that were used or revoked are removed, except for opened hand-overs. */
interface Links {
  invitations: Map<string, InvitationInfo & { maker?: Account }>
  resets: Map<string, { account: Account; expiresAt: string }>
  handovers: Map<string, Handover>
}

/** All that the service stores. */
export interface ServiceState extends DatabaseState, AccountsState {
  links: Links
  /** The oldest first. */
  activity: ActivityEntry[]
  /** What accounts, by their emails, are to be told. */
  news: { person: string; entry: ActivityEntry }[]
}

export const createServiceState = (): ServiceState => ({
  ...createDatabaseState(),
  ...createAccountsState(),
  links: { invitations: new Map(), resets: new Map(), handovers: new Map() },
  activity: [],
  news: [],
})

export interface ServiceOptions {
  state: ServiceState
  /** Returns milliseconds since 1970. */
  getTime(): number
  /** Returns why an account can't have a password. Without it, every email and password is right, and no password is kept. */
  findPasswordProblem: ((password: string) => string | undefined) | null
  /** Says of each account whose email looks like that of another one. Without it, no email is marked. */
  markLookAlikes(colleagues: Colleague[]): Colleague[]
}

export type MemoryService = ReturnType<typeof createService>

/** What all clients share. */
export function createService(options: ServiceOptions) {
  const { state, getTime, findPasswordProblem, markLookAlikes } = options
  const settings: ServiceSettings = { signUp: 'open', keptDays: 30 }
  const { links, activity } = state

  /** Adds an entry to the log. */
  function log(entry: Omit<ActivityEntry, 'id' | 'at'> & { at?: string }) {
    const logged = { id: String(activity.length + 1), at: toTimestamp(getTime()), ...entry }
    activity.push(logged)
    if (entry.kind === 'open-hand-over' && entry.account)
      state.news.push({ person: entry.account, entry: logged })
  }

  const database = createMemoryDatabase({
    state,
    getTime,
    onSecretsEnded: (id) => removeWhere(links.handovers, ({ record }) => record === id),
    onEvent: log,
  })
  const accounts = createAccounts(state, getTime)

  return {
    settings,
    links,
    activity,
    state,
    log,
    database,
    accounts,
    getTime,
    findPasswordProblem,
    markLookAlikes,
    admitsAnyone: findPasswordProblem === null,
    /** Removes an account with its sessions and open links. Without `by`, an email, the operator does it. */
    removeAccount(account: Account, by?: string) {
      accounts.remove(account, database.changes.length, by)
      log({ kind: 'remove-account', account: account.user.email, ...(by && { by }) })
      removeWhere(links.invitations, ({ maker }) => maker === account)
      removeWhere(links.resets, (link) => link.account === account)
      removeWhere(links.handovers, ({ maker, opened }) => maker === account && !opened)
      database.notify()
    },
  }
}

export function removeWhere<Link>(links: Map<string, Link>, isRemoved: (link: Link) => boolean): void {
  for (const [token, link] of links) if (isRemoved(link)) links.delete(token)
}

/** Rejects with `sign-up-closed` without a token, and with `invalid-link` if it can't be used. */
export function requireInvitation(service: MemoryService, token: string): InvitationInfo {
  const invitation = service.links.invitations.get(token)
  if (!token) throw createServiceError('sign-up-closed')
  if (!invitation || !(Date.parse(invitation.expiresAt) > service.getTime()))
    throw createServiceError('invalid-link')
  return invitation
}
