import { toUnicode } from 'punycode/punycode.es6.js'
import type { Colleague } from '../../contract/accounts.ts'
import { findLookAlikes } from '../../contract/emails/look-alikes.ts'

/** Says of each account whose email looks like that of another one. Loads 28 KB (gzip), so import it on demand only. */
export function markLookAlikes(colleagues: Colleague[]): Colleague[] {
  const emails = colleagues.map(({ email }) => email)
  const lookAlikes = findLookAlikes(emails, toUnicode)
  return colleagues.map((colleague) => {
    const looksLike = lookAlikes.get(colleague.email)
    return looksLike === undefined ? colleague : { ...colleague, looksLike }
  })
}
