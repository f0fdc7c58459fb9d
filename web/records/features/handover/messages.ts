/** The messages of the hand-over, in a chunk that is loaded on demand. */

export const title = 'Hand over'
/** These surround the name of a record. */
export const shows = 'The link shows'
export const onceTo = 'the credential, once, without an account. It works for 7 days.'
export const makeLink = 'Make a link'
export const linkHint = 'Send it or let a phone scan it. You won’t see it again.'
export const copied = 'Copied. Send it to the employee only.'
export const code = 'The link as a QR code'
export const needsHttps =
  'The link is encrypted in this browser, which works over HTTPS only. Ask your administrator to set it up.'

export const sheetTitle = 'Hand over all'
export const sheetHint = (count: number) =>
  `Each of ${count.toLocaleString()} people gets a link that shows the credential, once, without an account. The links work for 7 days; those of the same people on earlier sheets stop working.`
export const makeLinks = (count: number) => `Make ${count.toLocaleString()} links`
export const tooMany = 'A sheet has at most 500 links.'
export const keepNow =
  'Print the links, or download them as a list. After you close this, nobody can see them again. Whoever has a link can open it first.'
const links = (count: number) => (count === 1 ? '1 link' : `${count.toLocaleString()} links`)
export const linksMade = (count: number, leftOut: number) =>
  `${links(count)} made.${leftOut > 0 ? ` ${leftOut.toLocaleString()} left out: someone has changed or deleted the record.` : ''}`
export const print = 'Print'
export const downloadList = 'Download as CSV'
export const listName = 'hand-over.csv'
export const linkColumn = 'Link'
/** On paper, for the employee. */
export const scan = (until: string) =>
  `Scan the code or open the link, then press Show. It shows your sign-in details once, until ${until}.`

export const openLinks = 'Open links'
export const byUntil = (by: string, time: string) => `By ${by} · expires ${time}`
export const revoke = ['Revoke', 'Revoked'] as const
export const revokeLabel = (verb: string, name: string, time: string) =>
  `${verb} the link for ${name}, until ${time}`
export const revoked = 'Link revoked.'
