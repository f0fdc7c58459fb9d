import type { Colleague, InvitationInfo, NewResetLink } from '../../../../contract/accounts.ts'
import { paths } from '../../../../contract/protocol.ts'
import type { TeamService } from '../../ports.ts'
import { ignore, readJson, type Send } from '../client.ts'

export function createTeamService(send: Send): TeamService {
  return {
    checkInvitation: (token) =>
      send('POST', paths.invitationCheck, { body: { token } }).then(readJson<{ email?: string }>),
    createInvitation: (email) =>
      send('POST', paths.invitations, { body: { email } }).then(readJson<InvitationInfo & { token: string }>),
    async listColleagues() {
      const response = await send('GET', paths.accounts)
      return (await readJson<{ accounts: Colleague[] }>(response)).accounts
    },
    async removeColleague(id, password) {
      await send('PUT', paths.accountRemoval(id), { body: { password } })
    },
    async letIn(id) {
      await send('DELETE', paths.accountRemoval(id))
    },
    createPasswordReset: (id, password) =>
      send('POST', paths.accountResetLink(id), { body: { password } }).then(readJson<NewResetLink>),
    async listInvitations() {
      const response = await send('GET', paths.invitations)
      return (await readJson<{ invitations: InvitationInfo[] }>(response)).invitations
    },
    async revokeInvitation(id) {
      await send('DELETE', paths.invitationById(id)).catch(ignore('not-found'))
    },
    checkPasswordReset: (token) =>
      send('POST', paths.passwordResetCheck, { body: { token } }).then(readJson<{ email: string }>),
    async resetPassword(token, newPassword) {
      await send('POST', paths.passwordReset, { body: { token, newPassword } })
    },
  }
}
