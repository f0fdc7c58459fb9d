import { passwordLength } from '../../contract/accounts.ts'
import { ServiceError } from '../backends/ports.ts'

/** The hint below a field for a new password. */
export const passwordRule = `${passwordLength.min} characters or more. A few words make a good one.`

/** Returns the message of a `ServiceError`; messages of other errors are not meant for users. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'Something went wrong.'
  const { code, message, retryAfterMs } = error
  if (code !== 'too-many-requests' || !retryAfterMs) return message
  return `Too many attempts. Try again in ${formatDuration(retryAfterMs)}.`
}

/** Rounds up: "40 seconds", "15 minutes", "3 hours". */
export function formatDuration(ms: number): string {
  const minutes = ms / 60_000
  if (minutes <= 1.5) return formatUnit(minutes * 60, 'second')
  return minutes <= 90 ? formatUnit(minutes, 'minute') : formatUnit(minutes / 60, 'hour')
}

function formatUnit(count: number, unit: string): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(count))
}

/** In the language and time zone of the browser. */
export function formatDate(isoTime: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(isoTime))
}

/** Date and time, as `formatDate`. */
export function formatTime(isoTime: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(isoTime),
  )
}
