/** The messages of the dialogs about the signed-in account, in chunks that are loaded on demand. */

export const changePassword = 'Change password'
export const currentPassword = 'Current password'
export const showCurrentPassword = 'Show current password'
export const newPassword = 'New password'
export const showNewPassword = 'Show new password'
export const wrongPassword = 'That isn’t your current password.'
export const passwordChanged = 'Password changed. You’ve been signed out everywhere else.'

export const sessions = 'Where you’re signed in'
export const thisBrowser = 'This browser'
export const otherBrowser = 'Another browser'
export const signedIn = (time: string) => `Signed in ${time}`
export const lastUsed = (time: string) => `Last used ${time}`
export const signOut = 'Sign out'
export const signedOut = 'Signed out'
export const signOutBrowser = (time: string) => `Sign out the browser signed in ${time}`
export const signedOutBrowser = 'That browser is signed out.'
export const signOutOthers = 'Sign out all other browsers'
export const signedOutOthers = 'All other browsers are signed out.'
export const noOthers = 'You’re not signed in anywhere else.'

/** Uses the language and time zone of the browser. */
export function formatDate(isoTime: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(isoTime))
}

/** Returns date and time, as `formatDate`. */
export function formatTime(isoTime: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(isoTime),
  )
}
