import type { RecordDetails } from '../../../contract/history.ts'
import * as messages from './messages.ts'

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const

/** Older times are told as a month. */
const maxDays = 30

/** "3 days ago", or "in May 2026" of what is older. In English, because it stands in a sentence. */
export function describeTime(isoTime: string, now = Date.now()): string {
  const time = Date.parse(isoTime)
  const ageMs = now - time
  if (ageMs >= maxDays * units[0][1])
    return messages.inMonth(
      new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' }).format(new Date(time)),
    )
  const [unit, unitMs] = units.find(([, ms]) => ageMs >= ms) ?? []
  if (!unit) return messages.justNow
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.floor(ageMs / unitMs), unit)
}

/** `by` is an email; undefined stands for the operator. */
export function describePerson(by: string | undefined, ownEmail: string): string {
  if (by === undefined) return messages.operator
  return by === ownEmail ? messages.you : by
}

/** One line about the last change of a record; undefined if the service knows nothing. */
export function describeDetails(
  details: RecordDetails | null | undefined,
  ownEmail: string,
): string | undefined {
  const { changedAt, changedBy, passwordChangedAt } = details ?? {}
  return (
    [
      changedAt && messages.changed(describeTime(changedAt), describePerson(changedBy, ownEmail)),
      passwordChangedAt && messages.passwordChanged(describeTime(passwordChangedAt)),
    ]
      .filter(Boolean)
      .join(' · ') || undefined
  )
}
