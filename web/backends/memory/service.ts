import type { InvitationInfo, SignUpPolicy } from '../../../contract/accounts.ts'
import type { HandoverInfo } from '../../../contract/handovers.ts'
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
}

export const createServiceState = (): ServiceState => ({
  ...createDatabaseState(),
  ...createAccountsState(),
  links: { invitations: new Map(), resets: new Map(), handovers: new Map() },
})

export interface ServiceOptions {
  state: ServiceState
  /** Returns milliseconds since 1970. */
  getTime(): number
  /** Whether every email and password is right, as on the demo page. No password is then kept. */
  admitsAnyone: boolean
}

export type MemoryService = ReturnType<typeof createService>

/** What all clients share. */
export function createService({ state, getTime, admitsAnyone }: ServiceOptions) {
  const settings: ServiceSettings = { signUp: 'open', keptDays: 30 }
  const { links } = state
  const database = createMemoryDatabase({
    state,
    getTime,
    onSecretsEnded: (id) => removeWhere(links.handovers, ({ record }) => record === id),
  })
  const accounts = createAccounts(state, getTime)

  return {
    ...{ settings, links, database, accounts, getTime, admitsAnyone },
    /** Removes an account with its sessions and open links. Without `by`, an email, the operator does it. */
    removeAccount(account: Account, by?: string) {
      accounts.remove(account, database.changes.length, by)
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
