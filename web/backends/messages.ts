import type { ErrorCode } from '../../contract/errors.ts'
import { currentLanguage, currentLocale, type Message, t, translationOf } from '../language/translate.ts'
import { ServiceError } from './ports.ts'

/** Those of single sign-on are translated where it is loaded. */
type OwnMessage = Exclude<Extract<ErrorCode, `sso-${string}`>, 'sso-only'> | 'confirmation-needed'

/** The messages of contract/errors.ts, to be translated. */
const errorMessages: Record<Exclude<ErrorCode, OwnMessage>, Message> = {
  'invalid-request': translationOf('The request is not well formed.'),
  'invalid-email': translationOf('Enter a valid email address.'),
  'weak-password': translationOf('Choose a password of 8 to 128 characters.'),
  'invalid-credentials': translationOf('Wrong email or password.'),
  'not-signed-in': translationOf('Please sign in.'),
  'account-removed': translationOf(
    'This account was removed. A colleague or your administrator can let you back in.',
  ),
  'sign-up-closed': translationOf('Sign-up is closed. Ask your administrator.'),
  'not-allowed': translationOf('Your account doesn’t have access to this register. Ask your administrator.'),
  'sso-only': translationOf('Passwords and passkeys are switched off here. Use single sign-on.'),
  'cross-site': translationOf('This request came from another site and was refused.'),
  'not-found': translationOf('This record no longer exists.'),
  'account-exists': translationOf('An account with this email already exists.'),
  'too-many-invitations': translationOf(
    'Too many invitations are open. Revoke some, or wait until they are used.',
  ),
  'too-many-handovers': translationOf(
    'Too many links to credentials are open. Revoke some, or wait until they are used.',
  ),
  'too-many-passkeys': translationOf('This account has 20 passkeys. Remove one first.'),
  'passkeys-unavailable': translationOf('Passkeys can’t be used at this address.'),
  'id-in-use': translationOf('This record is already in the register.'),
  conflict: translationOf('Someone else changed the same field in the meantime.'),
  'invalid-link': translationOf('This link has expired or was used. Ask for a new one.'),
  'no-longer-kept': translationOf('This previous password is no longer kept.'),
  'key-reused': translationOf('This idempotency key belongs to a request with other content.'),
  'too-large': translationOf('That’s too much data for one request.'),
  'unsupported-media-type': translationOf('Please send JSON.'),
  'too-many-requests': translationOf('Too many attempts. Try again later.'),
  'server-error': translationOf('Something went wrong on the server.'),
  'storage-unavailable': translationOf('The register isn’t available right now. Nothing was changed.'),
  busy: translationOf('The server is busy. Try again in a moment.'),
  'register-full': translationOf(
    'The register is full. Delete records that nobody needs, or ask your administrator for more room.',
  ),
  'storage-full': translationOf('The disk is full. Nothing was changed.'),
}

/** Returns the message of a service's error. In English, the service's own is more precise; it also stands for a missing translation. */
export function translateError(code: ErrorCode, message: string): string {
  if (currentLanguage() === 'en') return message
  return t(errorMessages[code as keyof typeof errorMessages] ?? errorMessages['server-error']) || message
}

/** Returns the message of a `ServiceError`; messages of other errors are not meant for users. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ServiceError)) return t('Something went wrong.')
  const { code, message, retryAfterMs } = error
  if (code !== 'too-many-requests' || !retryAfterMs) return message
  return t('Too many attempts. Try again in {duration}.', { duration: formatDuration(retryAfterMs) })
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
  const options = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(currentLocale(), options).format(Math.ceil(count))
}
