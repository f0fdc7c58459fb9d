export const title = 'Employee Records'
export const unsaved = (count: number) => `(${count} unsaved) `

export const loggedInAs = (email: string) => `Logged in as: ${email}`
export const accountMenu = 'Account menu'

export const signedOut = 'You’ve been signed out.'
export const signIn = 'Sign in'
export const toSeeRecords = 'to see the records.'
export const unsavedKept = 'Your unsaved changes are kept.'
export const keepOpen = 'Your browser can’t keep unsaved changes. Keep this page open until they are saved.'
export const outboxUnreadable =
  'Unsaved changes from your last visit can’t be read right now. Reload the page to try again.'
export const forbidden = 'Your account doesn’t have access to this register. Ask your administrator.'
export const offline = 'You’re offline. Changes stay on this device and are saved when you reconnect.'
/** Follows the message above if no record has been loaded. */
export const notKept = 'The records aren’t kept on this device. They appear when you’re back online.'
export const almostFull = (percent: number) =>
  `The register is ${percent}% full. Delete records that nobody needs, or ask your administrator for more room.`
export const online = 'You’re back online.'
export const newBuild = 'A new version is ready.'
export const reload = 'Reload'

export const dropToImport = 'Drop to import'

/** Follows the name of a record. */
export const saved = 'saved.'
export const restored = 'restored.'
export const changedBack = 'changed back.'
export const restoredRecords = (records: string) => `${records} restored.`
export const showRecord = 'Show'
