import { ServiceError } from '../backends/ports.ts'
import { somethingWrong } from '../backends/words.ts'
import { tooManyAttempts } from './words.ts'

/** Returns the message of a `ServiceError`; messages of other errors are not meant for users. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ServiceError)) return somethingWrong
  const { code, message, retryAfterMs } = error
  if (code !== 'too-many-requests' || !retryAfterMs) return message
  return tooManyAttempts(formatDuration(retryAfterMs))
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

/** Uses the language and time zone of the browser. */
export function formatDate(isoTime: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(isoTime))
}

/** Date and time, as `formatDate`. */
export function formatTime(isoTime: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(isoTime),
  )
}
