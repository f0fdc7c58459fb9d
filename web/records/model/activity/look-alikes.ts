import type { Colleague } from '../../../../contract/accounts.ts'
import type { ActivityEntry } from '../../../../contract/activity/activity.ts'
import { t } from '../../../language/translate.ts'
import { isolate } from '../../../lib/isolate.ts'

/** The emails that look like those of other accounts, with these. */
export type LookAlikes = ReadonlyMap<string, string>

export const findLookAlikes = (people: readonly Colleague[]): LookAlikes =>
  new Map(people.flatMap(({ email, looksLike }) => (looksLike ? [[email, looksLike]] : [])))

/** What is said of the email that is shown as who did it, and of the other that an entry names. */
export function describeLookAlikes({ kind, by, account }: ActivityEntry, lookAlikes: LookAlikes) {
  const describe = (email = '') => {
    const other = lookAlikes.get(email)
    return other !== undefined && t('Looks like {email}', { email: isolate(other) })
  }
  return kind === 'open-hand-over' || kind === 'expire-hand-over'
    ? { author: describe(account), account: false as const }
    : { author: describe(by), account: describe(account) }
}
