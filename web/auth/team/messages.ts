/** The messages about colleagues and one-time links, in chunks that are loaded on demand. */

import { letInDays } from '../../../contract/accounts.ts'

export const team = 'Team'
export const colleagues = 'Colleagues'
export const whoHasAccess = (count: number) =>
  `${count === 1 ? 'One account' : `${new Intl.NumberFormat().format(count)} accounts`} can read and change every record.`
export const you = '(you)'
export const since = (date: string) => `Joined ${date}`
export const lastSeen = (time: string) => `active ${time}`
export const neverSeen = 'has not signed in yet'
export const invitedBy = (by: string, anyEmail: boolean) =>
  `Invited by ${by}${anyEmail ? ', with a link for any email' : ''}`
export const removedOnes = 'Removed'
export const removed = (when: string, by: string) => `Removed ${when} by ${by}`
export const whatMustWeChange = {
  text: 'What must we change?',
  label: (email: string) => `What must we change? ${email}`,
}
export const letIn = { text: 'Let back in', label: (email: string) => `Let ${email} back in` }
export const isBack = (email: string) => `${email} can sign in again, with the same password.`
export const remove = { text: 'Remove', label: (email: string) => `Remove ${email}` }
export const removeText = (email: string) =>
  `${email} is signed out everywhere at once. You then see which passwords to change. Anyone can let them back in for ${letInDays} days.`
export const resetLink = { text: 'Reset link', label: (email: string) => `Make a reset link for ${email}` }
export const resetText = (email: string) =>
  `The link lets ${email} set a new password. They are told that you made it.`
export const resetHint = 'Works once, within an hour. You won’t see it again.'
export const ownPassword = 'Your password'
export const wrongPassword = 'That isn’t your password.'
export const cancel = 'Cancel'

export const invite = 'Invite a colleague'
export const theirEmail = 'Their email (optional)'
export const emailHint = 'If you enter one, only this email can use the link.'
export const makeLink = 'Make a link'
export const linkHint = 'Works once, within 7 days. You won’t see it again.'
export const copied = 'Copied. Send it to your colleague.'
export const openInvitations = 'Open invitations'
export const anyone = 'Anyone with the link'
export const operator = 'your administrator'
export const fromUntil = (from: string, when: string) => `Invited by ${from} · expires ${when}`
export const revoke = ['Revoke', 'Revoked'] as const
export const revokeLabel = (verb: string, email: string, time: string) =>
  `${verb} the invitation for ${email}, until ${time}`
export const revoked = 'Invitation revoked.'
export const invitingClosed = 'Sign-up is closed. Only your administrator can add an account.'
export const anyoneCanSignUp = (url: string) =>
  `Anyone can create an account at ${url}. No invitation is needed.`

export const sheets = 'Sheets of links to credentials'
export const openOf = (open: number, opened: number) =>
  `Sheet of ${(open + opened).toLocaleString()} ${open + opened === 1 ? 'link' : 'links'}, ${opened.toLocaleString()} opened`
export const sheetBy = (by: string, made: string, expires: string) => `By ${by}, ${made} · expires ${expires}`
export const revokeSheet = ['Revoke all', 'Revoked'] as const
export const revokeSheetLabel = (isRevoked: boolean, by: string, time: string) =>
  `${isRevoked ? 'Revoked' : 'Revoke'} all links of the sheet by ${by}, ${time}`
export const sheetRevoked = 'Links revoked.'

export const unusableTitle = 'This Link No Longer Works'
export const unusable = 'It has expired or was used. Ask a colleague or your administrator for a new one.'

export const invited = 'You’re invited. Choose a password for your account.'

export const reset = { title: 'Set a New Password', submit: 'Set Password', busy: 'Setting your password…' }
export const passwordSet = 'Your new password is set. Please sign in.'
export const signInInstead = 'Sign in instead'
export const reloadToRetry = (problem: string) => `${problem} Reload the page to try again.`
