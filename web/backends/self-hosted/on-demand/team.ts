import { idempotencyKeyHeader, paths } from '../../../../contract/protocol.ts'
import type { TeamService } from '../../ports.ts'
import { createRequests, type Send } from '../client.ts'

export function createTeamService(send: Send): TeamService {
  const { read, readList, run, end } = createRequests(send)
  return {
    checkInvitation: (token) => read('POST', paths.invitationCheck, { body: { token } }),
    createInvitation: (email) => read('POST', paths.invitations, { body: { email } }),
    listColleagues: () => readList(paths.accounts, 'accounts'),
    removeColleague: (id, password) => run('PUT', paths.accountRemoval(id), { body: { password } }),
    letIn: (id) => run('DELETE', paths.accountRemoval(id)),
    createPasswordReset: (id, password) => read('POST', paths.accountResetLink(id), { body: { password } }),
    listInvitations: () => readList(paths.invitations, 'invitations'),
    revokeInvitation: (id) => end(paths.invitationById(id)),
    checkPasswordReset: (token) => read('POST', paths.passwordResetCheck, { body: { token } }),
    resetPassword: (token, newPassword) => run('POST', paths.passwordReset, { body: { token, newPassword } }),
    createHandover: (handover) => read('POST', paths.handovers, { body: handover }),
    listHandovers: () => readList(paths.handovers, 'handovers'),
    revokeHandover: (id) => end(paths.handoverById(id)),
    createSheet: (handovers) => read('POST', paths.sheets, { body: { handovers } }),
    listSheets: () => readList(paths.sheets, 'sheets'),
    revokeSheet: (id) => end(paths.sheetById(id)),
    takeHandover: (token, key) =>
      read('POST', paths.handoverTake, { body: { token }, headers: { [idempotencyKeyHeader]: key } }),
  }
}
