import type { Colleague } from '../../contract/accounts.ts'
import { findLookAlikes, imitatesAscii } from '../../contract/emails/look-alikes.ts'
import { decodeLabel } from '../lib/domains/decode-email.ts'

/** Whether the email looks like one of ASCII letters, and is none. */
export const isImitation = (email: string): boolean => imitatesAscii(email, decodeLabel)

/** Says of each account whose email looks like that of another one. Loads 28 KB (gzip), so import it on demand only. */
export function markLookAlikes(colleagues: Colleague[]): Colleague[] {
  const emails = colleagues.map(({ email }) => email)
  const lookAlikes = findLookAlikes(emails, decodeLabel)
  return colleagues.map((colleague) => {
    const looksLike = lookAlikes.get(colleague.email)
    return looksLike === undefined ? colleague : { ...colleague, looksLike }
  })
}
