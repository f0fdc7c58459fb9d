/** The words of the account menu and of its help. */

export const accountMenu = 'Account menu'
export const changePassword = 'Change password'
export const sessions = 'Where you’re signed in'
export const colleagues = 'Colleagues'
export const invite = 'Invite a colleague'
export const recentlyDeleted = 'Recently deleted'

export const help = 'Help'
export const howItSaves =
  'Colleagues see every change at once. Changes that couldn’t be saved stay on this device and are listed above the table.'
export const whomToAsk =
  'For a new account, a forgotten password or a backup, ask whoever runs this register.'
export const version = (version: string) => `Staffbook ${version}`
export const documentation = 'Documentation'
