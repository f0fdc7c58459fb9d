import { ServiceError } from './ports.ts'

/** The messages of errors that the page itself finds. Those of the service are in contract/errors.ts. */

export const unreachable = 'The server can’t be reached. Check your connection.'
export const unreachableNow = 'The server can’t be reached right now.'
export const answeredByOther =
  'Something between you and the server answered in its place. Check your connection.'
export const refusedByOther = 'Something between you and the server refused this.'
export const tooLargeForOther = 'Something between you and the server refused this, because it is too large.'
export const cancelled = 'Cancelled.'
export const somethingWrong = 'Something went wrong.'
export const serverFailed = 'Something went wrong on the server.'
export const tooManyAttempts = (duration: string) => `Too many attempts. Try again in ${duration}.`

/** Returns the message of a `ServiceError`; messages of other errors are not meant for users. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ServiceError)) return somethingWrong
  const { code, message, retryAfterMs } = error
  if (code !== 'too-many-requests' || !retryAfterMs) return message
  return tooManyAttempts(formatDuration(retryAfterMs))
}

/** Logs what failed, of a `ServiceError` only the code, and returns the message for the user. */
export function reportError(failure: string, error: unknown): string {
  console.error(failure, error instanceof ServiceError ? error.code : error)
  return errorMessage(error)
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
