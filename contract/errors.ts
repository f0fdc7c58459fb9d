import type { XStatic } from 'typebox/schema'
import { objectOf, textSchema } from './json-schema.ts'

export const errors = {
  'invalid-request': { status: 400, message: 'The request is not well formed.' },
  'invalid-email': { status: 400, message: 'Enter a valid email address.' },
  'weak-password': { status: 400, message: 'Choose a password of 8 to 128 characters.' },
  'invalid-credentials': { status: 401, message: 'Wrong email or password.' },
  'not-signed-in': { status: 401, message: 'Please sign in.' },
  'account-removed': {
    status: 403,
    message: 'This account was removed. A colleague or your administrator can let you back in.',
  },
  'sign-up-closed': {
    status: 403,
    message: 'Sign-up is closed. Ask your administrator.',
  },
  'not-allowed': {
    status: 403,
    message: 'Your account doesn’t have access to this register. Ask your administrator.',
  },
  'sso-failed': {
    status: 401,
    message: 'Signing in took too long, or was done already. Please try again.',
  },
  'sso-cancelled': {
    status: 401,
    message: 'You weren’t signed in there. Try again, or ask your administrator.',
  },
  'sso-other-account': {
    status: 401,
    message: 'You signed in there as somebody else. Please try again as yourself.',
  },
  'sso-unverified': {
    status: 403,
    message: 'Your account there has no verified email address. Ask your administrator.',
  },
  'sso-not-allowed': {
    status: 403,
    message: 'Your account there isn’t allowed to use this register. Ask your administrator.',
  },
  'sso-only': {
    status: 403,
    message: 'Passwords and passkeys are switched off here. Use single sign-on.',
  },
  'confirmation-needed': { status: 403, message: 'Please confirm that it’s you, then try again.' },
  'cross-site': { status: 403, message: 'This request came from another site and was refused.' },
  'not-found': { status: 404, message: 'This record no longer exists.' },
  'account-exists': { status: 409, message: 'An account with this email already exists.' },
  'sso-other-person': {
    status: 409,
    message: 'The account with this email belongs to somebody else there. Ask your administrator.',
  },
  'too-many-invitations': {
    status: 409,
    message: 'Too many invitations are open. Revoke some, or wait until they are used.',
  },
  'too-many-handovers': {
    status: 409,
    message: 'Too many links to credentials are open. Revoke some, or wait until they are used.',
  },
  'too-many-passkeys': { status: 409, message: 'This account has 20 passkeys. Remove one first.' },
  'passkeys-unavailable': { status: 409, message: 'Passkeys can’t be used at this address.' },
  'id-in-use': { status: 409, message: 'This record is already in the register.' },
  conflict: { status: 409, message: 'Someone else changed the same field in the meantime.' },
  'invalid-link': { status: 410, message: 'This link has expired or was used. Ask for a new one.' },
  'no-longer-kept': { status: 410, message: 'This previous password is no longer kept.' },
  'key-reused': { status: 422, message: 'This idempotency key belongs to a request with other content.' },
  'too-large': { status: 413, message: 'That’s too much data for one request.' },
  'unsupported-media-type': { status: 415, message: 'Please send JSON.' },
  'too-many-requests': { status: 429, message: 'Too many attempts. Try again later.' },
  'server-error': { status: 500, message: 'Something went wrong on the server.' },
  'storage-unavailable': {
    status: 503,
    message: 'The register isn’t available right now. Nothing was changed.',
  },
  'sso-unavailable': {
    status: 503,
    message: 'Single sign-on isn’t available right now. Try again later, or use your password.',
  },
  busy: { status: 503, message: 'The server is busy. Try again in a moment.' },
  'register-full': {
    status: 507,
    message:
      'The register is full. Delete records that nobody needs, or ask your administrator for more room.',
  },
  'storage-full': { status: 507, message: 'The disk is full. Nothing was changed.' },
} as const

export type ErrorCode = keyof typeof errors

/**
 * Body of every error response. `field` names the field or header that caused the error. `id`: the record that was added
 * with a reused idempotency key.
 */
export const errorBodySchema = objectOf(
  { code: textSchema, message: textSchema },
  { field: textSchema, id: textSchema },
)

export interface ErrorBody extends XStatic<typeof errorBodySchema> {
  code: ErrorCode
}
