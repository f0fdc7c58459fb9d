import { type InvitationInfo, isAccountEmail, toTimestamp } from '../../../contract/accounts.ts'
import { cleanEmail } from '../../../contract/employees.ts'
import { linkTtlMs, maxOpenLinks } from '../../../contract/links.ts'
import { createSecret } from '../create-secret.ts'
import { newIdempotencyKey } from '../idempotency-key.ts'
import type { TeamService } from '../ports.ts'
import { createServiceError } from '../service-error.ts'
import type { Account } from './accounts.ts'
import { answer, type Client, forSignedIn } from './client.ts'
import { type MemoryService, removeWhere, requireInvitation } from './service.ts'

type Invitations = Pick<
  TeamService,
  'checkInvitation' | 'createInvitation' | 'listInvitations' | 'revokeInvitation'
>

export function createInvitations(service: MemoryService, client: Client): Invitations {
  const { invitations } = service.links
  return {
    checkInvitation: (token) =>
      answer(() => {
        const { email } = requireInvitation(service, token)
        return email === undefined ? {} : { email }
      }),
    ...forSignedIn<Omit<Invitations, 'checkInvitation'>>(service, client, {
      createInvitation: (own, email) => addInvitation(service, email, own),
      listInvitations: () => listOpen(service).map(({ maker: _, ...invitation }) => invitation),
      revokeInvitation(own, id) {
        const before = invitations.size
        removeWhere(invitations, (invitation) => invitation.id === id)
        if (invitations.size < before) service.log({ kind: 'revoke-invitation', by: own.user.email })
      },
    }),
  }
}

/** Without `maker`, the operator makes it. */
export function addInvitation(service: MemoryService, email?: string, maker?: Account) {
  if (email !== undefined && !isAccountEmail(email))
    throw createServiceError('invalid-email', { field: 'email' })
  const open = listOpen(service)
  const own = open.filter((invitation) => invitation.maker === maker)
  if (own.length >= maxOpenLinks.perAccount || open.length >= maxOpenLinks.total)
    throw createServiceError('too-many-invitations')
  const [id, token] = [newIdempotencyKey(), createSecret()]
  const expiresAt = toTimestamp(service.getTime() + linkTtlMs.invitation)
  const info: InvitationInfo = {
    ...{ id, expiresAt },
    ...(maker && { invitedBy: maker.user.email }),
    ...(email !== undefined && { email: cleanEmail(email) }),
  }
  service.links.invitations.set(token, { ...info, ...(maker && { maker }) })
  service.log({ kind: 'invite', ...(maker && { by: maker.user.email }) })
  return { ...info, token }
}

const listOpen = ({ links, getTime }: MemoryService) =>
  [...links.invitations.values()].filter(({ expiresAt }) => Date.parse(expiresAt) > getTime())
