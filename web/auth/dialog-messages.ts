import type { PasskeyObstacle } from '../../contract/passkeys.ts'
import { isolate } from '../lib/isolate.ts'

/** The messages of the dialogs about the signed-in account, and of signing in without a password, in chunks that are loaded on demand. */

export const changePassword = 'Change password'
export const currentPassword = 'Current password'
export const showCurrentPassword = 'Show current password'
export const newPassword = 'New password'
export const showNewPassword = 'Show new password'
export const wrongPassword = 'That isn’t your current password.'
export const passwordChanged = 'Password changed. You’ve been signed out everywhere else.'

export const sendReset = 'Send a reset link'
export const resetSent = (email: string) =>
  `If ${email} has an account, a link to set a new password is on its way.`

export const passkeyInstead = 'Use a passkey'
export const passkeys = 'Passkeys'
export const aboutPasskeys =
  'Sign in with your fingerprint, your face or the PIN of your device. Your password stays valid.'
export const addPasskey = 'Add a passkey'
export const addingText = 'Your browser then asks where to keep the passkey.'
export const passkeyName = 'Name'
export const unnamedPasskey = 'Passkey'
export const toContinue = 'Continue'
export const passkeyAdded = (name: string) => `Passkey “${isolate(name)}” added.`
export const noPasskeyAdded = 'Cancelled. No passkey was added.'
export const added = (date: string) => `Added ${date}`
export const used = (time: string) => `used ${time}`
export const neverUsed = 'not used yet'
export const isSynced = 'synced'
export const onOneDevice = 'on one device'
export const remove = ['Remove', 'Removed'] as const
export const removeLabel = (verb: string, name: string) => `${verb} the passkey ${name}`
export const passkeyRemoved = (name: string) =>
  `Passkey “${isolate(name)}” removed. It can’t sign in any more.`
export const passkeyObstacles: Record<PasskeyObstacle | 'no-webauthn', string> = {
  'plain-http': 'Passkeys need HTTPS, which this address doesn’t have. Ask your administrator.',
  'ip-address': 'Passkeys need a domain name, and this address is an IP address. Ask your administrator.',
  'no-public-url': 'Passkeys aren’t set up on this server. Ask your administrator to set PUBLIC_URL.',
  'no-webauthn': 'This browser can’t use passkeys.',
}

export const sessionsAndPasskeys = 'Sessions and passkeys'
export const sessions = 'Where you’re signed in'
export const thisBrowser = 'Active now · this browser'
export const anotherBrowser = 'Another browser'
export const signedIn = (time: string) => `Signed in ${time}`
export const lastActive = (time: string) => `Active ${time}`
export const signOut = ['Sign out', 'Signed out'] as const
export const signOutLabel = (verb: string, browser: string, time: string) =>
  `${verb} ${browser}, signed in ${time}`
export const signedOutBrowser = 'Signed out.'
export const signOutOthers = 'Sign out all other browsers'
export const signedOutOthers = 'Signed out everywhere else.'
export const noOthers = 'You’re not signed in anywhere else.'
