import type { Colleague, InvitationInfo } from '../../../../contract/accounts.ts'
import { paths } from '../../../../contract/protocol.ts'
import { ServiceError, type TeamService } from '../../ports.ts'
import { readJson, type Send } from '../client.ts'

export function createTeamService(send: Send): TeamService {
  return {
    async checkInvitation(token) {
      return readJson(await send('POST', paths.invitationCheck, { body: { token } }))
    },

    async createInvitation(email) {
      return readJson(await send('POST', paths.invitations, { body: { email } }))
    },

    async listColleagues() {
      return (await readJson<{ accounts: Colleague[] }>(await send('GET', paths.accounts))).accounts
    },

    async listInvitations() {
      const response = await send('GET', paths.invitations)
      return (await readJson<{ invitations: InvitationInfo[] }>(response)).invitations
    },

    async revokeInvitation(id) {
      await send('DELETE', paths.invitationById(id)).catch((error) => {
        if (!(error instanceof ServiceError && error.code === 'not-found')) throw error
      })
    },

    async checkPasswordReset(token) {
      return readJson(await send('POST', paths.passwordResetCheck, { body: { token } }))
    },

    async resetPassword(token, newPassword) {
      await send('POST', paths.passwordReset, { body: { token, newPassword } })
    },
  }
}
