/** The messages of the dialogs about help and logout, and of reset links, in chunks that are loaded on demand. */

export const resetLinkMade = (by: string, when: string) =>
  `${by} made a link to reset your password ${when}. If you didn’t ask for it, change your password.`
export const gotIt = 'OK'

export const howItSaves =
  'Colleagues see every change at once. Changes that couldn’t be saved stay on this device and are listed above the table.'
export const whomToAsk = 'For a forgotten password, ask a colleague; for a backup, your administrator.'
export const howToUndo =
  'Undo takes back your last change or delete, for everybody. Recently deleted, in the account menu, brings back any record.'
export const version = (version: string) => `Staffbook ${version}`

export const logoutDeletes = (count: number) =>
  `Logging out deletes ${count === 1 ? 'it' : 'them'} from this browser, so that nobody else can read ${count === 1 ? 'it' : 'them'}.`
export const stay = 'Stay logged in'
export const logOutAndDiscard = 'Log out and discard'
/** How many of the unsaved changes are in other tabs. */
export function inOtherTabs(count: number, elsewhere: number): string {
  if (elsewhere === 0) return ''
  if (elsewhere === count) return count === 1 ? 'It is in another tab.' : 'They are in other tabs.'
  return elsewhere === 1
    ? '1 of them is in another tab.'
    : `${elsewhere.toLocaleString()} of them are in other tabs.`
}
