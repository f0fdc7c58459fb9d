/** The messages of the account menu and of its help. */

export const accountMenu = 'Account menu'
export const changePassword = 'Change password'
export const sessions = 'Where you’re signed in'
export const colleagues = 'Colleagues'
export const invite = 'Invite a colleague'
export const recentlyDeleted = 'Recently deleted'

export const help = 'Help'
export const howItSaves =
  'Colleagues see every change at once. Changes that couldn’t be saved stay on this device and are listed above the table.'
export const whomToAsk = 'For a forgotten password or a backup, ask whoever runs this register.'
export const undo =
  'Delete needs no confirmation: Undo restores the record, in its place and for everybody, until you log out.'
export const documentation = 'Documentation: README.md and docs/, in the folder where Staffbook is installed.'
export const version = (version: string) => `Staffbook ${version}`
