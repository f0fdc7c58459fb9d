import { ServiceError, type ServiceErrorCode } from '../ports.ts'
import { createServiceError } from '../service-error.ts'

/** Maps Firebase's error codes to ours. Unlisted codes become `server-error`. */
const serviceErrorCodes: Record<string, ServiceErrorCode> = {
  'auth/email-already-in-use': 'account-exists',
  'auth/invalid-email': 'invalid-email',
  'auth/missing-email': 'invalid-email',
  'auth/weak-password': 'weak-password',
  'auth/missing-password': 'weak-password',
  'auth/password-does-not-meet-requirements': 'weak-password',
  'auth/admin-restricted-operation': 'sign-up-closed',
  'auth/operation-not-allowed': 'sign-up-closed',
  'auth/wrong-password': 'invalid-credentials',
  'auth/user-not-found': 'invalid-credentials',
  'auth/invalid-credential': 'invalid-credentials',
  'auth/invalid-login-credentials': 'invalid-credentials',
  'auth/user-disabled': 'invalid-credentials',
  'auth/too-many-requests': 'too-many-requests',
  'auth/quota-exceeded': 'too-many-requests',
  'auth/network-request-failed': 'offline',
  'auth/timeout': 'offline',
  'auth/user-token-expired': 'not-signed-in',
  'auth/invalid-user-token': 'not-signed-in',
  'auth/invalid-refresh-token': 'not-signed-in',
  unauthenticated: 'not-signed-in',
  'permission-denied': 'not-allowed',
  'not-found': 'not-found',
  'already-exists': 'id-in-use',
  'resource-exhausted': 'busy',
  aborted: 'busy',
  // The SDK's codes for a missing connection differ by transport: WebChannel, gRPC, cancelled requests.
  unavailable: 'offline',
  cancelled: 'offline',
  'deadline-exceeded': 'offline',
  unknown: 'offline',
}

/** The delay after `resource-exhausted` (a quota, or too many writes), in ms. Firestore itself backs off to 60 s. */
const exhaustedRetryAfterMs = 30_000

/** The code of a Firebase error; empty for any other error. */
export function readFirebaseCode(error: unknown): string {
  const { code } = Object(error)
  return typeof code === 'string' ? code : ''
}

/**
 * Converts any error to a `ServiceError`. Of the original error only the code is retained, as the cause: Firebase's errors
 * may contain raw responses with tokens, and the page logs the errors that it receives.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const code = readFirebaseCode(error)
  return createServiceError(serviceErrorCodes[code] ?? 'server-error', {
    cause: code || String(Object(error).name),
    retryAfterMs: code === 'resource-exhausted' ? exhaustedRetryAfterMs : undefined,
  })
}

/** Throws the error as a `ServiceError`; for `promise.catch(throwServiceError)`. */
export function throwServiceError(error: unknown): never {
  throw toServiceError(error)
}

const inputCodes: ServiceErrorCode[] = ['invalid-email', 'invalid-credentials', 'weak-password']

/** Throws like `throwServiceError`. An error about what was typed gets the other code, or names the field. */
const throwInputError = (input: { code?: ServiceErrorCode; field?: string }) => (error: unknown) => {
  const { code, cause } = toServiceError(error)
  if (!inputCodes.includes(code)) throw toServiceError(error)
  throw createServiceError(input.code ?? code, { cause, field: input.field })
}

/** For calls with two passwords. */
export const throwPasswordError = (field: string) => throwInputError({ field })

/** For signing in: the user must not learn what was wrong. */
export const throwSignInError = throwInputError({ code: 'invalid-credentials' })

/** How long to wait for Firebase, in ms. */
export interface Patience {
  /** For the response to a read or a write. */
  responseMs: number
  /** For a connection, after the SDK has refused a read because there is none. */
  connectionMs: number
  /** For Firestore to tell a sign-in whether the account is a member. */
  signInMs: number
}

export const defaultPatience: Patience = { responseMs: 15_000, connectionMs: 5_000, signInMs: 5_000 }

/** Rejects with `offline` if the promise has not settled after `timeoutMs` milliseconds. */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const error = () => createServiceError('offline', { cause: `no response within ${timeoutMs} ms` })
  const timer = setTimeout(() => reject(error()), timeoutMs)
  try {
    return await Promise.race([promise, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
