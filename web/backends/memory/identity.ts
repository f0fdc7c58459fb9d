import { isAccountEmail, type SignedIn, toEmailKey } from '../../../contract/accounts.ts'
import type { IdentityService, SessionService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import type { Account } from './accounts.ts'
import { answer, type Client, forSignedIn } from './client.ts'
import { acceptPassword, hasPassword, requirePassword } from './passwords.ts'
import { type MemoryService, requireInvitation } from './service.ts'

/** Without the team. Sends no emails, and has no passkeys, which need a server that makes their challenges. */
export function createIdentityService(service: MemoryService, client: Client): IdentityService {
  const { accounts, database, settings } = service

  function startSession(account: Account): SignedIn {
    const kind = account.lastSeenAt === undefined ? 'sign-in-first' : 'sign-in'
    service.log({ kind, by: account.user.email })
    client.session = accounts.startSession(account)
    return { ...account.user, ...(account.resetLinks && { resetLinks: account.resetLinks }) }
  }

  return {
    policy: () => answer(() => ({ signUp: settings.signUp })),

    createAccount: (email, password, invitation) =>
      answer(() => ({ ...createAccount(service, email, password, invitation).user })),

    signIn: (email, password) =>
      answer(() => {
        const account = accounts.find(email)
        const removed = accounts.findRemoved(email)
        if (!account && removed && hasPassword(service, removed, password)) {
          logRefusal(service, removed)
          throw createServiceError('account-removed')
        }
        if (!account && service.admitsAnyone) return startSession(createAccount(service, email, password))
        if (!account || !hasPassword(service, account, password)) {
          if (account ?? removed) logRefusal(service, (account ?? removed) as Account)
          throw createServiceError('invalid-credentials')
        }
        return startSession(account)
      }),

    signOut: () =>
      answer(() => {
        const { session } = client
        if (session) accounts.endSessions(session.account, ({ id }) => id === session.id)
        database.notify()
      }),

    ...forSignedIn<Pick<IdentityService, 'changePassword'>>(service, client, {
      changePassword(own, password, newPassword) {
        requirePassword(service, own, password)
        own.password = acceptPassword(service, newPassword, 'newPassword')
        accounts.endSessions(own, ({ id }) => id !== client.session?.id)
        service.log({ kind: 'change-password', by: own.user.email })
        database.notify()
      },
    }),

    sessions: createSessionService(service, client),
  }
}

/** Uses up the invitation, also where none is needed. */
function createAccount(service: MemoryService, email: string, password: string, invitation = ''): Account {
  const { accounts, links, settings } = service
  if (settings.signUp === 'closed') throw createServiceError('sign-up-closed')
  const used = settings.signUp === 'invited' ? requireInvitation(service, invitation) : undefined
  const isInvited = used?.email === undefined || toEmailKey(used.email) === toEmailKey(email)
  if (!isAccountEmail(email) || !isInvited) throw createServiceError('invalid-email', { field: 'email' })
  const accepted = acceptPassword(service, password, 'password')
  const existing = accounts.find(email)
  if (existing && service.admitsAnyone) return existing
  if (existing) throw createServiceError('account-exists')
  links.invitations.delete(invitation)
  const origin = used && {
    invitation: { anyEmail: used.email === undefined, ...(used.invitedBy && { by: used.invitedBy }) },
  }
  const account = accounts.create(email, accepted, origin ?? {})
  const by = account.user.email
  if (used) service.log({ kind: 'accept-invitation', by, ...(used.invitedBy && { account: used.invitedBy }) })
  else service.log({ kind: 'sign-up', by })
  return account
}

const hourMs = 60 * 60_000

/** One entry counts the refused sign-ins of an account in an hour. */
function logRefusal(service: MemoryService, { user: { email } }: Account): void {
  const hourOf = (time: number) => Math.floor(time / hourMs)
  const latest = service.activity.findLast(
    ({ kind, account }) => kind === 'refuse-sign-in' && account === email,
  )
  if (latest && hourOf(Date.parse(latest.at)) === hourOf(service.getTime()))
    latest.count = (latest.count ?? 0) + 1
  else service.log({ kind: 'refuse-sign-in', account: email, count: 1 })
}

function createSessionService(service: MemoryService, client: Client): SessionService {
  const { accounts, database } = service
  function endWhere(own: Account, mustEnd: (id: string) => boolean) {
    const count = accounts.sessionsOf(own).filter(({ id }) => mustEnd(id)).length
    if (count > 0) service.log({ kind: 'end-sessions', by: own.user.email, count })
    accounts.endSessions(own, ({ id }) => mustEnd(id))
    database.notify()
  }
  return forSignedIn<SessionService>(service, client, {
    list: (own) =>
      accounts
        .sessionsOf(own)
        .map(({ account: _, ...session }) => ({ ...session, current: session.id === client.session?.id })),
    end: (own, id) => endWhere(own, (session) => session === id),
    endOthers: (own) => endWhere(own, (session) => session !== client.session?.id),
  })
}
