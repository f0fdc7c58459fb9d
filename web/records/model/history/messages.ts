/** The messages about what happened to the records, in chunks that are loaded on demand. */

export const you = 'you'
export const operator = 'your administrator'
export const changed = (when: string, by: string) => `Changed ${when} by ${by}`
export const withPassword = 'password included'
export const passwordChanged = (when: string) => `password changed ${when}`
export const handedOver = (when: string, opened: string | undefined) =>
  `handed over ${when}, ${opened ? `opened ${opened}` : 'not opened yet'}`
export const notRecorded = 'No change history for this record.'

export const historyOf = (name: string) => `History of ${name}`
export const eventBy = {
  add: (by: string) => `Added by ${by}`,
  change: (by: string) => `Changed by ${by}`,
  delete: (by: string) => `Deleted by ${by}`,
  restore: (by: string) => `Restored by ${by}`,
  reveal: (by: string) => `Password shown to ${by}`,
  copy: (by: string) => `Password copied by ${by}`,
  'hand-over': (by: string) => `Handed over by ${by}`,
  'revoke-hand-over': (by: string) => `Hand-over revoked by ${by}`,
} as const
export const handoverOpened = 'Hand-over opened with its link'
export const exportedBy = (by: string, count: number | undefined) =>
  count === undefined
    ? `Records exported by ${by}`
    : `${count.toLocaleString()} ${count === 1 ? 'record' : 'records'} exported by ${by}`
/** Follows one of the above. */
export const withOthers = (count: number) =>
  count > 0 ? `, with ${count === 1 ? 'one other' : `${count.toLocaleString()} others`}` : ''
export const onlyLatestEvents = (count: number) => `Only the latest ${count} entries are listed.`

export const recentlyDeleted = 'Recently deleted'
export const keptFor = (days: number) =>
  `Deleted records are kept for ${days === 1 ? 'one day' : `${days.toLocaleString()} days`}. Anyone can restore them.`
export const keptNot = 'This register keeps no deleted records.'
export const nothingDeleted = 'No deleted records.'
export const searchDeleted = 'Search deleted records'
export const nothingFound = 'No deleted record matches.'
export const onlyLatest = (shown: number, total: number) =>
  `These are ${shown.toLocaleString()} of ${total.toLocaleString()}. Search to find others.`
export const onlyLatestListed = (listed: number, total: number) =>
  `Only the latest ${listed.toLocaleString()} of ${total.toLocaleString()} are listed.`
export const deleted = (when: string, by: string) => `Deleted ${when} by ${by}`
export const deletedTogether = (count: number, when: string, by: string) =>
  `${count.toLocaleString()} records deleted by ${by}, ${when}`
export const restoreAll = ['Restore all', 'Restored'] as const
export const restoreAllLabel = (deletion: string) => `Restore all: ${deletion}`
export const restoredAll = (count: number) => `${count.toLocaleString()} records restored.`
export const restore = ['Restore', 'Restored'] as const
export const restoreLabel = (verb: string, name: string) => `${verb} ${name}`
/** Follows the name of a record. */
export const restored = 'restored.'

/** Follow the email of an account. */
export const knew = (count: number) =>
  count === 1
    ? 'knew one password that is still in use.'
    : `knew ${count.toLocaleString()} passwords that are still in use.`
export const knowsNone = 'knows none of the current passwords.'
export const canSignIn =
  'still has access. Remove the account first, under Team; until then every password counts.'
export const allDone = 'All done.'
export const thisColleague = 'this colleague'
export const looking = 'Looking for the passwords to change…'
export const noSuchAccount = 'There is no such account.'
export const deleteRecord = (name: string) => `Delete the record of ${name}`
export const banner = 'What must we change?'
