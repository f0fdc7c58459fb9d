import type { Colleague, InvitationInfo, NewResetLink } from '../../../../contract/accounts.ts'
import type { CreatedSheet, HandoverInfo, SheetInfo, TakenHandover } from '../../../../contract/handovers.ts'
import { idempotencyKeyHeader, paths } from '../../../../contract/protocol.ts'
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
    createHandover: (handover) =>
      send('POST', paths.handovers, { body: handover }).then(readJson<{ id: string; token: string }>),
    async listHandovers() {
      const response = await send('GET', paths.handovers)
      return (await readJson<{ handovers: HandoverInfo[] }>(response)).handovers
    },
    async revokeHandover(id) {
      await send('DELETE', paths.handoverById(id)).catch(ignore('not-found'))
    },
    createSheet: (handovers) =>
      send('POST', paths.sheets, { body: { handovers } }).then(readJson<CreatedSheet>),
    async listSheets() {
      const response = await send('GET', paths.sheets)
      return (await readJson<{ sheets: SheetInfo[] }>(response)).sheets
    },
    async revokeSheet(id) {
      await send('DELETE', paths.sheetById(id)).catch(ignore('not-found'))
    },
    takeHandover(token, key) {
      const headers = { [idempotencyKeyHeader]: key }
      return send('POST', paths.handoverTake, { body: { token }, headers }).then(readJson<TakenHandover>)
    },
  }
}
