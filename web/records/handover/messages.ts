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

export const openLinks = 'Open links'
export const byUntil = (by: string, time: string) => `By ${by} · expires ${time}`
export const revoke = 'Revoke'
export const isRevoked = 'Revoked'
export const revokeFor = (name: string, time: string) => `Revoke the link for ${name}, until ${time}`
export const revoked = 'Link revoked.'
