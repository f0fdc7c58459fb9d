import { toTimestamp } from '../../../contract/accounts.ts'
import { linkTtlMs } from '../../../contract/links.ts'
import { createSecret } from '../create-secret.ts'
import type { TeamService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import type { Account } from './accounts.ts'
import { answer, type Client, forSignedIn } from './client.ts'
import { createHandovers } from './handovers.ts'
import { createInvitations } from './invitations.ts'
import { acceptPassword, requirePassword } from './passwords.ts'
import { type MemoryService, removeWhere } from './service.ts'

export function createTeamService(service: MemoryService, client: Client): TeamService {
  return {
    ...createInvitations(service, client),
    ...createHandovers(service, client),
    ...createPasswordResets(service, client),
    ...createMembers(service, client),
  }
}

type Members = Pick<TeamService, 'listColleagues' | 'removeColleague' | 'letIn'>

function createMembers(service: MemoryService, client: Client): Members {
  const { accounts } = service
  return forSignedIn<Members>(service, client, {
    listColleagues: () => service.markLookAlikes(accounts.list()),
    removeColleague(own, id, password) {
      requirePassword(service, own, password)
      service.removeAccount(findOther(service, own, id), own.user.email)
    },
    letIn(own, id) {
      const removed = accounts.getRemoved(id)
      if (removed && accounts.find(removed.account.user.email)) throw createServiceError('account-exists')
      if (!accounts.letIn(id)) throw createServiceError('not-found')
      const account = accounts.get(id)?.user.email ?? ''
      service.log({ kind: 'let-in-account', by: own.user.email, account })
    },
  })
}

type PasswordResets = Pick<TeamService, 'checkPasswordReset' | 'resetPassword' | 'createPasswordReset'>

function createPasswordResets(service: MemoryService, client: Client): PasswordResets {
  const { accounts, database, getTime } = service
  const { resets } = service.links

  function requireReset(token: string): Account {
    const link = resets.get(token)
    if (!link || !(Date.parse(link.expiresAt) > getTime())) throw createServiceError('invalid-link')
    return link.account
  }

  return {
    checkPasswordReset: (token) => answer(() => ({ email: requireReset(token).user.email })),
    resetPassword: (token, newPassword) =>
      answer(() => {
        const account = requireReset(token)
        account.password = acceptPassword(service, newPassword, 'newPassword')
        resets.delete(token)
        accounts.endSessions(account)
        service.log({ kind: 'use-reset-link', by: account.user.email })
        database.notify()
      }),
    ...forSignedIn<Pick<PasswordResets, 'createPasswordReset'>>(service, client, {
      createPasswordReset(own, id, password) {
        requirePassword(service, own, password)
        const account = findOther(service, own, id)
        const others = account.resetLinks?.filter(({ by }) => by !== own.user.email) ?? []
        account.resetLinks = [{ by: own.user.email, at: toTimestamp(getTime()) }, ...others]
        service.log({ kind: 'create-reset-link', by: own.user.email, account: account.user.email })
        return addReset(service, account)
      },
    }),
  }
}

/** Replaces an earlier link of the account. */
export function addReset({ links, getTime }: MemoryService, account: Account) {
  const [token, expiresAt] = [createSecret(), toTimestamp(getTime() + linkTtlMs.reset)]
  removeWhere(links.resets, (link) => link.account === account)
  links.resets.set(token, { account, expiresAt })
  return { token, expiresAt }
}

function findOther({ accounts }: MemoryService, own: Account, id: string): Account {
  const other = accounts.get(id)
  if (!other || other === own) throw createServiceError('not-found')
  return other
}
