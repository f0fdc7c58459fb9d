/** The messages of the dialogs about the signed-in account, in chunks that are loaded on demand. */

export const changePassword = 'Change password'
export const currentPassword = 'Current password'
export const showCurrentPassword = 'Show current password'
export const newPassword = 'New password'
export const showNewPassword = 'Show new password'
export const wrongPassword = 'That isn’t your current password.'
export const passwordChanged = 'Password changed. You’ve been signed out everywhere else.'

export const sessions = 'Where you’re signed in'
export const thisBrowser = 'Active now · this browser'
export const anotherBrowser = 'Another browser'
export const signedIn = (time: string) => `Signed in ${time}`
export const lastActive = (time: string) => `Active ${time}`
export const signOut = {
  text: 'Sign out',
  label: (browser: string, time: string) => `Sign out ${browser}, signed in ${time}`,
}
export const isSignedOut: typeof signOut = {
  text: 'Signed out',
  label: (browser, time) => `Signed out ${browser}, signed in ${time}`,
}
export const signedOutBrowser = 'Signed out.'
export const signOutOthers = 'Sign out all other browsers'
export const signedOutOthers = 'Signed out everywhere else.'
export const noOthers = 'You’re not signed in anywhere else.'
