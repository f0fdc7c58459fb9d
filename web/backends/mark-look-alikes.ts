import { type Colleague, toEmailKey } from '../../contract/accounts.ts'
import { findLookAlikes, imitatesAscii } from '../../contract/emails/look-alikes.ts'
import { decodeLabel } from '../lib/domains/decode-email.ts'

/** Whether the email looks like one of ASCII letters, and is none. */
export const isImitation = (email: string): boolean => imitatesAscii(email, decodeLabel)

/** Says of each account whose email looks like that of another one. Loads 28 KB (gzip), so import it on demand only. */
export function markLookAlikes(colleagues: Colleague[]): Colleague[] {
  const emails = colleagues.map(({ email }) => email)
  const lookAlikes = findLookAlikes(emails, decodeLabel)
  // On Firebase the email of an account can change, and then another one can have it.
  const present = Map.groupBy(
    colleagues.filter(({ removedAt }) => !removedAt),
    ({ email }) => toEmailKey(email),
  )
  return colleagues.map((colleague) => {
    const { email } = colleague
    const same = colleague.removedAt ? [] : (present.get(toEmailKey(email)) ?? [])
    const looksLike = lookAlikes.get(email) ?? same.find((other) => other !== colleague)?.email
    return looksLike === undefined ? colleague : { ...colleague, looksLike }
  })
}
