import type { InvitationInfo, SignUpPolicy } from '../../../contract/accounts.ts'
import type { HandoverInfo } from '../../../contract/handovers.ts'
import { type Account, createAccounts } from './accounts.ts'
import { createMemoryDatabase } from './database.ts'

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

export type MemoryService = ReturnType<typeof createService>

/** What all clients share. `getTime` returns milliseconds since 1970. */
export function createService(getTime: () => number) {
  const settings: ServiceSettings = { signUp: 'open', keptDays: 30 }
  /** The links by their tokens. Those that were used or revoked are removed. */
  const links = {
    invitations: new Map<string, InvitationInfo & { maker?: Account }>(),
    resets: new Map<string, { account: Account; expiresAt: string }>(),
    handovers: new Map<string, Handover>(),
  }
  const database = createMemoryDatabase({
    getTime,
    onSecretsEnded: (id) => removeWhere(links.handovers, ({ record }) => record === id),
  })
  const accounts = createAccounts(getTime)

  return {
    ...{ settings, links, database, accounts, getTime },
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
